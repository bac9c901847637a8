package wire

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// seen is what a handler was given.
type seen struct {
	head, body string
	ok         bool
}

// told is what the connections of a server told.
type told struct {
	strays chan Stray
	closed chan struct{} // one for each connection that was closed
}

// none makes sure that the next connection to close tells of no stray.
func (s told) none(t *testing.T) {
	t.Helper()
	<-s.closed
	require.Empty(t, s.strays)
}

// one returns the stray of the next connection to close.
func (s told) one(t *testing.T) Stray {
	t.Helper()
	<-s.closed
	require.Len(t, s.strays, 1)
	return <-s.strays
}

// serve serves h through Listen and Server.
func serve(t testing.TB, h http.Handler) (addr string, told told) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	told.strays, told.closed = make(chan Stray, 100), make(chan struct{}, 100)
	s := Server(h, quiet)
	s.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			told.closed <- struct{}{}
		}
	}
	go func() { _ = s.Serve(Listen(l, func(s Stray) { told.strays <- s })) }()
	t.Cleanup(func() { _ = s.Close() })
	return l.Addr().String(), told
}

// taker reads requests whole and tells of them.
func taker(got chan<- seen) http.Handler {
	return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		head, ok := Take(r)
		body, _ := io.ReadAll(r.Body)
		got <- seen{string(head), string(body), ok}
	})
}

func dial(t testing.TB, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// answer reads one answer whole and returns its status.
func answer(t testing.TB, br *bufio.Reader) int {
	t.Helper()
	resp, err := http.ReadResponse(br, nil)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	return resp.StatusCode
}

var kinds = []struct{ name, head, rest, body string }{
	{"spelling, order, repeats and white space", "POST /hook?a=1 HTTP/1.1\r\nhost: x\r\nX-Shopify-TOPIC:   orders/create \r\nx-dup: 1\r\nX-DUP: 2\r\nX-Empty:\r\nstripe-signature: t=1,v1=ab\r\nContent-Length: 5\r\n\r\n", "hello", "hello"},
	{"chunked with extensions and trailers", "POST /two HTTP/1.1\r\nHOST: x\r\ntransfer-encoding: Chunked\r\nTrailer: x-t\r\n\r\n", "4;ext=1\r\nwiki\r\nA \r\n0123456789\r\n0\r\nx-t: 1\r\n folded\r\n\r\n", "wiki0123456789"},
	{"no body", "GET /three HTTP/1.1\r\nHost: x\r\n\r\n", "", ""},
	{"bare line feeds", "POST /bare HTTP/1.1\nHost: x\nX-a: b\nContent-Length: 2\n\n", "zz", "zz"},
	{"a body that looks like a request", "POST /five HTTP/1.1\r\nHost: x\r\ncontent-LENGTH: 37\r\n\r\n", "\r\n\r\nPOST /five HTTP/1.1\r\nHost: x\r\n\r\n\n", "\r\n\r\nPOST /five HTTP/1.1\r\nHost: x\r\n\r\n\n"},
	{"CRLF behind a body", "POST /six HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n", "x\r\n\r\n", "x"},
	{"chunked wins over a length", "POST /in/generic HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", "2\r\n{}\r\n0\r\n\r\n", "{}"},
	{"one length twice", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length:  2\r\n\r\n", "{}", "{}"},
	{"absolute form", "POST http://other.example/a%2Fb?c HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "", ""},
	{"asterisk form", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "", ""},
	{"a folded line", "GET /fold HTTP/1.1\r\nHost: x\r\nX-Long: a\r\n\tb\r\n \r\n\r\n", "", ""},
	{"cache control that net/http makes up", "GET /pragma HTTP/1.1\r\nHost: x\r\nPragma: no-cache\r\n\r\n", "", ""},
	{"HTTP/1.0 kept alive, where chunked means nothing", "POST /ten HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\ncontent-length: 3\r\nX-old: y\r\n\r\n", "abc", "abc"},
}

func TestHeadsComeExactlyAsSentCutAtEverySize(t *testing.T) {
	t.Parallel()
	var wire bytes.Buffer
	for _, k := range kinds {
		wire.WriteString(k.head + k.rest)
	}
	for _, size := range []int{1, 2, 3, 5, 7, 64, 1000, 1 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			got := make(chan seen, len(kinds))
			addr, strays := serve(t, taker(got))
			c := dial(t, addr)
			require.NoError(t, c.(*net.TCPConn).SetNoDelay(true))
			go func() {
				for b := wire.Bytes(); len(b) > 0; b = b[min(size, len(b)):] {
					_, _ = c.Write(b[:min(size, len(b))])
				}
			}()
			br := bufio.NewReader(c)
			for _, k := range kinds {
				require.Equal(t, 200, answer(t, br), k.name)
				require.Equal(t, seen{k.head, k.body, true}, <-got, k.name)
			}
			_ = c.Close()
			strays.none(t)
		})
	}
}

func TestHeadsOfRandomPipelines(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	names := []string{"X-a", "x-B", "STRIPE-signature", "x-GitHub-Delivery", "accept"}
	for round := range 40 {
		var wire strings.Builder
		var want []string
		for i := range 1 + rnd.IntN(40) {
			head := fmt.Sprintf("POST /%d HTTP/1.1\r\nHost: x\r\n", i)
			for range rnd.IntN(8) {
				head += fmt.Sprintf("%s:%s%d\r\n", names[rnd.IntN(len(names))], strings.Repeat(" ", rnd.IntN(3)), rnd.IntN(1e6))
			}
			body := strings.Repeat("\r\n\r\nPOST / HTTP/1.1\r\n", rnd.IntN(400))
			if rnd.IntN(2) == 0 {
				head += fmt.Sprintf("content-length: %d\r\n\r\n", len(body))
				wire.WriteString(head + body)
			} else {
				head += "Transfer-Encoding: chunked\r\n\r\n"
				wire.WriteString(head)
				for len(body) > 0 {
					n := min(len(body), 1+rnd.IntN(3000))
					fmt.Fprintf(&wire, "%x\r\n%s\r\n", n, body[:n])
					body = body[n:]
				}
				wire.WriteString("0\r\n\r\n")
			}
			want = append(want, head)
		}
		got := make(chan seen, len(want))
		addr, _ := serve(t, taker(got))
		c := dial(t, addr)
		go func() { _, _ = io.WriteString(c, wire.String()) }()
		br := bufio.NewReader(c)
		for i := range want {
			require.Equal(t, 200, answer(t, br))
			g := <-got
			require.True(t, g.ok)
			require.Equal(t, want[i], g.head, "round %d", round)
		}
	}
}

func TestBodiesThatNobodyReadsAndExpect(t *testing.T) {
	t.Parallel()
	got := make(chan seen, 1)
	addr, strays := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		head, ok := Take(r)
		if r.URL.Path == "/read" {
			_, _ = io.Copy(io.Discard, r.Body)
		}
		got <- seen{string(head), "", ok}
	}))
	c := dial(t, addr)
	br := bufio.NewReader(c)
	body := strings.Repeat("GET / HTTP/1.1\r\n\r\n", 167)[:3000]
	for i := range 20 {
		path, expect := "/unread", ""
		if i%2 == 0 {
			path, expect = "/read", "expect: 100-continue\r\n"
		}
		head := fmt.Sprintf("POST %s HTTP/1.1\r\nhost: x\r\nn: %d\r\n%scontent-length: 3000\r\n\r\n", path, i, expect)
		_, _ = io.WriteString(c, head)
		if expect != "" {
			line, err := br.ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "HTTP/1.1 100 Continue\r\n", line)
			_, _ = br.ReadString('\n')
		}
		_, _ = io.WriteString(c, body)
		require.Equal(t, 200, answer(t, br))
		require.Equal(t, seen{head, "", true}, <-got)
	}
	_ = c.Close()
	strays.none(t)
}

func TestTakeSaysNoRatherThanSomethingWrong(t *testing.T) {
	t.Parallel()
	t.Run("twice for one request", func(t *testing.T) {
		t.Parallel()
		got := make(chan bool, 2)
		addr, _ := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, first := Take(r)
			_, second := Take(r)
			got <- first
			got <- second
		}))
		c := dial(t, addr)
		_, _ = io.WriteString(c, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
		require.Equal(t, 200, answer(t, bufio.NewReader(c)))
		require.True(t, <-got)
		require.False(t, <-got)
	})
	t.Run("not for each request", func(t *testing.T) {
		t.Parallel()
		got := make(chan bool, 2)
		addr, strays := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/second" {
				_, ok := Take(r)
				got <- ok
			}
		}))
		c := dial(t, addr)
		br := bufio.NewReader(c)
		_, _ = io.WriteString(c, "GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n\r\n")
		answer(t, br)
		answer(t, br)
		require.False(t, <-got)
		_ = c.Close()
		strays.none(t)
	})
	t.Run("without a connection of ours", func(t *testing.T) {
		t.Parallel()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://x/", http.NoBody)
		require.NoError(t, err)
		head, ok := Take(r)
		require.False(t, ok)
		require.Nil(t, head)
	})
	for _, tt := range []struct{ name, head string }{
		{"values in another order", "GET /a HTTP/1.1\r\nHost: x\r\nA: 1\r\nB: 2\r\nB: 1\r\n\r\n"},
		{"one value twice", "GET /a HTTP/1.1\r\nHost: x\r\nA: 1\r\nB: 1\r\nB: 1\r\n\r\n"},
		{"another target", "GET /b HTTP/1.1\r\nHost: x\r\nA: 1\r\nB: 1\r\nB: 2\r\n\r\n"},
		{"another value", "GET /a HTTP/1.1\r\nHost: x\r\nA: 2\r\nB: 1\r\nB: 2\r\n\r\n"},
		{"a field less", "GET /a HTTP/1.1\r\nHost: x\r\nB: 1\r\nB: 2\r\n\r\n"},
		{"a field more", "GET /a HTTP/1.1\r\nHost: x\r\nA: 1\r\nA: 1\r\nB: 1\r\nB: 2\r\n\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET /a HTTP/1.1\r\nHost: x\r\nA: 1\r\nB: 1\r\nB: 2\r\n\r\n")))
			require.NoError(t, err)
			require.False(t, agrees([]byte(tt.head), r))
		})
	}
}

func TestServerTakesHTTP1Only(t *testing.T) {
	t.Parallel()
	s := Server(http.NotFoundHandler(), quiet)
	require.True(t, s.Protocols.HTTP1())
	require.False(t, s.Protocols.UnencryptedHTTP2())
	require.False(t, s.Protocols.HTTP2())
}
