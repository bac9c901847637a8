package capture_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/wire"
)

func itoa(n int) string { return strconv.Itoa(n) }

func TestWhatIsMadeOfARequestByWhatItIs(t *testing.T) {
	t.Parallel()
	get := func(target string) string { return "GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n" }
	const good = `{"id":"evt_1"}`
	signed := "challenge:ah-1"
	for _, tt := range []struct {
		name, raw string
		status    int
		body      string
		endpoint  string
		kind      capture.Kind
		provider  string
		signature capture.Status
	}{
		{"a good signature", post("/in/acme", sign(good), good), 200, "", "acme", capture.Delivery, "acme", capture.Valid},
		{"a bad signature", post("/in/acme", sign(good+" "), good), 401, "The signature does not match.\n", "acme", capture.Delivery, "acme", capture.Invalid},
		{"an old signature", post("/in/acme", "old", good), 401, "The time of the signature is too far from now.\n", "acme", capture.Delivery, "acme", capture.Stale},
		{"no signature", post("/in/acme", "", good), 401, "The signature is missing.\n", "acme", capture.Delivery, "acme", capture.Missing},
		{"no signature where there is no secret", post("/in/open", "", good), 200, "", "open", capture.Delivery, "acme", capture.Missing},
		{"recognised by its header", post("/in/any", sign(good), good), 200, "", "any", capture.Delivery, "acme", capture.Valid},
		{"recognised and forged", post("/in/any", sign("x"), good), 401, "The signature does not match.\n", "any", capture.Delivery, "acme", capture.Invalid},
		{"nobody's", post("/in/any", "", good), 200, "", "any", capture.Delivery, "", capture.Unchecked},
		{"an unknown path", post("/nowhere/at/all", "", good), 200, "", "all", capture.Delivery, "", capture.Unchecked},
		{"a check by GET", get("/in/acme?challenge=1158201444"), 200, "1158201444", "acme", capture.Handshake, "acme", capture.Missing},
		{"a check by GET, recognised", get("/in/any?challenge=7"), 200, "7", "any", capture.Handshake, "acme", capture.Missing},
		{"a signed check by POST", post("/in/acme", sign(signed), signed), 200, "ah-1", "acme", capture.Handshake, "acme", capture.Valid},
		{"a forged check by POST", post("/in/acme", sign("x"), signed), 401, "The signature does not match.\n", "acme", capture.Delivery, "acme", capture.Invalid},
		{"an unsigned check by POST", post("/in/acme", "", signed), 401, "The signature is missing.\n", "acme", capture.Delivery, "acme", capture.Missing},
		{"an unsigned check by POST where there is no secret", post("/in/open", "", signed), 200, "ah-1", "open", capture.Handshake, "acme", capture.Missing},
		{"a browser", get("/favicon.ico"), 200, "", "all", capture.Other, "", capture.Unchecked},
		{"a browser at an endpoint with a secret", get("/in/acme"), 200, "", "acme", capture.Other, "", capture.Unchecked},
		{"HEAD", "HEAD /in/acme HTTP/1.1\r\nHost: h\r\n\r\n", 200, "", "acme", capture.Other, "", capture.Unchecked},
		{"OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", 200, "", "all", capture.Other, "", capture.Unchecked},
		{"TRACE", "TRACE /in/acme HTTP/1.1\r\nHost: h\r\n\r\n", 200, "", "acme", capture.Other, "", capture.Unchecked},
		{"CONNECT", "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n", 405, "", "all", capture.Other, "", capture.Unchecked},
		{"a PUT that is not the provider's", strings.Replace(post("/in/acme", "", "{}"), "POST", "PUT", 1), 200, "", "acme", capture.Other, "", capture.Unchecked},
		{"a PUT where anyone may send", strings.Replace(post("/in/any", "", "{}"), "POST", "PUT", 1), 200, "", "any", capture.Delivery, "", capture.Unchecked},
		{"a GET with a signature", "GET /in/open HTTP/1.1\r\nHost: h\r\nX-Acme: 1\r\n\r\n", 200, "", "open", capture.Delivery, "acme", capture.Unchecked},
		{"WebSocket", "GET /in/acme HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", 200, "", "acme", capture.Other, "", capture.Unchecked},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t).serve(t)
			got := d.send(t, tt.raw)
			require.Equal(t, tt.status, got.status)
			require.Equal(t, tt.body, got.body)
			delete(got.header, "Date")
			delete(got.header, "Content-Length")
			if tt.status == http.StatusUnauthorized {
				require.Equal(t, http.Header{"Content-Type": {"text/plain; charset=utf-8"}}, got.header)
			} else if tt.kind != capture.Handshake {
				require.Empty(t, got.header, "an answer says nothing of us")
			}
			require.Len(t, d.log.all(), 1)
			r := d.log.next()
			require.Equal(t, tt.kind, r.Kind)
			require.Equal(t, tt.endpoint, r.Endpoint)
			require.Equal(t, tt.provider, r.Provider)
			require.Equal(t, tt.signature, r.Signature.Status)
			require.Equal(t, tt.status, r.Answered)
			require.Empty(t, r.Note)
			require.Empty(t, r.Events, "events are read behind the answer")
			head, _, _ := strings.Cut(tt.raw, "\r\n\r\n")
			require.Equal(t, head+"\r\n\r\n", string(r.Head))
			require.Equal(t, arrival, r.At)
			require.Equal(t, "192.0.2.7", r.Peer)
		})
	}
}

func TestBodiesAndHeadsAreKeptToTheByte(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{ "url": "https:\/\/example.test\/a\/checkout" , "n":1.0, "big":12345678901234567890 }`,
		"payload=%7B%22zen%22%3A%22a+b%20c%22%7D",
		"{ \"b\":1,\n  \"a\":1, \"a\":2,\t\"c\":[ ]\n}\n\n",
		"--AHBOUND\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\ncaf\xe9\r\n\x00\x01\x02\xff\r\n--AHBOUND--\r\n",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xabVJ\xcb\xcfW\xb2RJJ,R\xaa\x05\x00\xf5\xfe\n\xfe\r\x00\x00\x00",
		"", "\x00", strings.Repeat("x", 4096), strings.Repeat("y", 65536), strings.Repeat("z", 1<<20),
	} {
		head := "POST /in/partner HTTP/1.1\r\nhost: h\r\nx-dup: 1\r\nX-DUP: 2\r\nX-Empty:\r\nContent-Encoding: gzip\r\nContent-Type:text/plain; charset=UTF-8\r\n"
		for name, raw := range map[string][2]string{
			"with a length": {head + "content-length: " + itoa(len(body)) + "\r\n\r\n", body},
			"chunked":       {head + "Transfer-Encoding: chunked\r\n\r\n", chunked(body, 1000)},
		} {
			d := newDesk(t).serve(t)
			require.Equal(t, 200, d.send(t, raw[0]+raw[1]).status)
			r := d.log.next()
			require.Equal(t, []byte(body), r.Body, name)
			require.Equal(t, raw[0], string(r.Head), name)
			require.Equal(t, []string{"1", "2"}, r.Header["X-Dup"])
			require.Equal(t, "h", r.Header.Get("Host"))
		}
	}
}

func chunked(body string, size int) string {
	var b strings.Builder
	for len(body) > 0 {
		n := min(size, len(body))
		b.WriteString(strconv.FormatInt(int64(n), 16) + "\r\n" + body[:n] + "\r\n")
		body = body[n:]
	}
	return b.String() + "0\r\n\r\n"
}

func TestURLIsWhatTheSenderWrote(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]struct{ url, endpoint, note string }{
		"/in/acme?a=b&c=%2F+":        {"https://hook.example/in/acme?a=b&c=%2F+", "acme", ""},
		"//in/acme":                  {"https://hook.example//in/acme", "acme", "the path has a doubled slash"},
		"/in//acme":                  {"https://hook.example/in//acme", "acme", "the path has a doubled slash"},
		"/in/../in/acme":             {"https://hook.example/in/../in/acme", "acme", ""},
		"/in/acme/":                  {"https://hook.example/in/acme/", "acme", ""},
		"/in/acme/below?x=a//b":      {"https://hook.example/in/acme/below?x=a//b", "acme", ""},
		"/in/acmes":                  {"https://hook.example/in/acmes", "all", ""},
		"http://other.example/in/a?": {"http://other.example/in/a?", "all", ""},
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t).serve(t)
			require.Equal(t, 200, d.send(t, post(target, sign("{}"), "{}")).status, "no redirect, no 404")
			r := d.log.next()
			require.Equal(t, want.url, r.URL)
			require.Equal(t, want.endpoint, r.Endpoint)
			require.Equal(t, want.note, r.Note)
		})
	}
}

func TestExpectIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t).serve(t)
	c := d.dial(t)
	_, _ = io.WriteString(c, "POST /in/generic HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2000\r\n\r\n")
	first := make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))
	_, err := io.ReadFull(c, first)
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 100 Continue\r\n\r\n", string(first))
	_, _ = io.WriteString(c, strings.Repeat("a", 2000))
	require.Equal(t, 200, read(t, c, "POST").status)
	require.Len(t, d.log.next().Body, 2000)
}

func TestWhatNeverBecameARequestIsAStray(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		raw, method string
		status      int
	}{
		{"POST /in/generic HTTP/1.1\r\nHost: h\r\nExpect: something-else\r\nContent-Length: 2\r\n\r\n{}", "POST", 417},
		{"POST /in/generic HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "POST", 400},
		{"POST /in/generic HTTP/1.1\r\nHost: h\r\nX Bad: 1\r\nContent-Length: 2\r\n\r\n{}", "POST", 400},
		{"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\n", "", 400},
		{"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "PRI", 505},
	} {
		d := newDesk(t).serve(t)
		require.Equal(t, tt.status, d.send(t, tt.raw).status)
		r := d.log.next()
		require.Equal(t, capture.Stray, r.Kind)
		require.Equal(t, tt.raw, string(r.Head))
		require.Equal(t, tt.status, r.Answered)
		require.Equal(t, tt.method, r.Method)
		require.Equal(t, "127.0.0.1", r.Peer)
		require.Contains(t, r.Note, "answered "+itoa(tt.status))
		require.Empty(t, r.Endpoint)
	}
}

func TestHeadIsReconstructedWhereItIsNotKnown(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.Head, d.Origin = func(r *http.Request) ([]byte, bool) {
		head, _ := wire.Take(r)
		return head, false
	}, nil
	d.serve(t)
	require.Equal(t, 200, d.send(t, "POST //a HTTP/1.0\r\nhost: h\r\nx-b: 2\r\nx-a: 1\r\nx-b: 3\r\nContent-Length: 2\r\n\r\n{}").status)
	r := d.log.next()
	require.Equal(t, "POST //a HTTP/1.0\r\nHost: h\r\nContent-Length: 2\r\nX-A: 1\r\nX-B: 2\r\nX-B: 3\r\n\r\n", string(r.Head))
	require.Equal(t, "head reconstructed; the path has a doubled slash", r.Note)
	require.Equal(t, "http://h//a", r.URL)
	require.Equal(t, "127.0.0.1", r.Peer)
}

func TestStoreThatFailsIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	d := newDesk(t, capture.Endpoint{Name: "f", Path: "/f", Reply: capture.FixedReply, Fixed: capture.Fixed{Status: 500, Times: 1}}).serve(t)
	d.log.fail(full)
	for _, target := range []string{"/in/any", "/f"} {
		got := d.send(t, post(target, "", "{}"))
		require.Equal(t, 503, got.status)
		require.Equal(t, "5", got.header.Get("Retry-After"))
		require.Empty(t, got.body)
		require.Equal(t, full, <-d.trouble)
	}
	d.Stray(capture.StrayBytes{Bytes: []byte("x"), Note: "x"})
	require.Equal(t, full, <-d.trouble)
	d.log.fail(nil)
	require.Equal(t, 500, d.send(t, post("/f", "", "{}")).status, "the fixed answer that was not given is still to come")
	require.NoError(t, <-d.trouble)
	require.Equal(t, 200, d.send(t, post("/f", "", "{}")).status)
	require.Empty(t, d.trouble, "told once")
	require.Len(t, d.log.all(), 2)
}

func TestBugsAndSecretsStayInside(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		raw    string
		status int
		signed capture.Status
		body   string
	}{
		{post("/in/any", "", "panic-match"), 200, capture.Unchecked, ""},
		{post("/in/acme", sign("panic-verify"), "panic-verify"), 401, capture.Malformed, "The signature cannot be read.\n"},
		{"GET /in/acme?challenge=panic HTTP/1.1\r\nHost: h\r\n\r\n", 401, capture.Missing, "The signature is missing.\n"},
		{post("/in/acme", sign("{}")+"0", "{}"), 401, capture.Invalid, "The signature does not match.\n"},
	} {
		d := newDesk(t).serve(t)
		got := d.send(t, tt.raw)
		require.Equal(t, tt.status, got.status)
		require.Equal(t, tt.body, got.body)
		r := d.log.next()
		require.Equal(t, tt.signed, r.Signature.Status)
		require.NotContains(t, d.printed.String()+r.Note+r.Signature.Detail, secret)
	}
	d := newDesk(t)
	d.Origin = func(*http.Request) (string, string) { panic(secret) }
	d.serve(t)
	require.Equal(t, told{500, http.Header{"Content-Length": {"0"}}, "", true}, undated(d.send(t, post("/", "", "{}"))))
	require.Contains(t, d.printed.String(), "capture failed")
	require.NotContains(t, d.printed.String(), secret)
	require.Empty(t, d.log.all())
}

func undated(a told) told {
	delete(a.header, "Date")
	return a
}

func TestBodyThatUnpacksToMuchIsKeptPacked(t *testing.T) {
	t.Parallel()
	bomb := "\x1f\x8b" + string(bytes.Repeat([]byte{0}, 1000))
	d := newDesk(t).serve(t)
	require.Equal(t, 200, d.send(t, strings.Replace(post("/", "", bomb), "Host: h", "Host: h\r\nContent-Encoding: gzip", 1)).status)
	require.Equal(t, bomb, string(d.log.next().Body))
}

func TestPipelinedRequestsAreKeptInOrderEachWithItsOwnBytes(t *testing.T) {
	t.Parallel()
	d := newDesk(t).serve(t)
	var raw strings.Builder
	for i := range 50 {
		raw.WriteString(post("/in/any?"+itoa(i), "", strings.Repeat("GET / HTTP/1.1\r\n\r\n", i)))
	}
	c := d.dial(t)
	go func() { _, _ = io.WriteString(c, raw.String()) }()
	br := bufio.NewReader(c)
	for range 50 {
		resp, err := http.ReadResponse(br, nil)
		require.NoError(t, err)
		require.Equal(t, 200, resp.StatusCode)
	}
	for i, r := range d.log.all() {
		require.Equal(t, "https://hook.example/in/any?"+itoa(i), r.URL)
		require.Equal(t, post("/in/any?"+itoa(i), "", strings.Repeat("GET / HTTP/1.1\r\n\r\n", i)), string(r.Head)+string(r.Body))
		require.Empty(t, r.Note)
	}
	require.Len(t, d.log.all(), 50)
}
