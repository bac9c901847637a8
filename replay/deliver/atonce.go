package deliver

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"anyhook.net/desktop/replay"
)

// patience is how long copies that are ready wait for one that is still connecting.
const patience = 3 * time.Second

// yields is how often the processor is offered to others when all are ready:
// a handler on this machine then takes in what is written while our threads
// stay awake, where a pause would put both sides to sleep.
const yields = 1000

// A gate holds a request back at its last byte until all are there. The nil
// gate holds nothing.
type gate struct {
	open <-chan struct{} // closed to let all go
	tell func()          // says that this one is ready, or never will be; once counts
	now  func() time.Time

	released time.Time // when the last byte was out; zero if it never was
}

func (g *gate) ready() {
	if g != nil {
		g.tell()
	}
}

// write writes w. At a gate the last byte waits: it is what the handler needs
// to begin, and one byte in one packet goes out faster than any request. For
// a request without a body it is the last byte of the head.
func (g *gate) write(ctx context.Context, conn *link, w wire) error {
	if g == nil {
		return writeAll(conn, w.head, w.body)
	}
	head, body := w.head, w.body
	var last []byte
	if n := len(body); n > 0 {
		body, last = body[:n-1], body[n-1:]
	} else {
		n := len(head)
		head, last = head[:n-1], head[n-1:]
	}
	err := writeAll(conn, head, body)
	g.tell()
	if err != nil {
		return err
	}
	select {
	case <-g.open:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if _, err := conn.Write(last); err != nil {
		return err
	}
	g.released = g.now()
	return nil
}

// AtOnce makes the attempts at the same moment: it connects and writes all but
// the last byte of each, and then lets the last bytes go together. One that
// cannot connect holds up none of the others. spread is from the first last
// byte to the last one; nothing is ever simultaneous, so show it.
//
// The attempts come back in the order of the orders, at most
// [replay.MaxAtOnce]. After an error only those are returned that were begun.
func (s *Sender) AtOnce(ctx context.Context, orders []Order) (attempts []replay.Attempt, spread time.Duration, err error) {
	if len(orders) > replay.MaxAtOnce {
		return nil, 0, fmt.Errorf("%d sends at once: at most %d can go together", len(orders), replay.MaxAtOnce)
	}
	jobs, err := s.beginAll(ctx, orders)
	if err != nil {
		return attemptsOf(jobs), 0, err
	}
	open := make(chan struct{})
	ready := make(chan struct{}, len(jobs))
	errs := make([]error, len(jobs))
	var wg sync.WaitGroup
	for i, j := range jobs {
		tell := sync.OnceFunc(func() { ready <- struct{}{} })
		j.gate = &gate{open: open, tell: tell, now: s.Now}
		wg.Go(func() {
			s.carryOut(ctx, j)
			_, errs[i] = s.end(ctx, j)
		})
	}
	awaitAll(ctx, ready, len(jobs))
	for range yields {
		runtime.Gosched()
	}
	close(open)
	wg.Wait()
	for _, e := range errs {
		if err == nil {
			err = e
		}
	}
	return attemptsOf(jobs), spreadOf(jobs), err
}

// beginAll writes all attempts down before the first is made. If that fails, none is.
func (s *Sender) beginAll(ctx context.Context, orders []Order) ([]*job, error) {
	var jobs []*job
	for _, o := range orders {
		j, err := s.begin(ctx, o)
		if err == nil {
			jobs = append(jobs, j)
			continue
		}
		for _, j := range jobs {
			j.attempt.Outcome = replay.Outcome{Failure: replay.Canceled, Phase: replay.Dialing, Detail: "not sent: another of the same wave could not be written down"}
			_, _ = s.end(ctx, j) // the first error is the one that counts
		}
		return jobs, err
	}
	return jobs, nil
}

// awaitAll waits until n are ready, or the first to be ready has waited long enough.
func awaitAll(ctx context.Context, ready <-chan struct{}, n int) {
	var late <-chan time.Time
	for range n {
		select {
		case <-ready:
			if late == nil {
				t := time.NewTimer(patience)
				defer t.Stop()
				late = t.C
			}
		case <-late:
			return
		case <-ctx.Done():
			return
		}
	}
}

func spreadOf(jobs []*job) time.Duration {
	var first, last time.Time
	for _, j := range jobs {
		switch t := j.gate.released; {
		case t.IsZero():
		case first.IsZero():
			first, last = t, t
		case t.Before(first):
			first = t
		case t.After(last):
			last = t
		}
	}
	return last.Sub(first)
}

func attemptsOf(jobs []*job) []replay.Attempt {
	out := make([]replay.Attempt, len(jobs))
	for i, j := range jobs {
		out[i] = j.attempt
	}
	return out
}
