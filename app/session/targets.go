package session

import (
	"context"
	"sync"
	"time"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// probeEvery is how often a target that does not listen is dialled.
const probeEvery = 3 * time.Second

// targets knows who listens. It dials a target when it is new and while it
// does not listen; once it does, deliveries tell, so that an idle handler is
// left in peace.
type targets struct {
	endpoints func() []capture.Endpoint
	listening func(context.Context, capture.Endpoint) bool
	changed   func()
	now       func() time.Time
	kick      chan struct{}

	mu    sync.Mutex
	known map[string]view.TargetStatus // by endpoint
}

func newTargets(s *Session) *targets {
	return &targets{
		endpoints: s.keep.list, changed: s.db.Bell.Ring, now: s.now, kick: make(chan struct{}, 1),
		listening: func(ctx context.Context, ep capture.Endpoint) bool {
			return s.forward.Listening(ctx, ep)
		},
		known: map[string]view.TargetStatus{},
	}
}

// run looks until ctx ends.
func (t *targets) run(ctx context.Context) {
	for ctx.Err() == nil {
		var again <-chan time.Time
		if t.look(ctx) {
			timer := time.NewTimer(probeEvery)
			defer timer.Stop()
			again = timer.C
		}
		select {
		case <-t.kick:
		case <-again:
		case <-ctx.Done():
		}
	}
}

// look dials what is not known to listen, and reports whether any of it still does not.
func (t *targets) look(ctx context.Context) (silent bool) {
	for _, ep := range t.endpoints() {
		if ep.Target == "" {
			continue
		}
		t.mu.Lock()
		was, ok := t.known[ep.Name]
		t.mu.Unlock()
		if ok && was.Target == ep.Target && was.Listening {
			continue
		}
		now := t.listening(ctx, ep)
		silent = silent || !now
		t.set(ep, now, !ok || was.Target != ep.Target)
	}
	return silent
}

func (t *targets) set(ep capture.Endpoint, listening, fresh bool) {
	t.mu.Lock()
	was := t.known[ep.Name]
	is := view.TargetStatus{Endpoint: ep.Name, Target: ep.Target, Listening: listening, Since: was.Since}
	if !fresh {
		is.Failures = was.Failures
	}
	if fresh || was.Listening != listening {
		is.Since = t.now()
	}
	t.known[ep.Name] = is
	t.mu.Unlock()
	if is != was {
		t.changed()
	}
}

// learn takes from a live attempt whether the target listens.
func (t *targets) learn(ep capture.Endpoint, a replay.Attempt) {
	if a.Outcome.Failure == replay.Canceled {
		return
	}
	t.mu.Lock()
	is := t.known[ep.Name]
	listening := a.Outcome.Failure != replay.Refused && a.Outcome.Failure != replay.DNS && a.Outcome.Failure != replay.Blocked
	if is.Target != ep.Target || is.Listening != listening {
		is = view.TargetStatus{Endpoint: ep.Name, Target: ep.Target, Listening: listening, Since: t.now(), Failures: is.Failures}
	}
	is.Failures++
	if a.Outcome.OK() {
		is.Failures = 0
	}
	t.known[ep.Name] = is
	t.mu.Unlock()
	t.wake()
	t.changed()
}

// wake has the targets looked at now.
func (t *targets) wake() {
	select {
	case t.kick <- struct{}{}:
	default:
	}
}

// snapshot returns the status of every endpoint that has a target.
func (t *targets) snapshot() []view.TargetStatus {
	var out []view.TargetStatus
	for _, ep := range t.endpoints() {
		if ep.Target == "" {
			continue
		}
		t.mu.Lock()
		st, ok := t.known[ep.Name]
		t.mu.Unlock()
		if !ok || st.Target != ep.Target {
			st = view.TargetStatus{Endpoint: ep.Name, Target: ep.Target}
		}
		out = append(out, st)
	}
	return out
}
