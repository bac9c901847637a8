package forward

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A world is a log, a queue and handlers, all in memory, and a clock that
// synctest makes up. It outlives a Forwarder as the database does.
type world struct {
	t     *testing.T
	start time.Time

	mu       sync.Mutex
	log      []*capture.Request
	bell     chan struct{}
	standing map[capture.Seq]replay.Standing
	cursor   capture.Seq
	eps      map[string]capture.Endpoint
	handle   func(r *capture.Request, try int) replay.Outcome // called without the lock
	tries    map[capture.ID]int
	seen     []string // "id@seconds" of every attempt at its start
	flying   int
	most     int // attempts under way at once
	looks    int // of Listening
	up       bool
	fail     error // of the queue
}

func newWorld(t *testing.T, eps ...capture.Endpoint) *world {
	t.Helper()
	w := &world{
		t: t, start: time.Now(), bell: make(chan struct{}), standing: map[capture.Seq]replay.Standing{},
		eps: map[string]capture.Endpoint{}, tries: map[capture.ID]int{}, up: true,
	}
	w.handle = func(*capture.Request, int) replay.Outcome { return replay.Outcome{Status: 200} }
	for _, ep := range eps {
		w.eps[ep.Name] = ep
	}
	return w
}

var shop = capture.Endpoint{Name: "shop", Target: "http://localhost:3000"}

// arrive puts requests "name" or "name/object" into the log.
func (w *world) arrive(ep string, names ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range names {
		id, object, _ := strings.Cut(n, "/")
		r := &capture.Request{Seq: capture.Seq(len(w.log) + 1), ID: capture.ID(id), Kind: capture.Delivery, Endpoint: ep}
		if object != "" {
			r.Events = []capture.Event{{Object: object}}
		}
		w.log = append(w.log, r)
	}
	close(w.bell)
	w.bell = make(chan struct{})
}

func (w *world) follow(ctx context.Context, seq capture.Seq) iter.Seq2[*capture.Request, error] {
	return func(yield func(*capture.Request, error) bool) {
		for ctx.Err() == nil {
			w.mu.Lock()
			more := w.bell
			rest := slices.Clone(w.log[seq:])
			w.mu.Unlock()
			for _, r := range rest {
				seq = r.Seq
				if !yield(r, nil) {
					return
				}
			}
			select {
			case <-more:
			case <-ctx.Done():
			}
		}
	}
}

func (w *world) request(_ context.Context, id capture.ID) (*capture.Request, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.log {
		if r.ID == id {
			return r, nil
		}
	}
	return nil, nil
}

func (w *world) endpoint(name string) (capture.Endpoint, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ep, ok := w.eps[name]
	return ep, ok
}

func (w *world) deliver(ctx context.Context, r *capture.Request, ep capture.Endpoint) (replay.Attempt, error) {
	w.mu.Lock()
	w.tries[r.ID]++
	try := w.tries[r.ID]
	w.seen = append(w.seen, fmt.Sprintf("%s@%d", r.ID, int(time.Since(w.start).Seconds())))
	w.flying++
	w.most = max(w.most, w.flying)
	up := w.up
	w.mu.Unlock()
	out := replay.Outcome{Failure: replay.Refused}
	if up {
		out = w.handle(r, try)
	}
	if ctx.Err() != nil {
		out = replay.Outcome{Failure: replay.Canceled}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flying--
	s := w.standing[r.Seq]
	s.Attempts++
	s.Status, s.Failure = out.Status, out.Failure
	w.standing[r.Seq] = s
	return replay.Attempt{Request: r.ID, N: try, Target: ep.Target, Outcome: out}, nil
}

func (w *world) listening(context.Context, capture.Endpoint) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looks++
	return w.up
}

func (w *world) setUp(up bool) { w.mu.Lock(); w.up = up; w.mu.Unlock() }

func (w *world) setEndpoint(ep capture.Endpoint) { w.mu.Lock(); w.eps[ep.Name] = ep; w.mu.Unlock() }

func (w *world) Cursor(context.Context) (capture.Seq, error) { return w.cursor, nil }

func (w *world) Enqueue(ctx context.Context, all ...replay.Standing) error {
	for _, s := range all {
		if err := w.Stand(ctx, s); err != nil {
			return err
		}
		w.mu.Lock()
		require.Equal(w.t, w.cursor+1, s.Seq, "the cursor leaves nothing out")
		w.cursor = s.Seq
		w.mu.Unlock()
	}
	return nil
}

func (w *world) Stand(ctx context.Context, s replay.Standing) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	have := w.standing[s.Seq]
	have.Seq, have.Request, have.Endpoint, have.Progress, have.Tries, have.Due = s.Seq, s.Request, s.Endpoint, s.Progress, s.Tries, s.Due
	w.standing[s.Seq] = have
	return errors.Join(w.fail, ctx.Err())
}

func (w *world) Outstanding(context.Context) ([]replay.Standing, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []replay.Standing
	for _, seq := range slices.Sorted(maps.Keys(w.standing)) {
		if p := w.standing[seq].Progress; p == replay.Queued || p == replay.Retrying {
			out = append(out, w.standing[seq])
		}
	}
	return out, nil
}

func (w *world) newest() capture.Seq {
	w.mu.Lock()
	defer w.mu.Unlock()
	return capture.Seq(len(w.log))
}

func (w *world) forwarder() *Forwarder {
	return &Forwarder{
		Follow: w.follow, Newest: w.newest, Request: w.request, Queue: w, Endpoint: w.endpoint, Deliver: w.deliver, Listening: w.listening, Now: time.Now,
	}
}

// run runs f until stop is called, which waits for its end.
func (w *world) run(f *Forwarder) (stop func()) {
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan error)
	go func() { done <- f.Run(ctx) }()
	return func() {
		w.t.Helper()
		cancel()
		require.NoError(w.t, <-done)
	}
}

// attempts are those so far, as "a@0 b@0 a@2": the name and the second.
func (w *world) attempts() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.seen, " ")
}

// stands spells the standings: "delivered queued".
func (w *world) stands() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, seq := range slices.Sorted(maps.Keys(w.standing)) {
		out = append(out, string(w.standing[seq].Progress))
	}
	return strings.Join(out, " ")
}

// standingOf is how the request at seq stands.
func (w *world) standingOf(seq capture.Seq) replay.Standing {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.standing[seq]
}

// looked is how often somebody looked whether the handler listens.
func (w *world) looked() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.looks
}

// last are the last n attempts.
func (w *world) last(n int) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.seen[len(w.seen)-n:])
}

// pass lets made-up time go by, and all that happens in it happen.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// story runs test in made-up time.
func story(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}
