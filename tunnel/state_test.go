package tunnel_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/tunnel"
)

func TestASlowObserverMissesStatesButNeverTheNewest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.Close()
		var seen []tunnel.State
		stop := k.OnState(func(s tunnel.State) {
			time.Sleep(time.Second)
			seen = append(seen, s)
		})
		k.Start(t.Context(), &fake{name: "f", run: func(ctx context.Context, _ tunnel.Sink, report func(tunnel.State)) error {
			for i := range 100 {
				report(tunnel.State{Phase: tunnel.Online, URL: publicURL, Latency: time.Duration(i + 1)})
			}
			<-ctx.Done()
			return ctx.Err()
		}})
		pass(time.Minute)
		require.Less(t, len(seen), 5)
		require.Equal(t, time.Duration(100), seen[len(seen)-1].Latency)
		require.Len(t, k.History(), 2, "a latency is no change")

		stop()
		stop()
		n := len(seen)
		k.Stop()
		pass(time.Minute)
		require.Len(t, seen, n)
	})
}

func TestTheHistoryIsBoundedAndTellsWhen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.Close()
		begin := time.Now()
		k.Start(t.Context(), &fake{name: "f", run: func(ctx context.Context, _ tunnel.Sink, report func(tunnel.State)) error {
			for i := range 100 {
				time.Sleep(time.Second)
				report(tunnel.State{Phase: []tunnel.Phase{tunnel.Reconnecting, tunnel.Online}[i%2], URL: publicURL})
			}
			<-ctx.Done()
			return ctx.Err()
		}})
		pass(time.Hour)
		h := k.History()
		require.Len(t, h, 50)
		require.Equal(t, begin.Add(100*time.Second), h[49].At)
		require.Equal(t, tunnel.Online, h[49].Phase)
		require.Equal(t, h[49].At, k.State().Since)
	})
}

func TestChangedIsMissedByNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.Close()
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				for {
					more := k.Changed()
					if k.State().Phase == tunnel.Online {
						return
					}
					<-more
				}
			})
		}
		synctest.Wait()
		k.Start(t.Context(), &fake{name: "f", run: up})
		all.Wait()
	})
}
