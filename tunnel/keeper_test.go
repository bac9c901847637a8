package tunnel_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/tunnel"
)

// fake is a Backend whose Run is told what to do.
type fake struct {
	name string
	run  func(ctx context.Context, sink tunnel.Sink, report func(tunnel.State)) error
	ip   string
}

func (f *fake) Name() string { return f.name }

func (f *fake) Run(ctx context.Context, sink tunnel.Sink, report func(tunnel.State)) error {
	return f.run(ctx, sink, report)
}

func (f *fake) ClientIP(*http.Request) string { return f.ip }

// pass lets d go by, and everybody who has something to do then finish it.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

const publicURL = "https://hooks.example.com"

// up is a Run that is online until it is told to end.
func up(ctx context.Context, _ tunnel.Sink, report func(tunnel.State)) error {
	report(tunnel.State{Phase: tunnel.Online, URL: publicURL})
	<-ctx.Done()
	return ctx.Err()
}

func newKeeper() *tunnel.Keeper {
	return tunnel.NewKeeper(time.Now, func() float64 { return 0.5 }, nil)
}

func TestAnOutageIsTriedAgainMoreAndMoreRarelyUntilItIsOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.Close()
		var tries []time.Time
		outage := errors.New("lookup connect.example.com: no such host")
		k.Start(t.Context(), &fake{name: "f", run: func(ctx context.Context, s tunnel.Sink, report func(tunnel.State)) error {
			tries = append(tries, time.Now())
			report(tunnel.State{Phase: tunnel.Connecting})
			report(tunnel.State{Phase: tunnel.Connecting}) // as most do, and which is no news
			if len(tries) <= 20 {
				return outage
			}
			return up(ctx, s, report)
		}})
		synctest.Wait()
		require.Equal(t, tunnel.Connecting, k.State().Phase, "never was up")
		require.ErrorIs(t, k.State().Err, outage)

		pass(20 * time.Minute)
		require.Equal(t, tunnel.Online, k.State().Phase)
		require.NoError(t, k.State().Err)
		require.Len(t, tries, 21)
		for i := range 20 {
			gap := tries[i+1].Sub(tries[i])
			require.GreaterOrEqual(t, gap, time.Second)
			require.LessOrEqual(t, gap, time.Minute)
			if i > 0 {
				require.GreaterOrEqual(t, gap, tries[i].Sub(tries[i-1]))
			}
		}
		require.Len(t, k.History(), 3, "the same failure twenty times is one change: connecting, failing, online")
	})
}

func TestAfterLongServiceTheNextFailureIsTheFirstAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.Close()
		var began, ended []time.Time
		k.Start(t.Context(), &fake{name: "f", run: func(ctx context.Context, _ tunnel.Sink, report func(tunnel.State)) error {
			began = append(began, time.Now())
			if len(began) == 5 {
				report(tunnel.State{Phase: tunnel.Online, URL: publicURL})
				select {
				case <-time.After(2 * time.Hour):
				case <-ctx.Done():
				}
			}
			ended = append(ended, time.Now())
			return io.EOF
		}})
		pass(30 * time.Second)
		require.Equal(t, tunnel.Online, k.State().Phase)
		pass(2 * time.Hour)
		require.Greater(t, len(began), 5)
		require.Less(t, began[5].Sub(ended[4]), 2*time.Second)
		require.Equal(t, tunnel.Reconnecting, k.State().Phase)
		require.Equal(t, publicURL, k.State().URL, "the last known one")
	})
}

func TestAFatalErrorStopsUntilTheUserActs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.Close()
		refused := &tunnel.Error{Code: "ERR_NGROK_107", Msg: "invalid", Fatal: true, Advice: "token-invalid"}
		tries := 0
		b := &fake{name: "f", run: func(ctx context.Context, s tunnel.Sink, report func(tunnel.State)) error {
			if tries++; tries == 1 {
				return refused
			}
			return up(ctx, s, report)
		}}
		k.Start(t.Context(), b)
		pass(time.Hour)
		require.Equal(t, 1, tries)
		require.Equal(t, tunnel.Offline, k.State().Phase)
		require.Equal(t, "token-invalid", tunnel.Advice(k.State().Err))

		k.Restart()
		synctest.Wait()
		require.Equal(t, tunnel.Online, k.State().Phase)
		require.Equal(t, 2, tries)

		k.Stop()
		require.Equal(t, tunnel.Offline, k.State().Phase)
		require.NoError(t, k.State().Err)
		k.Restart()
		synctest.Wait()
		require.Equal(t, 2, tries, "stopped is stopped")
	})
}

func TestRetryNowDoesNotWaitForItsTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.Close()
		tries := 0
		k.Start(t.Context(), &fake{name: "f", run: func(context.Context, tunnel.Sink, func(tunnel.State)) error {
			tries++
			return io.EOF
		}})
		pass(3 * time.Minute)
		before := tries
		k.Restart()
		synctest.Wait()
		require.Equal(t, before+1, tries)
	})
}

func TestRapidPressesMakeOneTunnelAndLeaveNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // which fails if a goroutine is left
		k := newKeeper()
		var running, runs atomic.Int32
		counted := func(ctx context.Context, s tunnel.Sink, report func(tunnel.State)) error {
			runs.Add(1)
			require.EqualValues(t, 1, running.Add(1), "two tunnels at once")
			defer running.Add(-1)
			return up(ctx, s, report)
		}
		a, b := &fake{name: "a", run: counted}, &fake{name: "b", run: counted}
		k.Start(t.Context(), a)
		k.Start(t.Context(), a)
		synctest.Wait()
		k.Start(t.Context(), a)
		synctest.Wait()
		require.EqualValues(t, 1, runs.Load(), "what runs is not started again")

		for range 50 {
			k.Stop()
			k.Stop()
			require.EqualValues(t, 0, running.Load())
			k.Start(t.Context(), a)
			k.Restart()
			k.Start(t.Context(), b)
			k.Start(t.Context(), b)
			k.Restart()
			synctest.Wait()
			require.Equal(t, tunnel.Online, k.State().Phase)
			require.Equal(t, "b", k.State().Backend)
			require.EqualValues(t, 1, running.Load())
		}
		require.NoError(t, k.Close())
		require.NoError(t, k.Close())
		require.EqualValues(t, 0, running.Load())
		_, err := k.Accept()
		require.ErrorIs(t, err, net.ErrClosed)
		k.Start(t.Context(), a)
		require.Equal(t, tunnel.Offline, k.State().Phase)
	})
}

func TestABackendThatHangsIsLeftBehindAndChangesNothingMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.Close()
		letGo := make(chan struct{})
		late, mate := net.Pipe()
		defer mate.Close()
		k.Start(t.Context(), &fake{name: "hangs", run: func(_ context.Context, sink tunnel.Sink, report func(tunnel.State)) error {
			report(tunnel.State{Phase: tunnel.Online, URL: publicURL})
			<-letGo
			report(tunnel.State{Phase: tunnel.Online, URL: "https://late.example.com"})
			sink.Deliver(late)
			return nil
		}})
		synctest.Wait()
		begin := time.Now()
		k.Start(t.Context(), &fake{name: "next", run: up})
		require.Zero(t, time.Since(begin), "Start does not wait")
		require.Equal(t, tunnel.Connecting, k.State().Phase)
		pass(2 * time.Second)
		require.Equal(t, "next", k.State().Backend)
		require.Equal(t, tunnel.Online, k.State().Phase)

		close(letGo)
		synctest.Wait()
		require.Equal(t, publicURL, k.State().URL)
		_, err := mate.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF, "what it still brings is closed")
	})
}

func TestStopAndCloseAreBoundedWhateverABackendDoes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		letGo := make(chan struct{})
		defer close(letGo)
		hang := func(context.Context, tunnel.Sink, func(tunnel.State)) error { <-letGo; return nil }
		for name, end := range map[string]func(*tunnel.Keeper){
			"stop":  (*tunnel.Keeper).Stop,
			"close": func(k *tunnel.Keeper) { k.Close() },
		} {
			k := newKeeper()
			k.OnState(func(tunnel.State) { <-letGo })
			k.Start(t.Context(), &fake{name: "hangs", run: hang})
			synctest.Wait()
			begin := time.Now()
			end(k)
			require.LessOrEqual(t, time.Since(begin), 2500*time.Millisecond, name)
			require.Equal(t, tunnel.Offline, k.State().Phase)
			k.Close()
		}
	})
}

func TestTheContextOfStartEndsTheTunnel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.Close()
		ctx, cancel := context.WithCancel(t.Context())
		b := &fake{name: "f", run: up}
		k.Start(ctx, b)
		synctest.Wait()
		require.Equal(t, tunnel.Online, k.State().Phase)
		cancel()
		synctest.Wait()
		require.Equal(t, tunnel.Offline, k.State().Phase)
		k.Start(t.Context(), b)
		synctest.Wait()
		require.Equal(t, tunnel.Online, k.State().Phase, "an ended one can be started again")
	})
}
