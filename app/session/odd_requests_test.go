package session

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func gzipped(t *testing.T, body string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, body)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

func hmacHex(secret, body string) string {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte(body))
	return hex.EncodeToString(m.Sum(nil))
}

// Whatever bytes a body has, and however it came, the same bytes are stored
// and reach the handler with one length and no coding of the transfer.
func TestBodiesReachTheHandlerToTheByte(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t, all(h.url+"/hook"))
	const form, text = "application/x-www-form-urlencoded", "text/plain; charset=UTF-8"
	multipart := "--B\r\nContent-Disposition: form-data; name=\"text\"\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nca\xe9\r\n" +
		"--B\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a b.bin\"\r\n\r\n\x00\x01\x02\xff\r\n\r\n--B--\r\n"
	tests := []struct{ name, kind, coding, body string }{
		{"JSON that every parser would write otherwise", "application/json", "", "{ \"url\": \"https:\\/\\/e.test\\/a\" , \"n\":1.0, \"big\":12345678901234567890 }"},
		{"a form with a plus and an escaped blank", form, "", "payload=%7B%22zen%22%3A%22a+b%20c%22%7D"},
		{"JSON called text, with a tab, a key twice and line ends at its end", text, "", "{ \"b\":1,\n  \"a\":1, \"a\":2,\t\"c\":[ ] }\n\n"},
		{"parts in other alphabets, with a zero byte", "multipart/form-data; boundary=B", "", multipart},
		{"a packed body", "application/json", "gzip", gzipped(t, `{"foo":"bar"}`)},
		{"a body that unpacks to a thousand times its size", "application/json", "gzip", gzipped(t, strings.Repeat("\x00", 32<<20))},
		{"a packed body cut short", "application/json", "gzip", gzipped(t, `{"foo":"bar"}`)[:15]},
		{"a body that is not what it says", "application/json", "gzip", "{}"},
		{"a byte order mark and a broken letter", "application/json", "", "\xef\xbb\xbf{\xff\x00}"},
		{"a quotation that shells would read", "application/json", "", "{\"name\":\"I'm\",\"sh\":\"$(id) `id` \\\\ !\"}"},
		{"nothing", "application/json", "", ""},
	}
	for i, tt := range tests {
		for chunked := range 2 {
			seq := capture.Seq(2*i + chunked + 1)
			head := "POST /in/x HTTP/1.1\r\nHost: h.example\r\nContent-Type: " + tt.kind + "\r\n"
			if tt.coding != "" {
				head += "Content-Encoding: " + tt.coding + "\r\n"
			}
			sent := tt.body
			if chunked == 1 {
				head += "Transfer-Encoding: chunked\r\n\r\n"
				sent = chunks(tt.body)
			} else {
				head += fmt.Sprintf("Content-Length: %d\r\n\r\n", len(tt.body))
			}
			status, _ := d.say(head + sent)
			require.Equal(t, http.StatusOK, status, tt.name)
			r := d.stored(seq)
			require.Equal(t, head, string(r.Head), tt.name)
			require.Equal(t, tt.body, string(r.Body), tt.name)
			require.Equal(t, capture.Delivery, r.Kind, tt.name)
			d.tried(r, 1)
			got := h.all()[seq-1]
			require.Equal(t, tt.body, string(got.body), tt.name)
			require.Equal(t, []string{fmt.Sprint(len(tt.body))}, got.head.Header().Values("Content-Length"), tt.name)
			require.Empty(t, got.header("Transfer-Encoding"), tt.name)
			require.Equal(t, tt.kind, got.header("Content-Type"), tt.name)
			require.Equal(t, tt.coding, got.header("Content-Encoding"), tt.name)
		}
	}
}

// chunks sends each byte in a chunk of its own.
func chunks(body string) string {
	var b strings.Builder
	for i := range len(body) {
		b.WriteString("1\r\n" + body[i:i+1] + "\r\n")
	}
	return b.String() + "0\r\n\r\n"
}

func TestHeadersReachTheHandlerAsTheSenderWroteThem(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t, all(h.url))
	status, _ := d.say("POST /in/a?b=1&a=%2f HTTP/1.1\r\nHost: h.example\r\nx-atlassian-webhook-identifier: id-1\r\nX-GitHub-Event: push\r\n" +
		"x-dup: 1\r\nX-DUP: 2\r\nX-Empty:\r\nX-Hub-Signature-256:  sha256=b002 \r\nUser-Agent: GitHub-Hookshot/ah\r\nAccept: */*\r\nAccept-Encoding: br\r\n" +
		"Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nTE: trailers\r\nProxy-Authorization: Basic eDp5\r\n" +
		"X-Forwarded-For: 203.0.113.9\r\nx-anyhook-attempt: 7\r\nContent-Length: 2\r\n\r\n{}")
	require.Equal(t, http.StatusOK, status)
	r := d.stored(1)
	require.Equal(t, "127.0.0.1", r.Peer, "a forged address is believed")
	d.tried(r, 1)
	require.Equal(t, "POST /in/a?b=1&a=%2f HTTP/1.1\r\nHost: "+h.addr+"\r\nx-atlassian-webhook-identifier: id-1\r\nX-GitHub-Event: push\r\n"+
		"x-dup: 1\r\nX-DUP: 2\r\nX-Empty:\r\nX-Hub-Signature-256:  sha256=b002 \r\nUser-Agent: GitHub-Hookshot/ah\r\nAccept: */*\r\nAccept-Encoding: br\r\n"+
		"X-Forwarded-For: 203.0.113.9\r\nContent-Length: 2\r\n"+
		"X-AnyHook-Delivery: "+string(r.ID)+"\r\nX-AnyHook-Attempt: 1\r\nX-AnyHook-Received-At: "+r.At.Format(time.RFC3339Nano)+"\r\n\r\n",
		string(h.all()[0].head))
}

// No way to write the address makes AnyHook send the sender elsewhere.
func TestAnyAddressIsTakenAsItIsWritten(t *testing.T) {
	t.Parallel()
	d := begin(t, capture.Endpoint{Name: "shop", Path: "/in/stripe"})
	for i, target := range []string{"//in/stripe", "/in//stripe", "/in/../in/stripe", "/in/stripe/", "/in/%73tripe", "/in/stripe?x=%zz"} {
		status, _ := d.say(posted(target, "{}"))
		require.Equal(t, http.StatusOK, status, target)
		r := d.stored(capture.Seq(i + 1))
		_, stored, _ := r.Head.Line()
		require.Equal(t, target, stored)
		require.Equal(t, "http://h.example"+target, r.URL)
		require.Equal(t, "shop", r.Endpoint, target)
		require.Equal(t, strings.Contains(target, "//"), strings.Contains(r.Note, "doubled slash"), target)
	}
}

func TestASenderThatAsksFirstIsToldOnceToGoOn(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t, all(h.url))
	c, err := net.Dial("tcp", d.addr)
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(c, "POST /in HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2000\r\n\r\n")
	require.NoError(t, err)
	in := bufio.NewReader(c)
	line, err := in.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 100 Continue\r\n", line)
	_, err = io.WriteString(c, strings.Repeat("a", 2000))
	require.NoError(t, err)
	rest, err := io.ReadAll(in)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(rest), "HTTP/1.1 "))
	require.Contains(t, string(rest), "HTTP/1.1 200 OK\r\n")
	r := d.stored(1)
	require.Len(t, r.Body, 2000)
	d.tried(r, 1)
	require.Empty(t, h.all()[0].header("Expect"))

	status, _ := d.say("POST /in HTTP/1.1\r\nHost: h\r\nExpect: something-else\r\nContent-Length: 2\r\n\r\n{}")
	require.Equal(t, http.StatusExpectationFailed, status)
	refused := d.stored(2)
	require.Equal(t, capture.Stray, refused.Kind)
	require.Contains(t, string(refused.Head), "Expect: something-else")
}
