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
	alerts   []string
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

func (w *world) Enqueue(ctx context.Context, s replay.Standing) error {
	if err := w.Stand(ctx, s); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	require.Equal(w.t, w.cursor+1, s.Seq, "the cursor moves one by one")
	w.cursor = s.Seq
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

func (w *world) forwarder() *Forwarder {
	return &Forwarder{
		Follow: w.follow, Request: w.request, Queue: w, Endpoint: w.endpoint, Deliver: w.deliver, Listening: w.listening, Now: time.Now,
		Alert: func(a Alert) {
			w.mu.Lock()
			defer w.mu.Unlock()
			text := fmt.Sprintf("%s %d", a.Endpoint, a.Failures)
			if a.Back {
				text = fmt.Sprintf("%s back after %d", a.Endpoint, a.Failures)
			}
			w.alerts = append(w.alerts, text)
		},
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

func TestRequestsGoInOrderOneAtATime(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		w.handle = func(r *capture.Request, _ int) replay.Outcome {
			time.Sleep(time.Duration(r.Seq*37%100) * time.Millisecond)
			return replay.Outcome{Status: 200}
		}
		stop := w.run(w.forwarder())
		var want []string
		for i := range 50 {
			w.arrive("shop", fmt.Sprint(i))
			want = append(want, fmt.Sprint(i))
			pass(5 * time.Millisecond)
		}
		pass(10 * time.Second)
		stop()
		var got []string
		for a := range strings.FieldsSeq(w.attempts()) {
			id, _, _ := strings.Cut(a, "@")
			got = append(got, id)
		}
		require.Equal(t, want, got)
		require.Equal(t, 1, w.most)
	})
}

func TestFailureIsTriedAgainAndHoldsUpNobody(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		w.handle = func(r *capture.Request, try int) replay.Outcome {
			if r.ID == "a" && try < 4 {
				return replay.Outcome{Status: 500}
			}
			return replay.Outcome{Status: 200}
		}
		stop := w.run(w.forwarder())
		w.arrive("shop", "a", "b", "c")
		pass(time.Second)
		require.Equal(t, "a@0 b@0 c@0", w.attempts())
		require.Equal(t, "retrying delivered delivered", w.stands())
		require.Equal(t, w.start.Add(2*time.Second), w.standing[1].Due)
		pass(time.Minute)
		require.Equal(t, "a@0 b@0 c@0 a@2 a@6 a@14", w.attempts())
		require.Equal(t, "delivered delivered delivered", w.stands())
		require.Equal(t, 3, w.standing[1].Tries)
		stop()
	})
}

func TestPatienceEnds(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		w.handle = func(*capture.Request, int) replay.Outcome { return replay.Outcome{Failure: replay.Timeout} }
		stop := w.run(w.forwarder())
		w.arrive("shop", "a")
		pass(24 * time.Hour)
		stop()
		require.Equal(t, 1+Retries, w.tries["a"])
		require.Equal(t, "gave-up", w.stands())
		require.Equal(t, []string{"shop 1", "shop 5"}, w.alerts)
	})
}

func TestStrictOrderWaitsForWhatFails(t *testing.T) {
	story(t, func(t *testing.T) {
		strict := shop
		strict.Strict, strict.Parallel = true, 8
		w := newWorld(t, strict)
		w.handle = func(r *capture.Request, try int) replay.Outcome {
			if r.ID == "b" && try < 3 {
				return replay.Outcome{Status: 500}
			}
			return replay.Outcome{Status: 200}
		}
		stop := w.run(w.forwarder())
		w.arrive("shop", "a", "b", "c", "d")
		pass(time.Minute)
		require.Equal(t, "a@0 b@0 b@2 b@6 c@6 d@6", w.attempts())

		w.setUp(false)
		w.arrive("shop", "e", "f")
		pass(time.Second / 2)
		require.Equal(t, "e@60", w.seen[len(w.seen)-1], "f must not get ahead of e")
		w.setUp(true)
		pass(time.Minute)
		require.Equal(t, []string{"e@60", "e@61", "f@61"}, w.seen[len(w.seen)-3:])
		stop()
	})
}

// The handler is not running; three requests come; it starts.
func TestWhatWaitsForTheHandlerGoesByItselfAndInOrder(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		w.setUp(false)
		stop := w.run(w.forwarder())
		w.arrive("shop", "a", "b", "c")
		pass(500 * time.Millisecond)
		require.Equal(t, "a@0 b@0 c@0", w.attempts(), "each shows one attempt")
		pass(time.Hour)
		require.Equal(t, "a@0 b@0 c@0", w.attempts(), "and no more")
		require.Equal(t, "queued queued queued", w.stands())
		require.Zero(t, w.standing[1].Tries, "refusals use up no retries")
		w.setUp(true)
		w.arrive("shop", "d") // before the next look: it must not get ahead
		pass(2 * time.Second)
		require.Equal(t, "a@0 b@0 c@0 a@3600 b@3600 c@3600 d@3600", w.attempts())
		require.Equal(t, "delivered delivered delivered delivered", w.stands())
		require.Equal(t, []string{"shop 1", "shop back after 3"}, w.alerts)
		stop()
	})
}

func TestIdleForwarderSetsNoClock(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		stop := w.run(w.forwarder())
		w.arrive("shop", "a")
		pass(time.Hour)
		require.Zero(t, w.looks)
		w.setUp(false)
		w.arrive("shop", "b")
		pass(10*time.Second + time.Millisecond)
		require.Equal(t, 10, w.looks, "one a second while it waits")
		w.setUp(true)
		pass(time.Hour)
		require.Equal(t, 11, w.looks)
		stop()
	})
}

func TestDeliverPendingTriesAtOnce(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		w.handle = func(r *capture.Request, try int) replay.Outcome { return replay.Outcome{Status: []int{500, 200}[min(try-1, 1)]} }
		f := w.forwarder()
		f.Backoff = func(int) (time.Duration, bool) { return time.Hour, true }
		f.Probe = time.Hour
		stop := w.run(f)
		w.arrive("shop", "a", "b")
		pass(time.Second)
		f.Kick()
		pass(time.Second)
		require.Equal(t, "a@0 b@0 a@1 b@1", w.attempts())
		w.setUp(false)
		w.arrive("shop", "c", "d")
		pass(time.Second)
		f.Kick() // still down: one try shows it
		pass(time.Second)
		require.Equal(t, "a@0 b@0 a@1 b@1 c@2 d@2 c@3", w.attempts())
		stop()
	})
}

func TestPauseHoldsAndLetsGo(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		f := w.forwarder()
		f.Pause(true)
		stop := w.run(f)
		w.arrive("shop", "a", "b")
		pass(time.Hour)
		require.Empty(t, w.attempts())
		require.Equal(t, "queued queued", w.stands())
		f.Pause(false)
		pass(time.Second)
		require.Equal(t, "a@3600 b@3600", w.attempts())
		stop()
	})
}

func TestLanesDoNotWaitForEachOther(t *testing.T) {
	story(t, func(t *testing.T) {
		eps := []capture.Endpoint{
			{Name: "stripe", Target: "http://localhost:1/a"}, {Name: "github", Target: "http://localhost:2/b"}, {Name: "twilio", Target: "http://localhost:3/c"},
		}
		w := newWorld(t, eps...)
		w.handle = func(r *capture.Request, _ int) replay.Outcome {
			switch r.Endpoint {
			case "github":
				return replay.Outcome{Failure: replay.Refused}
			case "twilio":
				time.Sleep(time.Minute) // somebody stands at a breakpoint
			}
			return replay.Outcome{Status: 200}
		}
		f := w.forwarder()
		f.Listening = func(context.Context, capture.Endpoint) bool { return false }
		stop := w.run(f)
		for i := range 10 {
			for _, ep := range eps {
				w.arrive(ep.Name, fmt.Sprint(ep.Name, i))
			}
		}
		pass(time.Second)
		count := map[string]int{}
		for _, s := range w.standing {
			count[s.Endpoint+" "+string(s.Progress)]++
		}
		require.Equal(t, map[string]int{"stripe delivered": 10, "github queued": 10, "twilio queued": 10}, count)
		require.Equal(t, []string{"github 1", "github 5"}, w.alerts)
		pass(time.Hour)
		require.Equal(t, "twilio9@540", w.seen[len(w.seen)-1])
		stop()
	})
}

func TestParallelLanesKeepTheOrderOfAnObject(t *testing.T) {
	story(t, func(t *testing.T) {
		wide := shop
		wide.Parallel = 3
		w := newWorld(t, wide)
		w.handle = func(*capture.Request, int) replay.Outcome {
			time.Sleep(10 * time.Second)
			return replay.Outcome{Status: 200}
		}
		stop := w.run(w.forwarder())
		w.arrive("shop", "a1/a", "a2/a", "b1/b", "a3/a", "b2/b", "n1", "n2")
		pass(time.Hour)
		require.Equal(t, 3, w.most)
		got := strings.Fields(w.attempts())
		slices.Sort(got)
		require.Equal(t, []string{"a1@0", "a2@10", "a3@20", "b1@0", "b2@10", "n1@0", "n2@10"}, got)
		stop()
	})
}
