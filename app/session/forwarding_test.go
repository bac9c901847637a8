package session

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// tryOnce captures one request for an endpoint with the target and returns its first attempt.
func tryOnce(t *testing.T, ep capture.Endpoint) (*desk, replay.Attempt) {
	t.Helper()
	d := begin(t, ep)
	status, _ := d.say(posted("/in", `{"id":1}`))
	require.Equal(t, http.StatusOK, status)
	return d, d.tried(d.stored(1), 1)[0]
}

// What the handler answers, or does not, is what the attempt says, with a word
// on what is probably behind it; and the handler is asked exactly once.
func TestAnAttemptSaysWhatTheHandlerDid(t *testing.T) {
	t.Parallel()
	page := func(status, body string, fields ...string) string {
		head := append([]string{"HTTP/1.1 " + status}, fields...)
		return strings.Join(head, "\r\n") + fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	tests := []struct {
		name, answer string
		status       int
		failure      replay.Failure
		hint, body   string
	}{
		{"moved, with a slash", page("301 Moved Permanently", "", "Location: /hook/"), 301, "", replay.HintRedirect, ""},
		{"moved elsewhere", page("307 Temporary Redirect", "", "Location: http://127.0.0.1:1/steal"), 307, "", replay.HintRedirect, ""},
		{"a login page", page("302 Found", "", "Location: /login"), 302, "", replay.HintCSRF, ""},
		{"Django", page("403 Forbidden", "<h1>CSRF verification failed</h1>"), 403, "", replay.HintCSRF, "<h1>CSRF verification failed</h1>"},
		{"Laravel", page("419 unknown status", "Page Expired"), 419, "", replay.HintCSRF, "Page Expired"},
		{"a signature not taken", page("401 Unauthorized", `{"error":"invalid signature"}`), 401, "", replay.HintSignature, `{"error":"invalid signature"}`},
		{"no content, and some", "HTTP/1.1 204 No Content\r\n\r\nhi", 204, "", "", ""},
		{"an early hint first", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ok200, 200, "", "", ""},
		{"go on, though nobody asked", "HTTP/1.1 100 Continue\r\n\r\n" + ok200, 200, "", "", ""},
		{"another protocol, though nobody asked", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", 101, replay.Protocol, replay.HintUpgrade, ""},
		{"an answer cut short", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", 200, replay.Cut, replay.HintUnfinished, "abc"},
		{"no answer", "", 0, replay.Cut, replay.HintReset, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := handle(t, func(heard) string { return tt.answer })
			d, a := tryOnce(t, all(h.url+"/hook"))
			require.Equal(t, tt.status, a.Outcome.Status, a.Outcome.Detail)
			require.Equal(t, tt.failure, a.Outcome.Failure, a.Outcome.Detail)
			require.Equal(t, tt.hint, replay.Hint(a.Outcome))
			require.Equal(t, tt.body, string(a.Outcome.Body))
			require.Len(t, h.all(), 1)
			method, target, _ := h.all()[0].head.Line()
			require.Equal(t, "POST /hook", method+" "+target)
			want := replay.Retrying
			if a.Outcome.OK() {
				want = replay.Delivered
			}
			d.stands(1, want)
		})
	}
}

func TestLocalhostIsWhereTheHandlerListens(t *testing.T) {
	t.Parallel()
	four, six := handleAt(t, "127.0.0.1:0", taken), handleAt(t, "[::1]:0", taken)
	port := func(h *handler) string { return h.addr[strings.LastIndexByte(h.addr, ':'):] }
	for target, h := range map[string]*handler{
		"http://localhost" + port(four): four, "http://localhost" + port(six): six, six.url: six,
		"http://0.0.0.0" + port(four): four, "http://[::]" + port(six): six, "localhost" + port(four): four,
	} {
		_, a := tryOnce(t, all(target))
		require.Equal(t, 200, a.Outcome.Status, "%s: %s", target, a.Outcome.Detail)
		require.NotEmpty(t, h.all())
	}
	_, a := tryOnce(t, all("http://127.0.0.1"+port(six)+"/w"))
	require.Equal(t, replay.Refused, a.Outcome.Failure)
	require.Contains(t, a.Outcome.Detail, "127.0.0.1"+port(six))
	require.Contains(t, a.Outcome.Detail, six.addr)
	require.Equal(t, replay.HintOtherLoopback, replay.Hint(a.Outcome))
}

func TestATargetThatIsNotThisMachineIsConfirmedFirst(t *testing.T) {
	t.Parallel()
	_, a := tryOnce(t, all("http://192.0.2.10:3000/hook"))
	require.Equal(t, replay.Blocked, a.Outcome.Failure)
	require.Equal(t, replay.HintUnconfirmed, replay.Hint(a.Outcome))
	ep := all("http://nowhere.invalid/hook")
	ep.AwayOK = true
	_, a = tryOnce(t, ep)
	require.Equal(t, replay.DNS, a.Outcome.Failure, a.Outcome.Detail)
	require.Contains(t, a.Outcome.Detail, "nowhere.invalid")
}

func TestNothingIsForwardedToAnyHookItself(t *testing.T) {
	t.Parallel()
	d := begin(t)
	require.NoError(t, d.SetEndpoints(t.Context(), all(d.localURL+"/in")))
	d.say(posted("/in", "{}"))
	a := d.tried(d.stored(1), 1)[0]
	require.Equal(t, replay.Blocked, a.Outcome.Failure)
	require.Equal(t, replay.HintOwnPort, replay.Hint(a.Outcome))
	require.EqualValues(t, 1, d.Status().Requests)
}

func TestACertificateNobodyVouchesForIsTakenWhenTheUserSaysSo(t *testing.T) {
	t.Parallel()
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	srv.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	ep := all(srv.URL)
	d, a := tryOnce(t, ep)
	require.Equal(t, replay.TLS, a.Outcome.Failure)
	require.Equal(t, replay.HintSelfSigned, replay.Hint(a.Outcome))
	ep.SelfSigned = true
	require.NoError(t, d.SaveEndpoint(t.Context(), ep.Name, ep))
	require.Equal(t, 1, d.replayed(once(d.stored(1)), "").OK)
	_, a = tryOnce(t, all(strings.Replace(srv.URL, "https://", "http://", 1)))
	require.Equal(t, replay.HintTLSPort, replay.Hint(a.Outcome), a.Outcome.Detail)
	require.False(t, a.Outcome.OK())
}

func TestTheHandlerHearsItsOwnNameOrThePublicOne(t *testing.T) {
	t.Parallel()
	h := handle(t, func(x heard) string {
		if strings.HasPrefix(x.header("Host"), "127.0.0.1:") {
			return ok200
		}
		return "HTTP/1.1 403 Forbidden\r\nContent-Length: 12\r\n\r\nBlocked host"
	})
	ep := all(h.url)
	_, a := tryOnce(t, ep)
	require.Equal(t, 200, a.Outcome.Status)
	ep.KeepHost = true
	_, a = tryOnce(t, ep)
	require.Equal(t, replay.HintHost, replay.Hint(a.Outcome))
	require.Equal(t, "h.example", h.all()[1].header("Host"))
}

// A slow handler costs the sender nothing, ends when its target says so, and
// holds up no other target.
func TestASlowHandlerHoldsUpNobody(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	var once sync.Once
	t.Cleanup(func() { once.Do(func() { close(hang) }) })
	slow := handle(t, func(heard) string { <-hang; return "" })
	quick := handle(t, taken)
	d := begin(t,
		capture.Endpoint{Name: "slow", Path: "/slow", Target: slow.url, Timeout: 200 * time.Millisecond},
		capture.Endpoint{Name: "stuck", Path: "/stuck", Target: slow.url, Timeout: -1},
		capture.Endpoint{Name: "quick", Path: "/quick", Target: quick.url})
	const each = 10
	for i := range each {
		for _, path := range []string{"/slow", "/stuck", "/quick"} {
			status, _ := d.say(posted(path, fmt.Sprintf(`{"n":%d}`, i)))
			require.Equal(t, http.StatusOK, status)
		}
	}
	for n := capture.Seq(3); n <= 3*each; n += 3 {
		require.Equal(t, 200, d.tried(d.stored(n), 1)[0].Outcome.Status)
	}
	late := d.tried(d.stored(1), 1)[0].Outcome
	require.Equal(t, replay.Timeout, late.Failure)
	require.Contains(t, late.Detail, "200ms")
	once.Do(func() { close(hang) })
}

// An answer that does not end ends with the time or the size that it may have;
// the handler took the request all the same, and the next one is delivered.
func TestAnAnswerWithoutEndEndsInTime(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for n := 0; r.Context().Err() == nil && r.URL.Path != "/good"; n++ {
			if _, err := fmt.Fprint(w, strings.Repeat("data: x\n\n", 1000)); err != nil {
				return
			}
			if r.URL.Path == "/silent" && n == 10 {
				<-r.Context().Done()
			}
		}
	}))
	t.Cleanup(srv.Close)
	ep := all(srv.URL)
	ep.Timeout = 2 * time.Second
	d := begin(t, ep)
	for i, path := range []string{"/silent", "/endless", "/good"} {
		d.say(posted(path, "{}"))
		o := d.tried(d.stored(capture.Seq(i+1)), 1)[0].Outcome
		require.True(t, o.OK(), path)
		if path == "/good" {
			break
		}
		require.Len(t, o.Body, replay.MaxKept, path)
		require.Greater(t, o.BodySize, int64(replay.MaxKept), path)
		require.Contains(t, o.Detail, "not finished", path)
	}
	require.Equal(t, replay.Timeout, d.tried(d.stored(1), 1)[0].Outcome.Failure)
}
