package forward

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func TestSenderHearsTheHandler(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, shop)
		head := []byte("HTTP/1.1 202 OK\r\nX-Own: 1\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n")
		w.handle = func(r *capture.Request, try int) replay.Outcome {
			switch r.ID {
			case "big":
				return replay.Outcome{Status: 200, Head: head, Body: []byte("hal"), BodySize: 6}
			case "mute":
				return replay.Outcome{Failure: replay.Timeout}
			case "slow":
				time.Sleep(time.Minute)
			case "fails":
				return replay.Outcome{Status: []int{500, 200}[try-1]}
			}
			return replay.Outcome{Status: 202, Head: head, Body: []byte("whole"), BodySize: 5}
		}
		f := w.forwarder()
		stop := w.run(f)
		ask := func(id string) (capture.Answer, bool, error) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			wait := f.Await(capture.ID(id))
			w.arrive("shop", id)
			a, ok := wait(ctx)
			return a, ok, ctx.Err()
		}
		a, ok, _ := ask("good")
		require.True(t, ok)
		require.Equal(t, capture.Answer{Status: 202, Fields: []capture.Field{{Name: "X-Own", Value: "1"}, {Name: "Content-Type", Value: "text/plain"}}, Body: []byte("whole")}, a)
		a, ok, _ = ask("big")
		require.True(t, ok)
		require.Equal(t, capture.Answer{Status: 200, Fields: []capture.Field{{Name: "X-Own", Value: "1"}}}, a)
		a, _, _ = ask("fails")
		require.Equal(t, 500, a.Status)
		_, ok, err := ask("mute")
		require.False(t, ok)
		require.NoError(t, err, "it is told at once that there is no answer")
		_, ok, err = ask("slow")
		require.False(t, ok)
		require.Error(t, err)
		pass(time.Hour)

		wait := f.Await("kept")
		w.mu.Lock()
		w.log = append(w.log, &capture.Request{Seq: capture.Seq(len(w.log) + 1), ID: "kept", Kind: capture.Handshake, Endpoint: "shop"})
		w.mu.Unlock()
		w.arrive("shop")
		a, ok = wait(t.Context())
		require.True(t, ok)
		require.Equal(t, 200, a.Status)
		require.Empty(t, f.waits)
		stop()
	})
}

func TestBackoffDoublesAndEnds(t *testing.T) {
	t.Parallel()
	var got []time.Duration
	plain := Exponential(nil)
	for n := 1; ; n++ {
		d, ok := plain(n)
		if !ok {
			break
		}
		got = append(got, d/time.Second)
	}
	require.Equal(t, []time.Duration{2, 4, 8, 16, 32, 64, 128, 256}, got)
	for r, want := range map[float64]time.Duration{0: 1500 * time.Millisecond, 0.5: 2 * time.Second, 1: 2500 * time.Millisecond} {
		d, ok := Exponential(func() float64 { return r })(1)
		require.True(t, ok)
		require.Equal(t, want, d)
	}
}
