package capture_test

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/wire"
)

var arrival = time.Date(2026, 11, 30, 12, 0, 0, 5, time.UTC)

const secret = "example-secret-zq7"

// memLog keeps requests in memory, fails with err while it is set, and checks how it is used.
type memLog struct {
	t testing.TB

	mu       sync.Mutex
	err      error
	kept     []*capture.Request
	answered map[capture.ID]int
	more     chan struct{}
}

func (l *memLog) Append(ctx context.Context, r *capture.Request) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	if ctx.Err() != nil {
		l.t.Error("the context of an append ends with the sender")
	}
	if r.ID == "" || r.Kind == "" || r.At.IsZero() || r.Body == nil || r.Seq != 0 || r.Signature.Status == "" || len(r.Head) == 0 {
		l.t.Errorf("not fit to be kept: %+v", r)
	}
	l.kept = append(l.kept, r)
	r.Seq = capture.Seq(len(l.kept))
	l.more <- struct{}{}
	return nil
}

func (l *memLog) Answered(_ context.Context, id capture.ID, status int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.kept {
		if r.ID == id && r.Answered == 0 && l.answered[id] == 0 {
			l.answered[id] = status
			l.more <- struct{}{}
			return l.err
		}
	}
	l.t.Errorf("%s was answered already, or is not there", id)
	return nil
}

func (l *memLog) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

// next waits for the next request to be kept, or for an answer to be noted.
func (l *memLog) next() *capture.Request {
	<-l.more
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept[len(l.kept)-1]
}

func (l *memLog) all() []*capture.Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]*capture.Request{}, l.kept...)
}

func sign(body string) string {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte(body))
	return hex.EncodeToString(m.Sum(nil))
}

// acme is a provider that signs bodies, challenges with a GET that it cannot
// sign and with a POST that it signs, and breaks where a body says so.
var acme = capture.Provider{
	Name: "acme", Scheme: "HMAC-SHA256 of the body", Header: "X-Acme", Deadline: 5 * time.Second,
	Match: func(r *capture.Request) bool {
		if strings.Contains(string(r.Body), "panic-match") {
			panic(secret)
		}
		return r.Header.Get("X-Acme") != "" || strings.Contains(r.URL, "challenge=")
	},
	Verify: func(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
		got := r.Header.Get("X-Acme")
		switch {
		case strings.Contains(string(r.Body), "panic-verify"):
			panic(secret)
		case got == "":
			return capture.Signature{Status: capture.Missing, Why: capture.WhyNoHeader, Detail: "X-Acme"}
		case len(secrets) == 0:
			return capture.Signature{Status: capture.Unchecked, Why: capture.WhyNoSecret}
		case now != r.At:
			panic("not as of the arrival")
		case got == "old":
			return capture.Signature{Status: capture.Stale, Why: capture.WhyTooOld, Detail: "301s"}
		}
		for i, s := range secrets {
			if s == secret && hmac.Equal([]byte(got), []byte(sign(string(r.Body)))) {
				return capture.Signature{Status: capture.Valid, Secret: i + 1}
			}
		}
		return capture.Signature{Status: capture.Invalid, Why: capture.WhyNoMatch, Detail: "HMAC-SHA256"}
	},
	Events: func(r *capture.Request) ([]capture.Event, error) {
		if strings.Contains(string(r.Body), "panic-events") {
			panic(secret)
		}
		return []capture.Event{{Key: capture.Key{Value: string(r.Body)}}}, nil
	},
	Handshake: func(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
		_, challenge, ok := strings.Cut(r.URL, "challenge=")
		if !ok {
			_, challenge, ok = strings.Cut(string(r.Body), "challenge:")
		}
		if challenge == "panic" {
			panic(secret)
		}
		return capture.Answer{Status: 200, Fields: []capture.Field{{Name: "Content-Type", Value: "text/plain"}}, Body: []byte(challenge)}, ok
	},
}

var endpoints = []capture.Endpoint{
	{Name: "acme", Path: "/in/acme", Provider: "acme", Secrets: []capture.Secret{"other", secret}},
	{Name: "open", Path: "/in/open", Provider: "acme"},
	{Name: "any", Path: "/in/any", Secrets: []capture.Secret{secret}},
	{Name: "all", Path: "/"},
}

// desk is an Ingest behind a real server.
type desk struct {
	*capture.Ingest
	log     *memLog
	addr    string
	trouble chan error
	printed *syncBuffer
}

type syncBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func newDesk(t testing.TB, all ...capture.Endpoint) *desk {
	t.Helper()
	d := &desk{
		log:     &memLog{t: t, answered: map[capture.ID]int{}, more: make(chan struct{}, 1000)},
		trouble: make(chan error, 100),
		printed: &syncBuffer{},
	}
	router := &capture.Router{}
	router.Set(append(all, endpoints...))
	d.Ingest = &capture.Ingest{
		Log:       d.log,
		Providers: capture.NewProviders(acme),
		Router:    router,
		Head:      wire.Take,
		Origin:    func(*http.Request) (string, string) { return "https://hook.example", "192.0.2.7" },
		MaxBody:   1 << 20,
		NewID:     func() capture.ID { return capture.ID("req_" + rand.Text()) },
		Now:       func() time.Time { return arrival },
		Logger:    slog.New(slog.NewTextHandler(d.printed, nil)),
		Trouble:   func(err error) { d.trouble <- err },
	}
	return d
}

// serve serves d until the test ends.
func (d *desk) serve(t testing.TB) *desk {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	d.addr = l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	s := wire.Server(d.Ingest, d.Logger)
	s.BaseContext = func(net.Listener) context.Context { return ctx }
	go func() { _ = s.Serve(wire.Listen(l, d.Stray)) }()
	t.Cleanup(func() { cancel(); _ = s.Close() })
	return d
}

func (d *desk) dial(t testing.TB) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", d.addr)
	require.NoError(t, err)
	require.NoError(t, c.SetDeadline(time.Now().Add(30*time.Second)))
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// told is an answer as the sender sees it.
type told struct {
	status int
	header http.Header
	body   string
	closes bool
}

func read(t testing.TB, c net.Conn, method string) told {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return told{resp.StatusCode, resp.Header, string(body), resp.Close}
}

// send sends raw bytes and returns the answer.
func (d *desk) send(t testing.TB, raw string) told {
	t.Helper()
	c := d.dial(t)
	_, err := io.WriteString(c, raw)
	require.NoError(t, err)
	method, _, _ := strings.Cut(raw, " ")
	return read(t, c, method)
}

// post is a POST with a body, and a signature unless that is "".
func post(target, signature, body string) string {
	if signature != "" {
		signature = "x-ACME: " + signature + "\r\n"
	}
	return "POST " + target + " HTTP/1.1\r\nHost: h\r\n" + signature + "Content-Length: " + itoa(len(body)) + "\r\n\r\n" + body
}
