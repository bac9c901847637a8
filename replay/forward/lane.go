package forward

import (
	"context"
	"fmt"
	"sync"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

const maxParallel = 64

// A lane forwards the requests of one endpoint.
type lane struct {
	f    *Forwarder
	name string
	bell chan struct{}
	done chan result

	mu     sync.Mutex
	in     []item // arrived, not yet in line
	kicked bool

	// Below is run's own.

	line    line
	flying  map[capture.Seq]item
	down    *capture.Endpoint // the endpoint as it was when its target could not be reached; nil while it can
	blocked bool              // with down: AnyHook itself will not send there
	probeAt time.Time         // with down: when to look again
}

// A result is an attempt that ended.
type result struct {
	item    item
	ep      capture.Endpoint
	attempt replay.Attempt
	err     error
}

func newLane(f *Forwarder, name string) *lane {
	return &lane{f: f, name: name, bell: make(chan struct{}, 1), done: make(chan result), flying: map[capture.Seq]item{}}
}

func (l *lane) add(items ...item) {
	l.mu.Lock()
	l.in = append(l.in, items...)
	l.mu.Unlock()
	l.wake()
}

func (l *lane) kick() {
	l.mu.Lock()
	l.kicked = true
	l.mu.Unlock()
	l.wake()
}

func (l *lane) wake() {
	select {
	case l.bell <- struct{}{}:
	default:
	}
}

// run works until ctx ends, and then waits for the attempts under way.
func (l *lane) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := l.work(ctx)
	cancel()
	for len(l.flying) > 0 {
		res := <-l.done
		if e := l.settle(ctx, res); err == nil && res.err == nil {
			err = e
		}
	}
	return err
}

func (l *lane) work(ctx context.Context) error {
	for ctx.Err() == nil {
		l.takeIn()
		if err := l.fly(ctx); err != nil {
			return err
		}
		if err := l.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// wait returns when there may be something to do. It sets no clock when there is nothing to wait for.
func (l *lane) wait(ctx context.Context) error {
	var clock <-chan time.Time
	if at := l.nextLook(); !at.IsZero() {
		timer := time.NewTimer(at.Sub(l.f.Now()))
		defer timer.Stop()
		clock = timer.C
	}
	select {
	case <-ctx.Done():
	case <-l.bell:
	case <-clock:
	case res := <-l.done:
		return l.settle(ctx, res)
	}
	return nil
}

// takeIn puts in line what has arrived, and sees to a kick.
func (l *lane) takeIn() {
	l.mu.Lock()
	in, kicked := l.in, l.kicked
	l.in, l.kicked = nil, false
	l.mu.Unlock()
	for _, it := range in {
		l.line.add(it)
	}
	if kicked {
		l.down = nil
		l.line.ripen(l.f.Now(), true)
	}
}

// fly starts as many attempts as may be under way.
func (l *lane) fly(ctx context.Context) error {
	for ctx.Err() == nil && l.line.size() > 0 && !l.f.isPaused() {
		ep, ok := l.f.Endpoint(l.name)
		if !ok || ep.Target == "" {
			return l.keepAll(ctx)
		}
		if len(l.flying) >= limit(ep) {
			return nil
		}
		l.line.ripen(l.f.Now(), false)
		l.look(ctx, ep)
		it, r, err := l.next(ctx, ep)
		if err != nil || r == nil {
			return err
		}
		l.flying[it.seq] = it
		go func() { // ends by its result, which run always takes
			a, err := l.f.Deliver(ctx, r, ep)
			l.done <- result{it, ep, a, err}
		}()
	}
	return nil
}

func limit(ep capture.Endpoint) int {
	if ep.Strict {
		return 1
	}
	return min(max(ep.Parallel, 1), maxParallel)
}

// look looks whether the target can be reached again, where that is not
// known: when it is time to, and before a newcomer is tried, which must not
// get ahead of those that wait.
func (l *lane) look(ctx context.Context, ep capture.Endpoint) {
	if len(l.line.held) == 0 {
		l.down = nil // nobody waits for it
	}
	if l.down == nil {
		return
	}
	now := l.f.Now()
	if len(l.line.fresh) == 0 && now.Before(l.probeAt) {
		return
	}
	l.probeAt = now.Add(l.f.probeEvery())
	changed := ep.Target != l.down.Target || ep.AwayOK != l.down.AwayOK
	if changed || !l.blocked && l.f.Listening(ctx, ep) {
		l.down = nil
	}
}

// settle sees to an attempt that ended.
func (l *lane) settle(ctx context.Context, res result) error {
	delete(l.flying, res.item.seq)
	if res.err != nil {
		l.f.tell(res.item.id, heard{})
		return fmt.Errorf("deliver %s: %w", res.item.id, res.err)
	}
	o := res.attempt.Outcome
	if o.Failure == replay.Canceled { // we stopped it ourselves: it is still to be done
		l.line.back(res.item)
		return nil
	}
	answer, ok := PassOn(o)
	l.f.tell(res.item.id, heard{answer, ok})
	l.reached(res)
	was := res.item
	it, progress := decide(was, o, l.f.Now(), l.f.backoff)
	if progress == replay.Queued || progress == replay.Retrying {
		l.line.add(it)
	}
	if progress == replay.Queued && was.due.IsZero() {
		return nil // it stands as it stood
	}
	return l.f.stand(context.WithoutCancel(ctx), l.standing(it, progress))
}

// reached notes whether the target can be reached.
func (l *lane) reached(res result) {
	o := res.attempt.Outcome
	if !unreachable(o) {
		l.down = nil
		return
	}
	if l.down == nil {
		l.probeAt = l.f.Now().Add(l.f.probeEvery())
	}
	l.down, l.blocked = new(res.ep), unsendable(o)
}

// nextLook is when something is to be done although nothing happens; zero for never.
func (l *lane) nextLook() time.Time {
	switch {
	case l.f.isPaused() || len(l.flying) > 0 && l.full():
		return time.Time{}
	case l.down != nil && len(l.line.held) > 0:
		return l.probeAt
	case len(l.line.later) > 0:
		return l.line.later[0].due
	}
	return time.Time{}
}

func (l *lane) full() bool {
	ep, _ := l.f.Endpoint(l.name)
	return len(l.flying) >= limit(ep)
}

// keepAll takes all out of line: there is nowhere to send it to any more.
func (l *lane) keepAll(ctx context.Context) error {
	for _, it := range l.line.all() {
		if err := l.keep(ctx, it); err != nil {
			return err
		}
	}
	return nil
}

func (l *lane) keep(ctx context.Context, it item) error {
	it.due = time.Time{}
	l.f.tell(it.id, heard{capture.Answer{Status: 200}, true})
	return l.f.stand(ctx, l.standing(it, replay.Kept))
}

func (l *lane) standing(it item, p replay.Progress) replay.Standing {
	return replay.Standing{Seq: it.seq, Request: it.id, Endpoint: l.name, Progress: p, Tries: it.tries, Due: it.due}
}
