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
	require.NoError(t, s.TestURL(t.Context()))
	require.Zero(t, s.Status().Requests, "a test is not captured")

	require.NoError(t, s.Connect(t.Context(), view.TunnelChoice{Kind: "own", URL: elsewhere.URL}))
	require.Eventually(t, func() bool { return s.Status().PublicURL == elsewhere.URL }, patience, 5*time.Millisecond)
	require.ErrorContains(t, s.TestURL(t.Context()), "answers 404, but what is sent there does not arrive here")

	// A word that is not the one of the test under way is traffic like any other.
	res, err := http.Get(s.Status().LocalURL + probePath + "x")
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Empty(t, res.Header.Get("X-AnyHook-Test"))
	require.EqualValues(t, 1, s.Status().Requests)
}
