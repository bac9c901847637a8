package session

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
)

func TestThePublicURLIsTestedFromOutside(t *testing.T) {
	t.Parallel()
	s, err := Start(t.Context(), Config{Dir: t.TempDir(), Listen: "127.0.0.1:0", NoKeychain: true})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	require.ErrorContains(t, s.TestURL(t.Context()), "no public URL")

	local, err := url.Parse(s.Status().LocalURL)
	require.NoError(t, err)
	leads := httptest.NewServer(httputil.NewSingleHostReverseProxy(local))
	defer leads.Close()
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()

	require.NoError(t, s.Connect(t.Context(), view.TunnelChoice{Kind: "own", URL: leads.URL}))
	require.Eventually(t, func() bool { return s.Status().PublicURL == leads.URL }, patience, 5*time.Millisecond)
	require.False(t, s.Status().Tested, "nobody asked yet")
	require.NoError(t, s.TestURL(t.Context()))
	require.True(t, s.Status().Tested)
	require.Zero(t, s.Status().Requests, "a test is not captured")

	require.NoError(t, s.Connect(t.Context(), view.TunnelChoice{Kind: "own", URL: elsewhere.URL}))
	require.Eventually(t, func() bool { return s.Status().PublicURL == elsewhere.URL }, patience, 5*time.Millisecond)
	require.False(t, s.Status().Tested, "it is another URL")
	require.ErrorContains(t, s.TestURL(t.Context()), "answers 404, but what is sent there does not arrive here")
	require.False(t, s.Status().Tested)

	// A word that is not the one of the test under way is traffic like any other.
	res, err := http.Get(s.Status().LocalURL + probePath + "x")
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.EqualValues(t, 1, s.Status().Requests)
}

// A proxy in front may drop headers, change the status, or put a path of its
// own before ours: that it arrives is seen here. That the sender is told a
// failure is another matter.
func TestWhetherATestArrivesIsSeenHere(t *testing.T) {
	t.Parallel()
	d := begin(t)
	local, err := url.Parse(d.Status().LocalURL)
	require.NoError(t, err)
	local.Path = "/hooks"
	proxy := httputil.NewSingleHostReverseProxy(local)
	broken := false
	proxy.ModifyResponse = func(res *http.Response) error {
		res.Header, res.StatusCode = http.Header{}, http.StatusOK
		if broken {
			res.StatusCode = http.StatusBadGateway
		}
		return nil
	}
	front := httptest.NewServer(proxy)
	defer front.Close()
	require.NoError(t, d.Connect(t.Context(), view.TunnelChoice{Kind: "own", URL: front.URL}))
	d.until("it is set", func() bool { return d.Status().PublicURL == front.URL })
	require.NoError(t, d.TestURL(t.Context()))
	require.True(t, d.Status().Tested)
	broken = true
	require.ErrorContains(t, d.TestURL(t.Context()), "arrives here, but the sender is answered 502")
	require.False(t, d.Status().Tested, "and is known to be so no more")
	require.Zero(t, d.Status().Requests)
}

// The port can only be another one after a new start, which knows of no test.
func TestAnotherPortIsNotTested(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var to *url.URL
	front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }})
	defer front.Close()
	for i := range 2 {
		d := beginWith(t, Config{Dir: dir})
		if i == 0 {
			var err error
			to, err = url.Parse(d.Status().LocalURL)
			require.NoError(t, err)
			require.NoError(t, d.Connect(t.Context(), view.TunnelChoice{Kind: "own", URL: front.URL}))
		} else {
			require.NoError(t, d.Reconnect(t.Context()))
		}
		d.until("it is set", func() bool { return d.Status().PublicURL == front.URL })
		require.False(t, d.Status().Tested)
		if i == 0 {
			require.NoError(t, d.TestURL(t.Context()))
		} else {
			require.Error(t, d.TestURL(t.Context()), "the proxy leads to the port of before")
		}
		require.Equal(t, i == 0, d.Status().Tested)
		require.NoError(t, d.Close())
	}
}
