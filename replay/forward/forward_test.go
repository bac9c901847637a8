package forward

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

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
		require.Equal(t, w.start.Add(2*time.Second), w.standingOf(1).Due)
		pass(time.Minute)
		require.Equal(t, "a@0 b@0 c@0 a@2 a@6 a@14", w.attempts())
		require.Equal(t, "delivered delivered delivered", w.stands())
		require.Equal(t, 3, w.standingOf(1).Tries)
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
		require.Equal(t, []string{"e@60"}, w.last(1), "f must not get ahead of e")
		w.setUp(true)
		pass(time.Minute)
		require.Equal(t, []string{"e@60", "e@61", "f@61"}, w.last(3))
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
		require.Zero(t, w.standingOf(1).Tries, "refusals use up no retries")
		w.setUp(true)
		w.arrive("shop", "d") // before the next look: it must not get ahead
		pass(2 * time.Second)
		require.Equal(t, "a@0 b@0 c@0 a@3600 b@3600 c@3600 d@3600", w.attempts())
		require.Equal(t, "delivered delivered delivered delivered", w.stands())
		stop()
	})
}

func TestIdleForwarderSetsNoClock(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		stop := w.run(w.forwarder())
		w.arrive("shop", "a")
		pass(time.Hour)
		require.Zero(t, w.looked())
		w.setUp(false)
		w.arrive("shop", "b")
		pass(10*time.Second + time.Millisecond)
		require.Equal(t, 10, w.looked(), "one a second while it waits")
		w.setUp(true)
		pass(time.Hour)
		require.Equal(t, 11, w.looked())
		stop()
	})
}

func TestDeliverPendingTriesAtOnce(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		w.handle = func(r *capture.Request, try int) replay.Outcome {
			return replay.Outcome{Status: []int{500, 200}[min(try-1, 1)]}
		}
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
		w.mu.Lock()
		for _, s := range w.standing {
			count[s.Endpoint+" "+string(s.Progress)]++
		}
		w.mu.Unlock()
		require.Equal(t, map[string]int{"stripe delivered": 10, "github queued": 10, "twilio queued": 10}, count)
		pass(time.Hour)
		require.Equal(t, []string{"twilio9@540"}, w.last(1))
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
