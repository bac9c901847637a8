package forward

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func TestManyMayWait(t *testing.T) {
	story(t, func(t *testing.T) {
		const many = 100_000
		w := newWorld(t, shop)
		for i := range many {
			w.standing[capture.Seq(i+1)] = replay.Standing{Seq: capture.Seq(i + 1), Request: capture.ID(fmt.Sprint(i)), Endpoint: "shop", Progress: replay.Queued, Attempts: 1}
		}
		w.cursor = many
		w.log = make([]*capture.Request, many)
		f := w.forwarder()
		f.Request = func(_ context.Context, id capture.ID) (*capture.Request, error) { return &capture.Request{ID: id}, nil }
		tries := 0
		f.Deliver = func(context.Context, *capture.Request, capture.Endpoint) (replay.Attempt, error) {
			tries++
			return replay.Attempt{Outcome: replay.Outcome{Failure: replay.Refused}}, nil
		}
		f.Listening = func(context.Context, capture.Endpoint) bool { return false }
		goroutines := runtime.NumGoroutine()
		stop := w.run(f)
		pass(time.Minute)
		require.Less(t, runtime.NumGoroutine()-goroutines, 10+50) // 50 for tests beside this one
		l := f.lane("shop")
		stop()
		require.Equal(t, 1, tries, "one shows that nobody listens")
		require.Equal(t, many, l.line.size())
	})
}

// Whatever the handler does, every request ends, none is delivered twice, and
// in a plain lane first attempts come in order.
func TestEveryRequestEndsWhateverTheHandlerDoes(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			story(t, func(t *testing.T) {
				rnd, handlers := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 2)) // the second under w.mu
				ep := shop
				ep.Parallel, ep.Strict = int(seed%4), seed%5 == 4
				w := newWorld(t, ep)
				w.handle = func(*capture.Request, int) replay.Outcome {
					w.mu.Lock()
					n, wait := handlers.IntN(10), time.Duration(handlers.IntN(300))*time.Millisecond
					w.mu.Unlock()
					time.Sleep(wait)
					switch {
					case n < 6:
						return replay.Outcome{Status: 200}
					case n < 8:
						return replay.Outcome{Status: 503}
					}
					return replay.Outcome{Failure: replay.Refused}
				}
				f := w.forwarder()
				f.Random = func() float64 { return 0.5 }
				stop := w.run(f)
				for i := range 40 {
					w.arrive("shop", fmt.Sprintf("%d/o%d", i, i%3))
					pass(time.Duration(rnd.IntN(200)) * time.Millisecond)
					switch rnd.IntN(12) {
					case 0:
						stop()
						stop = w.run(f)
					case 1:
						f.Kick()
					case 2:
						f.Pause(true)
						pass(time.Second)
						f.Pause(false)
					case 3:
						w.setUp(rnd.IntN(2) == 0)
					}
				}
				w.setUp(true)
				pass(24 * time.Hour)
				stop()
				for _, s := range w.standing {
					require.Contains(t, []replay.Progress{replay.Delivered, replay.GaveUp}, s.Progress)
					if s.Progress == replay.Delivered {
						require.Equal(t, 200, s.Status)
					}
				}
				require.Len(t, w.standing, 40)
				require.LessOrEqual(t, w.most, limit(ep))
			})
		})
	}
}
