package session

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

const githubSecret = "example-github-secret"

func github(path, body, secret string, fields ...string) string {
	return posted(path, body, append([]string{"X-GitHub-Event: push", "X-Hub-Signature-256: sha256=" + hmacHex(secret, body)}, fields...)...)
}

// What is no delivery is kept and told apart, is answered at once, never opens
// a tunnel of its own, and never gets to the handler.
func TestOnlyDeliveriesGetToTheHandler(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	git := capture.Endpoint{Name: "git", Path: "/git", Provider: "github", Secrets: []capture.Secret{githubSecret}, Target: h.url}
	d := begin(t, all(h.url), git)
	tests := []struct {
		name, raw string
		status    int
		kind      capture.Kind
		note      string
	}{
		{"an upgrade to WebSocket", "GET /in HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", 200, capture.Other, ""},
		{"a question to the server itself", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", 200, capture.Other, ""},
		{"a browser", "GET /favicon.ico HTTP/1.1\r\nHost: h\r\n\r\n", 200, capture.Other, ""},
		{"a page that asks for what is kept", "GET /api/events HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n\r\n", 200, capture.Other, ""},
		{"somebody looking for a proxy", "CONNECT e.test:443 HTTP/1.1\r\nHost: e.test:443\r\n\r\n", 405, capture.Other, ""},
		{"a forged signature", github("/git", `{"a":1}`, "guessed"), 401, capture.Delivery, ""},
		{"no signature where one is due", posted("/git", "{}", "X-GitHub-Event: push"), 401, capture.Delivery, ""},
		{"two lengths", "POST /in HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, capture.Stray, "400"},
		{"a blank in a name", "POST /in HTTP/1.1\r\nHost: h\r\nX Bad: 1\r\nContent-Length: 2\r\n\r\n{}", 400, capture.Stray, "400"},
		{"no HTTP at all", "hello\r\n\r\n", 400, capture.Stray, ""},
	}
	for i, tt := range tests {
		status, body := d.say(tt.raw)
		require.Equal(t, tt.status, status, tt.name)
		switch {
		case tt.kind == capture.Stray: // those net/http answers, in its own words
		case tt.status == http.StatusUnauthorized:
			require.Regexp(t, `^The signature (does not match|is missing)\.\n$`, body, tt.name)
		default:
			require.Empty(t, body, tt.name)
		}
		r := d.stored(capture.Seq(i + 1))
		require.Equal(t, tt.kind, r.Kind, tt.name)
		require.Equal(t, tt.status, r.Answered, tt.name)
		require.Contains(t, r.Note, tt.note, tt.name)
	}
	// The last is forwarded, and so all before it would have been by now.
	status, _ := d.say(github("/git", `{"a":1}`, githubSecret))
	require.Equal(t, http.StatusOK, status)
	d.tried(d.stored(capture.Seq(len(tests)+1)), 1)
	require.Len(t, h.all(), 1)
	for i := range tests { // whatever it was
		d.stands(capture.Seq(i+1), replay.Kept)
	}
	require.Zero(t, d.Status().Failing)
}

func TestTwoWaysToSayTheLengthBecomeOne(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t, all(h.url))
	status, _ := d.say("POST /in HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{  }\r\n0\r\n\r\n")
	require.Equal(t, http.StatusOK, status)
	r := d.stored(1)
	require.Equal(t, "{  }", string(r.Body))
	d.tried(r, 1)
	got := h.all()[0]
	require.Equal(t, "{  }", string(got.body))
	require.Equal(t, []string{"4"}, got.head.Header().Values("Content-Length"))
	require.Empty(t, got.header("Transfer-Encoding"))
}

func TestARefusalTellsNothingOfTheRightSignature(t *testing.T) {
	t.Parallel()
	d := begin(t, capture.Endpoint{Name: "git", Path: "/git", Provider: "github", Secrets: []capture.Secret{githubSecret}})
	res := converse(t, d.addr, posted("/git", "{}", "X-GitHub-Event: push", "X-Hub-Signature-256: sha256="+strings.Repeat("0", 64)))
	require.Equal(t, http.StatusUnauthorized, res.StatusCode)
	var answer bytes.Buffer
	require.NoError(t, res.Write(&answer))
	require.NotContains(t, answer.String(), hmacHex(githubSecret, "{}"))
	require.NotContains(t, answer.String(), githubSecret)
	require.Equal(t, capture.Invalid, d.stored(1).Signature.Status)
}

// A sender that goes away in its body is not acknowledged, and half of a body
// is never sent on, neither by itself nor by hand.
func TestHalfARequestIsKeptAndGoesNowhere(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t, all(h.url))
	c, err := net.Dial("tcp", d.addr)
	require.NoError(t, err)
	_, err = io.WriteString(c, "POST /in HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\n{\"half\": ")
	require.NoError(t, err)
	require.NoError(t, c.(*net.TCPConn).CloseWrite())
	answer, err := io.ReadAll(c)
	require.NoError(t, err)
	require.NotContains(t, string(answer), "HTTP/1.1 2")
	c.Close()
	r := d.stored(1)
	require.Equal(t, capture.Incomplete, r.Kind)
	require.Contains(t, r.Note, "9 of 20 bytes")
	run := d.replayed(once(r), "")
	require.Equal(t, 1, run.Skipped, "%+v", run)
	require.Empty(t, h.all())
}

func TestTheLargestPayloadIsWholeAndOneByteMoreIsRefused(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	const size = 25 << 20 // GitHub's largest
	ep := all(h.url)
	ep.Secrets = []capture.Secret{githubSecret}
	d := beginWith(t, Config{Dir: t.TempDir(), MaxBody: size}, ep)
	body := `{"t":"` + strings.Repeat("x", size-8) + `"}`
	require.Len(t, body, size)
	status, _ := d.say(github("/in", body, githubSecret))
	require.Equal(t, http.StatusOK, status)
	r := d.stored(1)
	require.Equal(t, capture.Valid, r.Signature.Status)
	d.tried(r, 1)
	require.Equal(t, body, string(h.all()[0].body))

	status, _ = d.say(github("/in", body+" ", githubSecret))
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	r = d.stored(2)
	require.Equal(t, capture.Oversize, r.Kind)
	require.Empty(t, r.Body)
	require.Contains(t, r.Note, strconv.Itoa(size+1))
	require.Equal(t, capture.Unchecked, r.Signature.Status)
}

// A set-up check is answered with the handler down, is no event, and is not forwarded.
func TestSlacksChallengeIsAnsweredForTheHandler(t *testing.T) {
	t.Parallel()
	const secret = "example-slack-signing-secret"
	d := begin(t, capture.Endpoint{Name: "slack", Path: "/slack", Provider: "slack", Secrets: []capture.Secret{secret}, Target: "http://" + nobody(t)})
	body := `{"type":"url_verification","token":"x","challenge":"ah-challenge-1"}`
	now := strconv.FormatInt(time.Now().Unix(), 10)
	status, answer := d.say(posted("/slack", body, "X-Slack-Request-Timestamp: "+now, "X-Slack-Signature: v0="+hmacHex(secret, "v0:"+now+":"+body)))
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, answer, "ah-challenge-1")
	r := d.stored(1)
	require.Equal(t, capture.Handshake, r.Kind)
	require.Empty(t, r.Events)
	d.stands(1, replay.Kept)

	status, answer = d.say(posted("/slack", body, "X-Slack-Request-Timestamp: "+now, "X-Slack-Signature: v0="+strings.Repeat("0", 64)))
	require.Equal(t, http.StatusUnauthorized, status)
	require.NotContains(t, answer, "ah-challenge-1")
}
