package forward

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func TestOnlyWhatIsMeantForTheHandlerIsForwarded(t *testing.T) {
	story(t, func(t *testing.T) {
		signed := capture.Endpoint{Name: "signed", Target: "http://localhost:1", Secrets: []capture.Secret{"s"}}
		lax := signed
		lax.Name, lax.ForwardRefused = "lax", true
		w := newWorld(t, shop, signed, lax, capture.Endpoint{Name: "nowhere"})
		for _, c := range []struct {
			id, ep string
			kind   capture.Kind
			status capture.Status
		}{
			{"handshake", "shop", capture.Handshake, ""},
			{"other", "shop", capture.Other, ""},
			{"stray", "", capture.Stray, ""},
			{"oversize", "shop", capture.Oversize, ""},
			{"incomplete", "shop", capture.Incomplete, ""},
			{"forged", "signed", capture.Delivery, capture.Invalid},
			{"missing", "signed", capture.Delivery, capture.Missing},
			{"nowhere", "nowhere", capture.Delivery, ""},
			{"removed", "gone", capture.Delivery, ""},
			{"yes1", "signed", capture.Delivery, capture.Valid},
			{"yes2", "lax", capture.Delivery, capture.Invalid},
			{"yes3", "shop", capture.Delivery, capture.Missing},
			{"yes4", "signed", capture.Delivery, capture.Authenticated},
		} {
			w.arrive(c.ep, c.id)
			w.log[len(w.log)-1].Kind, w.log[len(w.log)-1].Signature.Status = c.kind, c.status
		}
		stop := w.run(w.forwarder())
		pass(time.Second)
		stop()
		got := strings.Fields(w.attempts())
		slices.Sort(got)
		require.Equal(t, []string{"yes1@0", "yes2@0", "yes3@0", "yes4@0"}, got)
		require.Equal(t, strings.Repeat("kept ", 9)+"delivered delivered delivered delivered", w.stands())
	})
}

func TestForwardingGoesOnAfterARestart(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		w.handle = func(r *capture.Request, try int) replay.Outcome {
			if r.ID == "a" && try == 1 {
				return replay.Outcome{Status: 500}
			}
			time.Sleep(time.Second)
			return replay.Outcome{Status: 200}
		}
		f := w.forwarder()
		f.Backoff = func(int) (time.Duration, bool) { return 10 * time.Second, true }
		stop := w.run(f)
		w.arrive("shop", "a", "b", "c", "d")
		pass(1500 * time.Millisecond) // a is due again, b is done, c is under way
		stop()
		require.Equal(t, "retrying delivered queued queued", w.stands())
		require.Equal(t, 0, w.flying, "Run waits for what is under way")
		w.arrive("shop", "e")
		pass(time.Second)
		stop = w.run(f)
		pass(time.Minute)
		stop()
		require.Equal(t, "a@0 b@0 c@1 c@3 d@4 e@5 a@10", w.attempts())
		require.Equal(t, "delivered delivered delivered delivered delivered", w.stands())
		require.Equal(t, 1, w.standing[1].Tries)
	})
}

// AnyHook ended after the handler had taken a request, and before that could be noted.
func TestWhatTheHandlerTookIsNotSentAgainAfterACrash(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		w.arrive("shop", "taken", "lost", "replayed")
		w.cursor = 3
		w.standing[1] = replay.Standing{Seq: 1, Request: "taken", Endpoint: "shop", Progress: replay.Queued, Attempts: 1, Status: 200}
		w.standing[2] = replay.Standing{Seq: 2, Request: "lost", Endpoint: "shop", Progress: replay.Queued, Attempts: 1, Failure: replay.Lost}
		w.standing[3] = replay.Standing{Seq: 3, Request: "replayed", Endpoint: "shop", Progress: replay.Queued, Attempts: 1, Replays: 1, Status: 200}
		stop := w.run(w.forwarder())
		pass(time.Second)
		stop()
		require.Equal(t, "lost@0 replayed@0", w.attempts())
		require.Equal(t, "delivered delivered delivered", w.stands())
	})
}

func TestRemovedEndpointKeepsItsRequests(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		w.setUp(false)
		f := w.forwarder()
		stop := w.run(f)
		w.arrive("shop", "a", "b")
		pass(time.Second)
		w.mu.Lock()
		delete(w.eps, "shop")
		w.mu.Unlock()
		f.Kick()
		pass(time.Second)
		stop()
		require.Equal(t, "kept kept", w.stands())
	})
}

func TestChangedTargetIsUsedFromThenOn(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		f := w.forwarder()
		f.Listening = func(_ context.Context, ep capture.Endpoint) bool { return ep.Target != shop.Target }
		f.Deliver = func(ctx context.Context, r *capture.Request, ep capture.Endpoint) (replay.Attempt, error) {
			a, err := w.deliver(ctx, r, ep)
			if ep.Target == shop.Target {
				a.Outcome = replay.Outcome{Failure: replay.Refused}
			}
			return a, err
		}
		stop := w.run(f)
		w.arrive("shop", "a", "b")
		pass(10 * time.Second)
		require.Equal(t, "queued queued", w.stands())
		w.setEndpoint(capture.Endpoint{Name: "shop", Target: "http://localhost:4000"})
		pass(2 * time.Second)
		stop()
		require.Equal(t, "a@0 b@0 a@11 b@11", w.attempts())
	})
}

func TestUnconfirmedTargetWaitsForItsConfirmation(t *testing.T) {
	story(t, func(t *testing.T) {
		away := capture.Endpoint{Name: "shop", Target: "http://192.0.2.10"}
		w := newWorld(t, away)
		f := w.forwarder()
		f.Deliver = func(ctx context.Context, r *capture.Request, ep capture.Endpoint) (replay.Attempt, error) {
			a, err := w.deliver(ctx, r, ep)
			if !ep.AwayOK {
				a.Outcome = replay.Outcome{Failure: replay.Blocked, Detail: "192.0.2.10 " + replay.SaysUnconfirmed}
			}
			return a, err
		}
		stop := w.run(f)
		w.arrive("shop", "a", "b")
		pass(time.Hour)
		require.Equal(t, "a@0 b@0", w.attempts())
		require.Zero(t, w.looked())
		away.AwayOK = true
		w.setEndpoint(away)
		f.Kick()
		pass(time.Second)
		stop()
		require.Equal(t, "a@0 b@0 a@3600 b@3600", w.attempts())
	})
}

func TestRequestThatCanNeverBeSentIsGivenUpAndHoldsUpNobody(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		w.handle = func(r *capture.Request, _ int) replay.Outcome {
			if r.ID == "a" {
				return replay.Outcome{Failure: replay.Blocked, Detail: "not sent: it is not readable as an HTTP request"}
			}
			return replay.Outcome{Status: 200}
		}
		stop := w.run(w.forwarder())
		w.arrive("shop", "a", "b")
		pass(time.Hour)
		stop()
		require.Equal(t, "gave-up delivered", w.stands())
	})
}

func TestRequestThatIsGoneIsPassedOver(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		f := w.forwarder()
		f.Request = func(ctx context.Context, id capture.ID) (*capture.Request, error) {
			if id == "a" {
				return nil, nil
			}
			return w.request(ctx, id)
		}
		stop := w.run(f)
		w.arrive("shop", "a", "b")
		pass(time.Second)
		stop()
		require.Equal(t, "b@0", w.attempts())
		require.Equal(t, "kept delivered", w.stands())
	})
}

func TestTroubleOfAnyHookItselfEndsRunAndLosesNothing(t *testing.T) {
	story(t, func(t *testing.T) {
		full := errors.New("disk full")
		w := newWorld(t, shop, capture.Endpoint{Name: "slow", Target: "http://localhost:1"})
		w.handle = func(r *capture.Request, _ int) replay.Outcome {
			if r.Endpoint == "slow" {
				time.Sleep(time.Minute)
			}
			return replay.Outcome{Status: 200}
		}
		f := w.forwarder()
		var broken atomic.Bool
		f.Deliver = func(ctx context.Context, r *capture.Request, ep capture.Endpoint) (replay.Attempt, error) {
			if r.ID == "b" && broken.CompareAndSwap(false, true) {
				return replay.Attempt{}, full
			}
			return w.deliver(ctx, r, ep)
		}
		w.arrive("slow", "s")
		w.arrive("shop", "a", "b", "c")
		require.ErrorIs(t, f.Run(t.Context()), full)
		require.Zero(t, w.flying)
		stop := w.run(f)
		pass(time.Hour)
		stop()
		require.Equal(t, "delivered delivered delivered delivered", w.stands())
	})
}
