package main

import (
	"context"
	"slices"
	"sync"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A printer prints a line a request, when its sender has its answer, and the
// attempts at a request behind it. No request waits for another's answer.
type printer struct {
	*program
	mu      sync.Mutex
	ready   bool                            // the first line is printed
	last    capture.Seq                     // the newest request that was met
	open    map[capture.ID]bool             // met, and not printed
	waiting map[capture.ID][]replay.Attempt // at requests that are not printed
}

func newPrinter(c *program) *printer {
	return &printer{program: c, open: map[capture.ID]bool{}, waiting: map[capture.ID][]replay.Attempt{}}
}

// run prints what comes after the start of s until ctx ends, and leaves s then.
func (p *printer) run(ctx context.Context, s *session.Session) error {
	var wg sync.WaitGroup
	late, hush := context.WithCancel(context.WithoutCancel(ctx)) // of senders that wait
	defer func() {
		s.Leave() // they have their answers then
		hush()
		wg.Wait()
	}()
	if err := p.begin(s.Before()); err != nil {
		return err
	}
	for r, err := range s.Follow(ctx, s.Before()) {
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		p.meet(r)
		if r.Answered != 0 {
			if err := p.request(r); err != nil {
				return err
			}
			continue
		}
		id := r.ID // not the body
		wg.Go(func() {
			if r, err := s.Answered(late, id); err == nil {
				_ = p.request(r) // a closed pipe shows at the next request
			}
		})
	}
	return nil
}

// begin prints the attempts so far at requests that earlier runs printed.
func (p *printer) begin(before capture.Seq) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ready, p.last = true, before
	var old []replay.Attempt
	for id, attempts := range p.waiting {
		if attempts[0].Seq <= before {
			old = append(old, attempts...)
			delete(p.waiting, id)
		}
	}
	slices.SortStableFunc(old, func(a, b replay.Attempt) int { return a.Start.Compare(b.Start) })
	return p.attempts(old)
}

func (p *printer) meet(r *capture.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.open[r.ID] = r.Seq, true
}

func (p *printer) request(r *capture.Request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.write(p.out, newRequestLine(r)); err != nil {
		return err
	}
	attempts := p.waiting[r.ID]
	delete(p.open, r.ID)
	delete(p.waiting, r.ID)
	return p.attempts(attempts)
}

func (p *printer) attempts(all []replay.Attempt) error {
	for _, a := range all {
		if err := p.write(p.out, newAttemptLine(a)); err != nil {
			return err
		}
	}
	return nil
}

// attempt is told of each attempt when it ended.
func (p *printer) attempt(a replay.Attempt) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ready || a.Seq > p.last || p.open[a.Request] {
		a.Outcome.Head, a.Outcome.Body = nil, nil
		p.waiting[a.Request] = append(p.waiting[a.Request], a)
		return
	}
	_ = p.write(p.out, newAttemptLine(a)) // a closed pipe shows at the next request
}
