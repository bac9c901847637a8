package deliver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func TestHandlerReadsWhatTheSenderSent(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	s, _ := sender()
	body := `{ "url": "https:\/\/example.test\/a" , "n":1.0, "big":12345678901234567890 }`
	r := request("POST /in/github?a=%2f&b HTTP/1.1\r\nhost: hooks.example.test\r\nX-Hub-Signature-256:sha256=b0\r\n" +
		"x-github-DELIVERY: 1\r\nUser-Agent: GitHub-Hookshot/ah\r\nAccept: */*\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\n" +
		"Keep-Alive: timeout=5\r\nTE: trailers\r\nProxy-Authorization: Basic eDp5\r\nAccept-Encoding:  br\r\n" +
		"X-Twice: 1\r\ncontent-LENGTH: " + strconv.Itoa(len(body)) + "\r\nX-Twice: 2\r\nX-AnyHook-Replay: true\r\nx_anyhook_attempt: 9\r\n" +
		"X-Forwarded-Host: hooks.example.test\r\nUpgrade: h2c\r\nExpect: 100-continue\r\nTrailer: X-T\r\n\r\n" + body)
	a := send(t, s, Order{Request: r, Target: Target{URL: h.url("/webhooks")}})
	require.Equal(t, replay.Outcome{
		Status: 200, Head: []byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), Body: []byte("ok"), BodySize: 2,
		Timing: a.Outcome.Timing,
	}, a.Outcome)
	require.Equal(t, []string{"POST /webhooks?a=%2f&b HTTP/1.1\r\nhost: " + h.Addr().String() + "\r\nX-Hub-Signature-256:sha256=b0\r\n" +
		"x-github-DELIVERY: 1\r\nUser-Agent: GitHub-Hookshot/ah\r\nAccept: */*\r\nAccept-Encoding:  br\r\n" +
		"X-Twice: 1\r\ncontent-LENGTH: " + strconv.Itoa(len(body)) + "\r\nX-Twice: 2\r\nX-Forwarded-Host: hooks.example.test\r\n" +
		"X-AnyHook-Delivery: req-7\r\nX-AnyHook-Attempt: 1\r\nX-AnyHook-Received-At: 2026-11-30T12:00:00Z\r\n\r\n" + body}, h.got())
	require.Equal(t, body, string(r.Body))
}

func TestChunkedRequestIsForwardedWithALength(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	s, _ := sender()
	r := request("POST /in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n" + `{"a":1}`)
	send(t, s, Order{Request: r, Target: Target{URL: h.url("")}})
	require.Contains(t, h.got()[0], "POST /in HTTP/1.1\r\nHost: "+h.Addr().String()+"\r\nContent-Length: 7\r\nContent-Type: application/json\r\nX-AnyHook")
	require.NotContains(t, h.got()[0], "Transfer-Encoding")
}

func TestRequestWithoutBodyKeepsItsSilenceAboutLength(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"GET /a HTTP/1.1\r\nHost: x\r\n\r\n":                       "",
		"GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n":  "Content-Length: 0\r\n",
		"POST /a HTTP/1.1\r\nHost: x\r\n\r\n":                      "Content-Length: 0\r\n",
		"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n": "Content-Length: 0\r\n", // the bytes decide
	} {
		w, err := compose(request(raw), &place{host: "localhost", port: 80, authority: "localhost"}, false, &replay.Attempt{N: 1})
		require.NoError(t, err)
		require.Contains(t, string(w.head), "Host: localhost\r\n"+want+"X-AnyHook-Delivery", raw)
		require.LessOrEqual(t, strings.Count(string(w.head), "Content-Length"), 1)
	}
}

func TestReplayIsMarkedAndNumbered(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	s, j := sender()
	r := post("{}")
	for n := range 3 {
		send(t, s, Order{Request: r, Target: Target{URL: h.url("/w")}, Replay: n > 0, Run: "run"})
	}
	for n, raw := range h.got() {
		require.Contains(t, raw, "X-AnyHook-Delivery: req-7\r\nX-AnyHook-Attempt: "+strconv.Itoa(n+1)+"\r\n")
		require.Equal(t, n > 0, strings.Contains(raw, "X-AnyHook-Replay: true\r\n"))
	}
	require.Len(t, j.ended, 3)
	require.Equal(t, replay.RunID("run"), j.ended[2].Run)
	require.Equal(t, capture.Seq(7), j.ended[2].Seq)
}

func TestHostIsTheTargetsUnlessTheUserWantsTheSenders(t *testing.T) {
	t.Parallel()
	picky := listen(t, "127.0.0.1:0", nil)
	s, _ := sender()
	send(t, s, Order{Request: post("{}"), Target: Target{URL: "http://localhost:" + picky.port() + "/w"}})
	send(t, s, Order{Request: post("{}"), Target: Target{URL: "http://localhost:" + picky.port() + "/w", KeepHost: true}})
	send(t, s, Order{Request: post("{}"), Target: Target{URL: "http://0.0.0.0:" + picky.port() + "/w"}})
	require.Contains(t, picky.got()[0], "\r\nHost: localhost:"+picky.port()+"\r\n")
	require.Contains(t, picky.got()[1], "\r\nHost: hooks.example.test\r\n")
	require.Contains(t, picky.got()[2], "\r\nHost: 127.0.0.1:"+picky.port()+"\r\n")
}

// With an Idempotency-Key, net/http sends a POST again when a kept connection
// breaks. Here a broken connection is one attempt, and the next one is new.
func TestBrokenConnectionIsNeverRepeatedBehindTheBack(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", func(n int, conn net.Conn) {
		if n == 1 {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}
	})
	s, j := sender()
	r := request("POST /in HTTP/1.1\r\nHost: x\r\nIdempotency-Key: f5e57ebe\r\nContent-Length: 2\r\n\r\n{}")
	first := send(t, s, Order{Request: r, Target: Target{URL: h.url("/")}})
	second := send(t, s, Order{Request: r, Target: Target{URL: h.url("/")}})
	require.True(t, first.Outcome.OK())
	require.Equal(t, replay.Cut, second.Outcome.Failure)
	require.Equal(t, replay.Waiting, second.Outcome.Phase)
	require.Len(t, h.got(), 2)
	require.Len(t, j.ended, 2)
	require.Equal(t, 2, h.connections())
}

func TestAttemptIsWrittenDownBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	s, j := sender()
	full := errors.New("disk full")
	j.refuse = func(*replay.Attempt) error { return full }
	_, err := s.Send(t.Context(), Order{Request: post("{}"), Target: Target{URL: h.url("/")}})
	require.ErrorIs(t, err, full)
	require.Zero(t, h.connections())
}

func TestCanceledAttemptIsStillWrittenDown(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	h := listen(t, "127.0.0.1:0", func(_ int, conn net.Conn) {
		cancel()
		_, _ = io.Copy(io.Discard, conn) // until the other side hangs up
	})
	s, j := sender()
	a, err := s.Send(ctx, Order{Request: post("{}"), Target: Target{URL: h.url("/"), Timeout: -1}})
	require.NoError(t, err)
	require.Equal(t, replay.Canceled, a.Outcome.Failure)
	require.Equal(t, "stopped while waiting for the response", a.Outcome.Detail)
	require.Equal(t, a, j.ended[0])
}

func TestTimingTellsThePhasesApart(t *testing.T) {
	t.Parallel()
	out, _ := answered(t, nil, 0)
	tm := out.Timing
	require.Zero(t, tm.TLS)
	require.Positive(t, tm.Dial)
	require.GreaterOrEqual(t, tm.Written, tm.Dial)
	require.GreaterOrEqual(t, tm.FirstByte, tm.Dial)
	require.GreaterOrEqual(t, tm.Done, tm.FirstByte)
}

// stripeLike takes signatures of the last five minutes only.
func stripeLike(secret string, now func() time.Time) func(raw string) int {
	return func(raw string) int {
		head, body, _ := strings.Cut(raw, "\r\n\r\n")
		sig := capture.Head(head + "\r\n\r\n").Header().Get("Stripe-Signature")
		var unix int64
		var mac string
		_, _ = fmt.Sscanf(strings.ReplaceAll(sig, ",", " "), "t=%d v1=%s", &unix, &mac)
		if now().Sub(time.Unix(unix, 0)) > 5*time.Minute || mac != stripeMAC(secret, unix, body) {
			return 400
		}
		return 200
	}
}

func stripeMAC(secret string, unix int64, body string) string {
	m := hmac.New(sha256.New, []byte(secret))
	_, _ = fmt.Fprintf(m, "%d.%s", unix, body)
	return hex.EncodeToString(m.Sum(nil))
}

func TestOldRequestPassesTheFreshnessCheckWhenSignedAnew(t *testing.T) {
	t.Parallel()
	s, j := sender()
	hourLater := time.Date(2026, 11, 30, 13, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return hourLater }
	s.Sign = func(r *capture.Request, _ replay.Signing, now time.Time) error {
		r.SetHeader("Stripe-Signature", fmt.Sprintf("t=%d,v1=%s", now.Unix(), stripeMAC("whsec_x", now.Unix(), string(r.Body))))
		return nil
	}
	check := stripeLike("whsec_x", s.Now)
	var self atomic.Pointer[rawHandler]
	h := listen(t, "127.0.0.1:0", func(n int, conn net.Conn) {
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d X\r\nContent-Length: 0\r\n\r\n", check(self.Load().got()[n-1]))
	})
	self.Store(h)
	r := post(`{"id":"evt_1"}`)
	r.SetHeader("Stripe-Signature", fmt.Sprintf("t=%d,v1=%s", r.At.Unix(), stripeMAC("whsec_x", r.At.Unix(), string(r.Body))))
	before := string(r.Head)
	asReceived := send(t, s, Order{Request: r, Target: Target{URL: h.url("/")}})
	anew := send(t, s, Order{Request: r, Target: Target{URL: h.url("/")}, Signing: replay.Fresh})
	require.Equal(t, 400, asReceived.Outcome.Status)
	require.Equal(t, 200, anew.Outcome.Status)
	require.Equal(t, replay.Fresh, j.ended[1].Signing)
	require.Equal(t, before, string(r.Head))
	require.True(t, strings.HasSuffix(h.got()[1], "\r\n\r\n"+string(r.Body)))
}

func TestRequestThatCannotBeSignedAnewIsNotSent(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	s, j := sender()
	s.Sign = func(*capture.Request, replay.Signing, time.Time) error { return errors.New("there is no secret") }
	a := send(t, s, Order{Request: post("{}"), Target: Target{URL: h.url("/")}, Signing: replay.Fresh})
	require.Equal(t, replay.Blocked, a.Outcome.Failure)
	require.Contains(t, a.Outcome.Detail, "there is no secret")
	require.Equal(t, replay.HintUnsigned, replay.Hint(a.Outcome))
	require.Len(t, j.ended, 1)
	require.Zero(t, h.connections())
}

func TestRequestThatIsNoHTTPIsNotSent(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	s, _ := sender()
	for _, raw := range []string{
		"\x16\x03\x01\x02\x00\x01", "GET /a b HTTP/1.1\r\n\r\n", "", "POST\r\n\r\n",
		"POST / HTTP/1.1\r\nX-A: a\rX-B: b\r\n\r\n", "POST / HTTP/1.1\r\nX A: a\r\n\r\n", "CONNECT x:1 HTTP/1.1\r\n\r\n",
	} {
		a := send(t, s, Order{Request: request(raw), Target: Target{URL: h.url("/")}})
		require.Equal(t, replay.Blocked, a.Outcome.Failure, "%q", raw)
	}
	require.Zero(t, h.connections())
}

func TestBigBodyArrivesWhole(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	s, _ := sender()
	body := strings.Repeat("0123456789abcdef", 1<<18) // 4 MiB
	a := send(t, s, Order{Request: post(body), Target: Target{URL: h.url("/")}})
	require.True(t, a.Outcome.OK(), a.Outcome.Detail)
	require.True(t, strings.HasSuffix(h.got()[0], "\r\n\r\n"+body))
}

// A handler that turns a body away without reading it is heard all the same.
func TestEarlyAnswerIsHeard(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	var conns atomic.Int32
	var wg sync.WaitGroup
	t.Cleanup(wg.Wait)
	wg.Go(func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		conns.Add(1)
		_, _ = conn.Read(make([]byte, 100))
		_, _ = io.WriteString(conn, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
		_, _ = conn.Read(make([]byte, 1)) // and reads no further
		<-t.Context().Done()
	})
	s, _ := sender()
	a := send(t, s, Order{Request: post(strings.Repeat("x", 32<<20)), Target: Target{URL: "http://" + l.Addr().String() + "/"}})
	require.Equal(t, 413, a.Outcome.Status)
	require.Empty(t, a.Outcome.Failure)
	require.Equal(t, replay.HintTooLarge, replay.Hint(a.Outcome))
	require.Equal(t, int32(1), conns.Load())
}
