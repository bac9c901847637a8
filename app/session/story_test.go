package session

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A desk is a session at work, and how a test talks to it.
type desk struct {
	*Session
	t    *testing.T
	addr string
}

// begin starts a session in a folder of its own; the endpoints are added to it.
func begin(t *testing.T, endpoints ...capture.Endpoint) *desk {
	t.Helper()
	return beginWith(t, Config{Dir: t.TempDir()}, endpoints...)
}

func beginWith(t *testing.T, cfg Config, endpoints ...capture.Endpoint) *desk {
	t.Helper()
	cfg.Listen, cfg.NoKeychain = "127.0.0.1:0", true
	s, err := Start(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.NoError(t, s.SetEndpoints(t.Context(), endpoints...))
	return &desk{s, t, strings.TrimPrefix(s.Status().LocalURL, "http://")}
}

// all is the endpoint that catches every path, with a target.
func all(target string) capture.Endpoint {
	return capture.Endpoint{Name: DefaultEndpoint, Path: "/", Target: target}
}

// until waits for what a test is about.
func (d *desk) until(what string, ok func() bool) {
	d.t.Helper()
	late := time.After(patience)
	for {
		changed := d.Changed()
		if ok() {
			return
		}
		select {
		case <-changed:
		case <-time.After(10 * time.Millisecond): // what happens at a handler rings no bell
		case <-late:
			d.t.Fatalf("not in %v: %s", patience, what)
		}
	}
}

// stored waits for the nth request, read, and returns it.
func (d *desk) stored(n capture.Seq) *capture.Request {
	d.t.Helper()
	d.until(fmt.Sprintf("request %d is read", n), func() bool { return d.log.ReadTo() >= n })
	sums, err := d.Summaries(d.t.Context(), []capture.Seq{n})
	require.NoError(d.t, err)
	require.Len(d.t, sums, 1)
	r, err := d.Request(d.t.Context(), sums[0].ID)
	require.NoError(d.t, err)
	return r
}

// tried waits until n attempts at r have ended.
func (d *desk) tried(r *capture.Request, n int) []replay.Attempt {
	d.t.Helper()
	var as []replay.Attempt
	d.until(fmt.Sprintf("%d attempts at request %d have ended", n, r.Seq), func() bool {
		var err error
		as, err = d.Attempts(d.t.Context(), r.ID)
		require.NoError(d.t, err)
		return len(as) >= n && (as[n-1].Outcome.Status != 0 || as[n-1].Outcome.Failure != "")
	})
	return as
}

func (d *desk) standing(n capture.Seq) replay.Standing {
	d.t.Helper()
	all, err := d.Standings(d.t.Context(), []capture.Seq{n})
	require.NoError(d.t, err)
	require.Len(d.t, all, 1)
	return all[0]
}

// stands waits until the forwarding of request n stands so.
func (d *desk) stands(n capture.Seq, want replay.Progress) {
	d.t.Helper()
	d.until(fmt.Sprintf("request %d is %s", n, want), func() bool { return d.standing(n).Progress == want })
}

// say sends raw bytes on a connection of their own and returns the answer.
func (d *desk) say(raw string) (status int, body string) {
	d.t.Helper()
	res := converse(d.t, d.addr, raw)
	b, err := io.ReadAll(res.Body)
	require.NoError(d.t, err)
	return res.StatusCode, string(b)
}

func converse(t *testing.T, addr, raw string) *http.Response {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(c, raw)
	require.NoError(t, err)
	method, _, _ := strings.Cut(raw, " ")
	res, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	require.NoError(t, err)
	return res
}

// posted is a POST of a JSON body.
func posted(path, body string, fields ...string) string {
	lines := append([]string{"POST " + path + " HTTP/1.1", "Host: h.example", "Content-Type: application/json"}, fields...)
	return strings.Join(lines, "\r\n") + fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// A handler is a developer's handler, seen from the socket.
type handler struct {
	url  string
	addr string

	mu  sync.Mutex
	got []heard
}

// heard is one request as it was on the wire.
type heard struct {
	head capture.Head
	body []byte
}

func (h heard) header(name string) string { return h.head.Header().Get(name) }

const ok200 = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

// handle starts a handler that answers with what answer returns, and hangs up.
func handle(t *testing.T, answer func(heard) string) *handler {
	t.Helper()
	return handleAt(t, "127.0.0.1:0", answer)
}

func handleAt(t *testing.T, addr string, answer func(heard) string) *handler {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	require.NoError(t, err)
	h := &handler{url: "http://" + l.Addr().String(), addr: l.Addr().String()}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { h.serve(c, answer) })
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	return h
}

func (h *handler) serve(c net.Conn, answer func(heard) string) {
	defer c.Close()
	in := bufio.NewReader(c)
	var x heard
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return // only a look whether somebody listens
		}
		x.head = append(x.head, line...)
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
	}
	n, _ := strconv.Atoi(x.header("Content-Length"))
	x.body = make([]byte, n)
	if _, err := io.ReadFull(in, x.body); err != nil {
		return
	}
	h.mu.Lock()
	h.got = append(h.got, x)
	h.mu.Unlock()
	_, _ = io.WriteString(c, answer(x))
}

// all returns what came so far.
func (h *handler) all() []heard {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]heard{}, h.got...)
}

func taken(heard) string { return ok200 }

// nobody is an address at which nobody listens.
func nobody(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}
