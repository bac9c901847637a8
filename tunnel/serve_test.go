package tunnel_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/tunnel"
)

func TestTheServerNeverStopsWhateverTheBackendsDo(t *testing.T) {
	t.Parallel()
	k := newKeeper()
	_, err := k.Listen(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	srv := &http.Server{
		ConnContext: tunnel.ConnContext,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			base, peer := k.Origin(r)
			_, _ = io.WriteString(w, base+" "+peer)
		}),
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(wrapped{k}) }()

	local := "http://" + k.Addr().String()
	require.Equal(t, local+" 127.0.0.1", get(t, http.DefaultTransport, local+"/x"))
	for range 3 {
		b := &carrier{in: make(chan net.Conn)}
		k.Start(t.Context(), b)
		require.Equal(t, publicURL+" 203.0.113.9", get(t, b.transport(), publicURL+"/x"))
		require.Equal(t, local+" 127.0.0.1", get(t, http.DefaultTransport, local+"/x"))
		k.Stop()
	}
	require.NoError(t, srv.Close())
	require.ErrorIs(t, <-served, http.ErrServerClosed)
}

// wrapped wraps connections, as capture/wire does.
type wrapped struct{ net.Listener }

func (w wrapped) Accept() (net.Conn, error) {
	c, err := w.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return struct{ net.Conn }{c}, nil
}

// carrier is a Backend that carries what its transport dials.
type carrier struct{ in chan net.Conn }

func (*carrier) Name() string { return "carrier" }

func (b *carrier) Run(ctx context.Context, sink tunnel.Sink, report func(tunnel.State)) error {
	report(tunnel.State{Phase: tunnel.Online, URL: publicURL})
	for {
		select {
		case c := <-b.in:
			sink.Deliver(c)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (*carrier) ClientIP(r *http.Request) string { return tunnel.Last(r.Header, "X-Forwarded-For") }

// transport speaks plain HTTP for https, and adds what a tunnel adds.
func (b *carrier) transport() http.RoundTripper {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		here, there := net.Pipe()
		select {
		case b.in <- there:
			return here, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	tr := &http.Transport{DialTLSContext: dial, DisableKeepAlives: true}
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		r.Header.Set("X-Forwarded-For", "198.51.100.1, 203.0.113.9")
		r.Header.Set("X-Forwarded-Proto", "http, https")
		return tr.RoundTrip(r)
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func get(t *testing.T, tr http.RoundTripper, url string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, http.NoBody)
	require.NoError(t, err)
	resp, err := tr.RoundTrip(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(body)
}
