package session

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/capture/sample"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/tunnel"
	"anyhook.net/desktop/tunnel/ngrok"
	"anyhook.net/desktop/tunnel/ngrok/ngroktest"
)

const (
	publicHost = "hooks.example.com"
	publicURL  = "https://" + publicHost
)

// through starts a session whose ngrok is edge.
func through(t *testing.T, edge *ngroktest.Edge, endpoints ...capture.Endpoint) *desk {
	t.Helper()
	return throughIn(t, t.TempDir(), edge, endpoints...)
}

func throughIn(t *testing.T, dir string, edge *ngroktest.Edge, endpoints ...capture.Endpoint) *desk {
	t.Helper()
	return beginWith(t, Config{Dir: dir, Ngrok: func(b *ngrok.Backend) { b.ConnectURL, b.ConnectCAs = edge.ConnectAddr(), edge.CAs() }}, endpoints...)
}

func startEdge(t *testing.T) *ngroktest.Edge {
	t.Helper()
	edge, err := ngroktest.Start(ngroktest.Token)
	require.NoError(t, err)
	t.Cleanup(edge.Close)
	return edge
}

// connect opens the tunnel under the public URL.
func (d *desk) connect() {
	d.t.Helper()
	require.NoError(d.t, d.Connect(d.t.Context(), view.TunnelChoice{Kind: "ngrok", Token: ngroktest.Token, URL: publicHost}))
	d.until("the tunnel is open", func() bool { return d.Status().PublicURL == publicURL })
}

// outside sends r from the internet to the public URL.
func outside(t *testing.T, edge *ngroktest.Edge, r *capture.Request) int {
	t.Helper()
	_, target, _ := r.Head.Line()
	req, err := http.NewRequestWithContext(t.Context(), r.Method, "http://"+publicHost+target, bytes.NewReader(r.Body))
	require.NoError(t, err)
	for f := range r.Head.Fields() {
		req.Header.Add(f.Name, f.Value)
	}
	res, err := edge.Client().Do(req)
	require.NoError(t, err)
	res.Body.Close()
	return res.StatusCode
}

// Every provider's request that comes through the tunnel is stored with the
// public URL and its sender's address, and its signature is good: also where
// it covers the URL.
func TestSignaturesAreGoodThroughTheTunnel(t *testing.T) {
	t.Parallel()
	const secret = "whsec_c2FtcGxlLXNlY3JldC1mb3ItYW55aG9vaw=="
	edge := startEdge(t)
	h := handle(t, taken)
	ep := all(h.url)
	for _, p := range provider.All {
		ep.Secrets = append(ep.Secrets, p.Fitting(secret))
	}
	d := through(t, edge, ep)
	d.connect()
	n := capture.Seq(0)
	for _, p := range provider.All {
		for _, name := range sample.Names(p.Name) {
			r, err := sample.Build(p.Name, name, time.Now(), func() string { return fmt.Sprint("seed of ", n) })
			require.NoError(t, err)
			r.URL = publicURL + "/"
			r.SetQuery("a=1&b=%2F")
			if p.Sign != nil {
				require.NoError(t, p.Sign(r, p.Fitting(secret), time.Now()))
			}
			r.SetHeader("X-Forwarded-For", "198.51.100.66") // forged
			require.Contains(t, []int{http.StatusOK, p.Ack.Status}, outside(t, edge, r), p.Name)
			n++
			got := d.stored(n)
			require.Equal(t, r.URL, got.URL)
			require.Equal(t, "127.0.0.1", got.Peer, "not who called the edge")
			require.Equal(t, recognised(p), got.Provider)
			require.True(t, got.Signature.Status.Good(), "%s %s: %s", p.Name, name, got.Signature.Reason())
			require.Equal(t, r.Body, got.Body)
		}
	}
	require.Equal(t, http.StatusUnauthorized, outside(t, edge, &capture.Request{
		Method: "POST", Head: capture.NewHead("POST", "/", capture.Field{Name: "X-GitHub-Event", Value: "push"}), Body: []byte("{}"),
	}))
	d.stored(n + 1)
	d.stands(n+1, replay.Kept)
}

// A tunnel that is lost is open again under the same URL by itself; what is
// captured here, and delivered, does not notice.
func TestALostTunnelComesBackByItself(t *testing.T) {
	t.Parallel()
	edge := startEdge(t)
	dir := t.TempDir()
	d := throughIn(t, dir, edge)
	d.connect()
	logins := edge.Logins()
	for range 3 {
		edge.Cut()
		d.until("a new login", func() bool { return edge.Logins() > logins })
		logins = edge.Logins()
		d.until("the tunnel is open again", func() bool { return d.Status().Tunnel.Phase == tunnel.Online && edge.Online(publicHost) })
		status, _ := d.say(posted("/in", "{}"))
		require.Equal(t, http.StatusOK, status)
	}
	require.Equal(t, publicURL, d.Status().PublicURL)
	require.NoError(t, d.Connect(t.Context(), view.TunnelChoice{Kind: "none"}))
	d.until("it is closed", func() bool { return d.Status().Tunnel.Phase == tunnel.Offline && !edge.Online(publicHost) })
	require.Empty(t, d.Status().PublicURL)
	require.True(t, d.Status().HasToken)
	d.connect()
	require.NoError(t, d.Close())

	d = throughIn(t, dir, edge) // and after a restart, without asking for the token
	require.NoError(t, d.Reconnect(t.Context()))
	d.until("the tunnel is open as before", func() bool { return d.Status().PublicURL == publicURL })
	require.Equal(t, view.TunnelChoice{Kind: "ngrok", URL: publicHost}, d.Status().Choice)
}

func TestARefusedTunnelSaysWhyAndWhatToDo(t *testing.T) {
	t.Parallel()
	const other = "2wrongwrongwrongwrongwrongwr_7wrongwrongwrongwrong"
	edge := startEdge(t)
	d := through(t, edge)
	require.NoError(t, d.Connect(t.Context(), view.TunnelChoice{Kind: "ngrok", Token: other}))
	var refused *tunnel.Error
	d.until("it is refused", func() bool {
		e, ok := errors.AsType[*tunnel.Error](d.Status().Tunnel.Err)
		refused = e
		return ok && d.Status().Tunnel.Phase == tunnel.Offline
	})
	require.Equal(t, "ERR_NGROK_107", refused.Code)
	require.NotEmpty(t, refused.Advice)
	require.NotEmpty(t, refused.What)
	require.NotEmpty(t, refused.Do)
	require.NotContains(t, refused.Error()+refused.What+refused.Do, other)
	tries := edge.Connections()
	status, _ := d.say(posted("/in", "{}"))
	require.Equal(t, http.StatusOK, status, "capture needs no tunnel")
	d.stored(1)
	require.Equal(t, tries, edge.Connections(), "a token that is wrong is not tried again")

	edge.FailBinds("The endpoint is already online.\r\n\r\nERR_NGROK_334\r\n", 1)
	d.connect() // busy once, then free
	require.NoError(t, d.Status().Tunnel.Err)
}

func TestAnOwnAddressIsThePublicOne(t *testing.T) {
	t.Parallel()
	d := begin(t)
	require.NoError(t, d.Connect(t.Context(), view.TunnelChoice{Kind: "own", URL: "https://dev.example.test"}))
	d.until("it is open", func() bool { return d.Status().PublicURL == "https://dev.example.test" })
	d.say("POST /in HTTP/1.1\r\nHost: dev.example.test\r\nX-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\nContent-Length: 2\r\n\r\n{}")
	require.Equal(t, "https://dev.example.test/in", d.stored(1).URL)
}
