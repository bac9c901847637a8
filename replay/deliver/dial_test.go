package deliver

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/replay"
)

// quiet is a log for a server whose complaints are expected.
var quiet = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)

func outcomeAt(t *testing.T, s *Sender, to Target) replay.Outcome {
	t.Helper()
	return send(t, s, Order{Request: post("{}"), Target: to}).Outcome
}

func TestLocalhostIsBothLoopbacks(t *testing.T) {
	t.Parallel()
	if !hasIPv6(t) {
		t.Log("this machine has no ::1")
		return
	}
	four, six := listen(t, "127.0.0.1:0", nil), listen(t, "[::1]:0", nil)
	s, _ := sender()
	s.Resolve = func(context.Context, string) ([]netip.Addr, error) {
		t.Error("the hosts file was asked for localhost")
		return nil, nil
	}
	for _, url := range []string{
		"http://localhost:" + four.port() + "/w", "http://localhost:" + six.port() + "/w", "http://[::1]:" + six.port() + "/w",
		"http://LOCALHOST.:" + six.port() + "/w", "http://shop.localhost:" + six.port() + "/w",
		"http://0.0.0.0:" + four.port() + "/w", "http://[::]:" + six.port() + "/w", "http://0.0.0.0:" + six.port() + "/w",
	} {
		require.True(t, outcomeAt(t, s, Target{URL: url}).OK(), url)
	}
	out := outcomeAt(t, s, Target{URL: "http://127.0.0.1:" + six.port() + "/w"})
	require.Equal(t, replay.Refused, out.Failure)
	require.Equal(t, "connection refused - nothing is listening on 127.0.0.1:"+six.port()+
		", but something is listening on [::1]:"+six.port(), out.Detail)
	require.Equal(t, replay.HintOtherLoopback, replay.Hint(out))
	require.NotEmpty(t, Note("http://0.0.0.0:80"))
	require.Empty(t, Note("http://localhost:80"))
}

func TestRefusedSaysWhatWasTried(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	_ = h.Close()
	s, j := sender()
	out := outcomeAt(t, s, Target{URL: h.url("/")})
	require.Equal(t, replay.Refused, out.Failure)
	require.Equal(t, replay.Dialing, out.Phase)
	require.Equal(t, "connection refused - nothing is listening on 127.0.0.1:"+h.port(), out.Detail)
	require.Equal(t, replay.HintRefused, replay.Hint(out))
	out = outcomeAt(t, s, Target{URL: "http://localhost:" + h.port()})
	require.Equal(t, "connection refused - nothing is listening on 127.0.0.1:"+h.port()+" or [::1]:"+h.port(), out.Detail)
	require.Len(t, j.ended, 2)
	require.False(t, s.Listening(t.Context(), Target{URL: h.url("/")}))
	up := listen(t, "127.0.0.1:0", nil)
	require.True(t, s.Listening(t.Context(), Target{URL: up.url("/")}))
	require.Empty(t, up.got())
}

func TestNameThatDoesNotResolveSaysSo(t *testing.T) {
	t.Parallel()
	s, _ := sender()
	s.Resolve = names(nil)
	out := outcomeAt(t, s, Target{URL: "http://host.docker.internal:3000/"})
	require.Equal(t, replay.DNS, out.Failure)
	require.Contains(t, out.Detail, "host.docker.internal")
	require.Equal(t, replay.HintDNS, replay.Hint(out))
}

func TestTargetThatIsNotThisMachineIsConfirmedFirst(t *testing.T) {
	t.Parallel()
	s, j := sender()
	s.Resolve = names(map[string]string{"api.example.test": "192.0.2.10"})
	var dialed []string
	s.Dial = func(_ context.Context, _, addr string) (net.Conn, error) {
		dialed = append(dialed, addr)
		return nil, errors.New("no route to host")
	}
	for _, url := range []string{"http://192.0.2.10:3000", "http://api.example.test:3000", "http://[2001:db8::1]:3000", "http://[::ffff:192.0.2.10]:3000"} {
		out := outcomeAt(t, s, Target{URL: url})
		require.Equal(t, replay.Blocked, out.Failure)
		require.Contains(t, out.Detail, "is not this machine")
		require.Equal(t, replay.HintUnconfirmed, replay.Hint(out))
		require.False(t, s.Listening(t.Context(), Target{URL: url}))
	}
	require.Empty(t, dialed)
	require.Len(t, j.ended, 4)
	out := outcomeAt(t, s, Target{URL: "http://api.example.test:3000", AwayOK: true})
	require.Equal(t, replay.Refused, out.Failure)
	require.Equal(t, []string{"192.0.2.10:3000"}, dialed)
}

func TestOwnAddressOfThisMachineNeedsNoConfirmation(t *testing.T) {
	t.Parallel()
	ifs, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, i := range ifs {
		a, ok := netip.AddrFromSlice(i.(*net.IPNet).IP)
		require.True(t, ok)
		require.True(t, here(a.Unmap()), a)
	}
	require.False(t, here(netip.MustParseAddr("192.0.2.10")))
}

// A name that is here when it is looked at, and away a moment later.
func TestNameIsLookedUpOnceAndThatAddressIsDialed(t *testing.T) {
	t.Parallel()
	s, _ := sender()
	answers := []string{"127.0.0.1", "192.0.2.66"}
	asked := 0
	s.Resolve = func(context.Context, string) ([]netip.Addr, error) {
		a := netip.MustParseAddr(answers[min(asked, 1)])
		asked++
		return []netip.Addr{a}, nil
	}
	h := listen(t, "127.0.0.1:0", nil)
	out := outcomeAt(t, s, Target{URL: "http://rebind.example.test:" + h.port()})
	require.True(t, out.OK(), out.Detail)
	require.Equal(t, 1, asked)
	out = outcomeAt(t, s, Target{URL: "http://rebind.example.test:" + h.port()})
	require.Equal(t, replay.Blocked, out.Failure)
	require.Len(t, h.got(), 1)
}

func TestNothingIsSentToAnyHookItself(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	s, _ := sender()
	s.Own = func(addr string) bool { return addr == h.Addr().String() || addr == "x.ngrok.app:443" }
	for _, url := range []string{h.url("/stripe"), "http://localhost:" + h.port() + "/", "http://0.0.0.0:" + h.port(), "https://x.ngrok.app/in"} {
		out := outcomeAt(t, s, Target{URL: url, AwayOK: true})
		require.Equal(t, replay.Blocked, out.Failure, url)
		require.Equal(t, replay.HintOwnPort, replay.Hint(out))
	}
	require.Zero(t, h.connections())
}

func TestProxySettingsOfTheSystemAreNotUsed(t *testing.T) {
	proxy := listen(t, "127.0.0.1:0", nil)
	t.Setenv("http_proxy", proxy.url(""))
	t.Setenv("HTTP_PROXY", proxy.url(""))
	h := listen(t, "127.0.0.1:0", nil)
	s, _ := sender()
	s.Resolve = names(map[string]string{"handler.example.test": "127.0.0.1"})
	require.True(t, outcomeAt(t, s, Target{URL: "http://handler.example.test:" + h.port() + "/"}).OK())
	require.Zero(t, proxy.connections())
}

func TestDeadAddressDoesNotUseUpTheTimeOfTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, _ := sender()
		s.Resolve = func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("192.0.2.1")}, nil
		}
		s.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		a := send(t, s, Order{Request: post("{}"), Target: Target{URL: "http://two.example.test", AwayOK: true}})
		require.Equal(t, 2*eachDial, a.Took)
		require.Equal(t, replay.Timeout, a.Outcome.Failure)
		require.Equal(t, replay.Dialing, a.Outcome.Phase)

		one := send(t, s, Order{Request: post("{}"), Target: Target{URL: "http://192.0.2.1", AwayOK: true, Timeout: 7 * time.Second}})
		require.Equal(t, 7*time.Second, one.Took)
		require.Equal(t, "timed out after 7 s connecting", one.Outcome.Detail)
	})
}

func TestHandlerWithASelfSignedCertificate(t *testing.T) {
	t.Parallel()
	served := 0
	h := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { served++; w.WriteHeader(http.StatusNoContent) }))
	h.Config.ErrorLog = quiet
	h.StartTLS()
	t.Cleanup(h.Close)
	s, _ := sender()
	port := h.Listener.Addr().String()[strings.LastIndex(h.Listener.Addr().String(), ":"):]

	out := outcomeAt(t, s, Target{URL: "https://127.0.0.1" + port})
	require.Equal(t, replay.TLS, out.Failure)
	require.Equal(t, replay.Handshake, out.Phase)
	require.Equal(t, replay.SaysSelfSigned, out.Detail)
	require.Equal(t, replay.HintSelfSigned, replay.Hint(out))
	require.Zero(t, served)

	out = outcomeAt(t, s, Target{URL: "https://localhost" + port, SelfSigned: true})
	require.True(t, out.OK(), out.Detail)
	require.Positive(t, out.Timing.TLS)

	out = outcomeAt(t, s, Target{URL: "http://localhost" + port})
	require.Equal(t, 400, out.Status)
	require.Equal(t, replay.TLS, out.Failure)
	require.Equal(t, replay.SaysTLSPort, out.Detail)
	require.Equal(t, replay.HintTLSPort, replay.Hint(out))
	require.Equal(t, 1, served)
}

func TestSelfSignedIsForLoopbackOnly(t *testing.T) {
	t.Parallel()
	h := httptest.NewUnstartedServer(http.NotFoundHandler())
	h.Config.ErrorLog = quiet
	h.StartTLS()
	t.Cleanup(h.Close)
	s, _ := sender()
	s.Resolve = names(map[string]string{"away.example.test": "192.0.2.1"})
	s.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, h.Listener.Addr().String())
	}
	out := outcomeAt(t, s, Target{URL: "https://away.example.test", SelfSigned: true, AwayOK: true})
	require.Equal(t, replay.TLS, out.Failure)
}

func TestTLSToAPlainPortIsRecognised(t *testing.T) {
	t.Parallel()
	h := httptest.NewUnstartedServer(http.NotFoundHandler())
	h.Config.ErrorLog = quiet
	h.Start()
	t.Cleanup(h.Close)
	s, _ := sender()
	out := outcomeAt(t, s, Target{URL: strings.Replace(h.URL, "http:", "https:", 1)})
	require.Equal(t, replay.TLS, out.Failure)
	require.Equal(t, replay.SaysPlainPort, out.Detail)
	require.Equal(t, replay.HintPlainPort, replay.Hint(out))
}
