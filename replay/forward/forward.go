// Package forward delivers live traffic: it follows the log, and tries each
// request until the handler takes it or patience ends.
//
// Each endpoint has a lane of its own, and no lane waits for another. In a
// lane requests go in the order of their arrival, one at a time unless the
// endpoint says otherwise. One that fails goes to its retry schedule and does
// not hold up those behind it, unless the endpoint wants strict order.
//
// While nobody listens at the target, a request that arrives gets one attempt,
// which shows, and then waits without using up retries. A look once a second,
// and only while something waits, finds the handler back; then all go in the
// order of their arrival.
//
// What is to be done is in the [Queue] and survives a restart; lanes hold no
// bodies. A crash between an attempt and its note can send a request again.
package forward

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A Queue keeps what is to be forwarded.
type Queue interface {
	// Cursor is the last request that was enqueued.
	Cursor(ctx context.Context) (capture.Seq, error)

	// Enqueue notes new requests, ascending, and moves the cursor to the last
	// of them, in one commit.
	Enqueue(ctx context.Context, all ...replay.Standing) error

	// Stand notes how a request stands now.
	Stand(ctx context.Context, s replay.Standing) error

	// Outstanding returns what is Queued or Retrying, in the order of arrival.
	Outstanding(ctx context.Context) ([]replay.Standing, error)
}

// A Forwarder forwards. Its methods may be called from any goroutine, before
// Run and after it too.
type Forwarder struct {
	// Follow yields the requests after seq, then waits for more until ctx ends.
	Follow func(ctx context.Context, seq capture.Seq) iter.Seq2[*capture.Request, error]

	// Newest is the last request that Follow can yield without waiting; those
	// up to it are enqueued together. nil enqueues one by one.
	Newest func() capture.Seq

	// Request loads a request; nil without an error means that it is gone.
	Request func(ctx context.Context, id capture.ID) (*capture.Request, error)

	Queue Queue

	// Endpoint returns an endpoint as it is now; false if it was removed.
	Endpoint func(name string) (capture.Endpoint, bool)

	// Deliver makes one attempt and records it. An error means that AnyHook
	// could not do its work.
	Deliver func(ctx context.Context, r *capture.Request, ep capture.Endpoint) (replay.Attempt, error)

	// Listening reports whether somebody takes connections at ep's target.
	Listening func(ctx context.Context, ep capture.Endpoint) bool

	// Backoff is how long to wait after the nth failure of a request; ok is
	// false to give it up. nil is Exponential(Random).
	Backoff func(n int) (wait time.Duration, ok bool)

	// Random returns numbers from 0 to 1, for jitter; nil does without.
	Random func() float64

	Now func() time.Time

	// Probe is the time between looks at a handler that does not listen; 0 means a second.
	Probe time.Duration

	mu      sync.Mutex
	lanes   map[string]*lane // while Run runs
	paused  bool
	waits   map[capture.ID]chan<- heard     // of Await
	start   func(*lane)                     // while Run runs
	backoff func(int) (time.Duration, bool) // while Run runs
}

// Run forwards until ctx ends, and then returns nil, after all attempts under
// way have ended. An error means that AnyHook could not do its work; Run can
// be called again, and goes on where it was.
func (f *Forwarder) Run(ctx context.Context) error {
	outside := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	var wg sync.WaitGroup
	f.begin(func(l *lane) {
		wg.Go(func() {
			if err := l.run(ctx); err != nil {
				cancel(err)
			}
		})
	})
	err := f.follow(ctx)
	switch {
	case outside.Err() != nil:
		err = nil
	case ctx.Err() != nil:
		err = context.Cause(ctx) // that of a lane
	}
	cancel(err)
	wg.Wait()
	f.end()
	return err
}

func (f *Forwarder) begin(start func(*lane)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lanes, f.start = map[string]*lane{}, start
	f.backoff = f.Backoff
	if f.backoff == nil {
		f.backoff = Exponential(f.Random)
	}
}

func (f *Forwarder) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lanes, f.start = nil, nil
}

// follow fills the lanes: with what an earlier run left, then with what arrives.
func (f *Forwarder) follow(ctx context.Context) error {
	seq, err := f.Queue.Cursor(ctx)
	if err != nil {
		return fmt.Errorf("read the queue: %w", err)
	}
	left, err := f.Queue.Outstanding(ctx)
	if err != nil {
		return fmt.Errorf("read the queue: %w", err)
	}
	if err := f.resume(ctx, left); err != nil {
		return err
	}
	var batch []replay.Standing
	for r, err := range f.Follow(ctx, seq) {
		if err != nil {
			return fmt.Errorf("follow the log: %w", err)
		}
		batch = append(batch, f.place(r))
		if len(batch) < maxBatch && f.Newest != nil && r.Seq < f.Newest() {
			continue
		}
		if err := f.admit(ctx, batch); err != nil {
			return err
		}
		batch = batch[:0]
	}
	return ctx.Err()
}

// maxBatch is how many requests are enqueued together at most.
const maxBatch = 256

// resume hands out what an earlier run left.
func (f *Forwarder) resume(ctx context.Context, left []replay.Standing) error {
	lanes := map[string][]item{}
	for _, s := range left {
		if taken(s) {
			s.Progress, s.Due = replay.Delivered, time.Time{}
			if err := f.stand(ctx, s); err != nil {
				return err
			}
			continue
		}
		it := item{seq: s.Seq, id: s.Request, tries: s.Tries, met: s.Attempts > s.Replays}
		if s.Progress == replay.Retrying {
			it.due, it.met = s.Due, true
		}
		lanes[s.Endpoint] = append(lanes[s.Endpoint], it)
	}
	for name, items := range lanes {
		f.lane(name).add(items...)
	}
	return nil
}

// taken reports whether the handler took a live attempt whose success could
// not be noted any more.
func taken(s replay.Standing) bool {
	return s.Attempts > 0 && s.Replays == 0 && s.Status >= 200 && s.Status < 300
}

// place says how a request that has arrived stands at first.
func (f *Forwarder) place(r *capture.Request) replay.Standing {
	s := replay.Standing{Seq: r.Seq, Request: r.ID, Endpoint: r.Endpoint, Progress: replay.Queued}
	if ep, ok := f.Endpoint(r.Endpoint); !ok || !forwards(r, ep) {
		s.Progress = replay.Kept
	}
	return s
}

// admit enqueues requests that have arrived.
func (f *Forwarder) admit(ctx context.Context, batch []replay.Standing) error {
	if err := f.Queue.Enqueue(ctx, batch...); err != nil {
		return fmt.Errorf("enqueue %s and what came with it: %w", batch[0].Request, err)
	}
	for _, s := range batch {
		if s.Progress == replay.Kept {
			f.tell(s.Request, heard{capture.Answer{Status: 200}, true})
			continue
		}
		f.lane(s.Endpoint).add(item{seq: s.Seq, id: s.Request})
	}
	return nil
}

// forwards reports whether r is to be forwarded.
func forwards(r *capture.Request, ep capture.Endpoint) bool {
	refused := r.Signature.Status.Refused() && len(ep.Secrets) > 0
	return r.Kind == capture.Delivery && ep.Target != "" && (!refused || ep.ForwardRefused)
}

func (f *Forwarder) stand(ctx context.Context, s replay.Standing) error {
	if err := f.Queue.Stand(ctx, s); err != nil {
		return fmt.Errorf("note how %s stands: %w", s.Request, err)
	}
	return nil
}

// lane returns the endpoint's, and starts it if there is none.
func (f *Forwarder) lane(name string) *lane {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, ok := f.lanes[name]
	if !ok {
		l = newLane(f, name)
		f.lanes[name] = l
		f.start(l)
	}
	return l
}

// Pause holds all lanes, or lets them go. Attempts under way end as they would.
func (f *Forwarder) Pause(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.paused = on
	for _, l := range f.lanes {
		l.wake()
	}
}

// Kick tries what waits now: retries that are not due, and what waits for a
// handler. Call it, too, when an endpoint was changed.
func (f *Forwarder) Kick() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.lanes {
		l.kick()
	}
}

func (f *Forwarder) isPaused() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.paused
}

func (f *Forwarder) probeEvery() time.Duration {
	if f.Probe > 0 {
		return f.Probe
	}
	return time.Second
}
