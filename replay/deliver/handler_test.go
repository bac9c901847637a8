package deliver

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A rawHandler is a handler that keeps the bytes it reads and answers with
// what it is told, without net/http in between.
type rawHandler struct {
	net.Listener
	answer func(n int, conn net.Conn) // nil: 200, "ok"; n counts requests from 1

	mu       sync.Mutex
	requests []string
	conns    int
}

func listen(t testing.TB, addr string, answer func(n int, conn net.Conn)) *rawHandler {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	require.NoError(t, err)
	h := &rawHandler{Listener: l, answer: answer}
	var wg sync.WaitGroup
	wg.Go(func() { h.serve(&wg) })
	t.Cleanup(func() { _ = l.Close(); wg.Wait() })
	return h
}

func (h *rawHandler) serve(wg *sync.WaitGroup) {
	for {
		conn, err := h.Accept()
		if err != nil {
			return
		}
		h.mu.Lock()
		h.conns++
		h.mu.Unlock()
		wg.Go(func() {
			defer conn.Close()
			br := bufio.NewReader(conn)
			for {
				raw, err := readRaw(br)
				if err != nil {
					return
				}
				h.mu.Lock()
				h.requests = append(h.requests, raw)
				n := len(h.requests)
				h.mu.Unlock()
				if h.answer == nil {
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
					continue
				}
				h.answer(n, conn)
				return
			}
		})
	}
}

// readRaw reads a request with a Content-Length, or none.
func readRaw(br *bufio.Reader) (string, error) {
	var b strings.Builder
	length := 0
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			return "", err
		}
		b.WriteString(line)
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "content-length") {
			length, _ = strconv.Atoi(strings.TrimSpace(value))
		}
		if line == "\r\n" {
			break
		}
	}
	body := make([]byte, length)
	_, err := io.ReadFull(br, body)
	return b.String() + string(body), err
}

func (h *rawHandler) got() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.requests)
}

func (h *rawHandler) connections() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.conns
}

func (h *rawHandler) port() string {
	_, port, _ := net.SplitHostPort(h.Addr().String())
	return port
}

func (h *rawHandler) url(path string) string { return "http://" + h.Addr().String() + path }

// says answers with s and closes.
func says(s string) func(int, net.Conn) {
	return func(_ int, conn net.Conn) { _, _ = io.WriteString(conn, s) }
}

// A journal numbers attempts as the real one does, and checks the order of calls.
type journal struct {
	mu     sync.Mutex
	n      map[string]int
	begun  []replay.Attempt
	ended  []replay.Attempt
	refuse func(*replay.Attempt) error
}

func (j *journal) Begin(ctx context.Context, a *replay.Attempt) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.refuse != nil {
		if err := j.refuse(a); err != nil {
			return err
		}
	}
	if j.n == nil {
		j.n = map[string]int{}
	}
	j.n[string(a.Request)+a.Target]++
	a.ID, a.N = int64(len(j.begun)+1), j.n[string(a.Request)+a.Target]
	j.begun = append(j.begun, *a)
	return ctx.Err()
}

func (j *journal) End(ctx context.Context, a *replay.Attempt) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ended = append(j.ended, *a)
	return ctx.Err()
}

func sender() (*Sender, *journal) {
	j := &journal{}
	return &Sender{Journal: j, Now: time.Now}, j
}

// request is a request as it came, from its raw bytes.
func request(raw string) *capture.Request {
	head, body, _ := strings.Cut(raw, "\r\n\r\n")
	r := &capture.Request{
		Seq: 7, ID: "req-7", Kind: capture.Delivery, At: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		URL: "https://hooks.example.test/in", Head: capture.Head(head + "\r\n\r\n"), Body: []byte(body),
	}
	r.Header = r.Head.Header()
	r.Method, _, _ = r.Head.Line()
	return r
}

func post(body string) *capture.Request {
	return request("POST /in HTTP/1.1\r\nHost: hooks.example.test\r\nContent-Type: application/json\r\nContent-Length: " +
		strconv.Itoa(len(body)) + "\r\n\r\n" + body)
}

func send(t *testing.T, s *Sender, o Order) replay.Attempt {
	t.Helper()
	a, err := s.Send(t.Context(), o)
	require.NoError(t, err)
	return a
}

// answered runs one delivery against a handler that answers so.
func answered(t *testing.T, answer func(int, net.Conn), timeout time.Duration) (replay.Outcome, *rawHandler) {
	t.Helper()
	h := listen(t, "127.0.0.1:0", answer)
	s, _ := sender()
	a := send(t, s, Order{Request: post(`{"a":1}`), Target: Target{URL: h.url("/hook"), Timeout: timeout}})
	return a.Outcome, h
}

func names(addrs map[string]string) func(context.Context, string) ([]netip.Addr, error) {
	return func(_ context.Context, host string) ([]netip.Addr, error) {
		a, ok := addrs[host]
		if !ok {
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
		return []netip.Addr{netip.MustParseAddr(a)}, nil
	}
}

func hasIPv6(t *testing.T) bool {
	t.Helper()
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		return false
	}
	_ = l.Close()
	return true
}
