package ngrok

import (
	"context"
	"log/slog"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// held holds one of the SDK's log calls, made between two of its locks, where a
// Close of its listener would deadlock.
type held struct {
	slog.Handler
	once *sync.Once
	hit  chan struct{}
	free chan struct{}
}

func (h *held) Enabled(context.Context, slog.Level) bool { return true }
func (h *held) WithAttrs([]slog.Attr) slog.Handler       { return h }
func (h *held) WithGroup(string) slog.Handler            { return h }

func (h *held) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "handling connection" {
		h.once.Do(func() { close(h.hit); <-h.free })
	}
	return nil
}

func TestStopIsBoundedThoughTheSDKIsStuck(t *testing.T) {
	t.Parallel()
	e := edge(t)
	h := &held{slog.DiscardHandler, new(sync.Once), make(chan struct{}), make(chan struct{})}
	defer close(h.free)
	b := backend(e)
	b.Logger = slog.New(h)
	k := keeper(t, b)
	until(t, k, online)
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		if resp, err := e.Client().Post("http://"+host, "", http.NoBody); err == nil {
			resp.Body.Close()
		}
	})
	<-h.hit
	begin := time.Now()
	k.Stop()
	require.Less(t, time.Since(begin), 3*time.Second)
	require.Eventually(t, func() bool { return !e.Online(host) }, patience, 5*time.Millisecond)
	k.Start(t.Context(), backend(e))
	until(t, k, online)
}

func TestFiftyRestartsLeaveNothingBehind(t *testing.T) { // not parallel: it counts goroutines
	e := edge(t)
	k := keeper(t, backend(e))
	until(t, k, online)
	k.Stop()
	require.Eventually(t, func() bool { return !e.Online(host) }, patience, time.Millisecond)
	before := runtime.NumGoroutine()
	b := backend(e)
	for range 50 {
		k.Start(t.Context(), b)
		k.Start(t.Context(), b)
		until(t, k, online)
		k.Stop()
		k.Stop()
		// The service needs a moment to see it, and says "in use" until then.
		require.Eventually(t, func() bool { return !e.Online(host) }, patience, time.Millisecond)
	}
	require.Equal(t, 51, e.Logins(), "never two at once, none too many")
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+3 }, patience, 10*time.Millisecond,
		"%d before", before)
}
