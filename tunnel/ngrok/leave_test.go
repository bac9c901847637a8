package ngrok

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/tunnel"
	"anyhook.net/desktop/tunnel/ngrok/ngroktest"
)

func TestADeadPeerIsNoticedThoughItsConnectionStays(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, heartbeat+tolerance, 25*time.Second)
	require.Less(t, silence, time.Minute)
	e := edge(t)
	b := backend(e)
	b.silence = time.Second
	// The peer is dead from the first byte: there is no session yet, and so no heartbeat.
	e.Freeze(true)
	k := keeper(t, b)
	until(t, k, advised("silent"))
	e.Freeze(false)
	k.Start(t.Context(), backend(e))
	until(t, k, online)
}

func TestHeartbeatsNoticeADeadPeer(t *testing.T) {
	t.Parallel()
	e := edge(t)
	b := backend(e)
	b.heartbeat, b.tolerance = 100*time.Millisecond, 2*time.Second
	k := keeper(t, b)
	until(t, k, func(s tunnel.State) bool { return s.Latency > 0 })
	require.Positive(t, e.Heartbeats())
	e.Freeze(true)
	st := until(t, k, func(s tunnel.State) bool { return s.Phase == tunnel.Reconnecting })
	require.Zero(t, st.Latency)
	e.Freeze(false)
	until(t, k, online)
	post(t, e, []byte("x"))
}

func TestStopEndsTheSessionAtTheService(t *testing.T) {
	t.Parallel()
	e := edge(t)
	k := keeper(t, backend(e))
	until(t, k, online)
	begin := time.Now()
	k.Stop()
	require.Less(t, time.Since(begin), 1900*time.Millisecond)
	require.Eventually(t, func() bool { return !e.Online(host) }, patience, 5*time.Millisecond)

	e.RefuseConns(true) // and while the SDK sleeps between its tries
	k.Start(t.Context(), backend(e))
	until(t, k, func(s tunnel.State) bool { return s.Err != nil })
	k.Stop()
	require.True(t, offline(k.State()))
	e.RefuseConns(false)
	k.Start(t.Context(), backend(e))
	until(t, k, online)
	require.Equal(t, 2, e.Logins(), "nobody came back from the dead")
}

func TestARequestUnderWayEndsWithItsSession(t *testing.T) {
	t.Parallel()
	e := edge(t)
	k := tunnel.NewKeeper(time.Now, nil, nil)
	inside, gone := make(chan struct{}), make(chan error, 1)
	srv := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(inside)
		<-r.Context().Done()
		gone <- r.Context().Err()
	})}
	var served sync.WaitGroup
	served.Go(func() { _ = srv.Serve(k) })
	defer served.Wait()
	defer srv.Close()
	k.Start(t.Context(), backend(e))
	until(t, k, online)
	served.Go(func() {
		resp, err := e.Client().Post("http://"+host, "", bytes.NewReader([]byte("x")))
		if err == nil {
			resp.Body.Close()
		}
	})
	<-inside
	e.Cut()
	require.ErrorIs(t, <-gone, context.Canceled)
	until(t, k, online)
}

func TestTwoHundredRequestsAtOnceAreAllServed(t *testing.T) {
	t.Parallel()
	e := edge(t)
	k := keeper(t, backend(e))
	until(t, k, online)
	c := e.Client()
	var wg sync.WaitGroup
	bad := make(chan string, 200)
	for range 200 {
		wg.Go(func() {
			resp, err := c.Post("http://"+host+"/", "text/plain", bytes.NewReader([]byte("x")))
			if err != nil {
				bad <- err.Error()
				return
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				bad <- resp.Status
			}
		})
	}
	wg.Wait()
	close(bad)
	for b := range bad {
		t.Error(b)
	}
}

func TestAddressesAreTakenAsPeopleTypeThem(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", " ": "", "a.ngrok.app": "https://a.ngrok.app", "a.ngrok.app:443": "https://a.ngrok.app:443",
		" https://a.ngrok.app/ ": "https://a.ngrok.app", "http://a.ngrok.app": "http://a.ngrok.app",
	} {
		got, err := endpointURL(in)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	b := &Backend{Token: ngroktest.Token, URL: "tcp://1.tcp.ngrok.io:1"}
	err := b.Run(t.Context(), nil, nil)
	require.Equal(t, "url-invalid", tunnel.Advice(err))
	require.Equal(t, "::1", serverName("[::1]:443"))
	require.Equal(t, "connect.example.com", serverName("connect.example.com:443"))
}

var _ tunnel.Sink = (*blocked)(nil)

// blocked is a Sink that takes nothing until it is let go.
type blocked struct{ free chan struct{} }

func (s *blocked) Deliver(c net.Conn) { <-s.free; c.Close() }
func (*blocked) LocalURL() string     { return "" }

func TestRunReturnsThoughNobodyTakesWhatArrives(t *testing.T) {
	t.Parallel()
	e := edge(t)
	s := &blocked{make(chan struct{})}
	defer close(s.free)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	up := make(chan struct{}, 1)
	go func() {
		ended <- backend(e).Run(ctx, s, func(st tunnel.State) {
			if online(st) {
				up <- struct{}{}
			}
		})
	}()
	<-up
	var wg sync.WaitGroup
	defer wg.Wait()
	for range 3 {
		wg.Go(func() {
			if resp, err := e.Client().Post("http://"+host, "", http.NoBody); err == nil {
				resp.Body.Close()
			}
		})
	}
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.Eventually(t, func() bool { return !e.Online(host) }, patience, 5*time.Millisecond)
}
