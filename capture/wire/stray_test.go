package wire

import (
	"bufio"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const good = "POST /good HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}"

var refusals = []struct {
	name, wire string
	status     int
	note       string
}{
	{"two lengths", "POST /in/generic HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, "answered 400 Bad Request"},
	{"a field name with a space", "POST /in/generic HTTP/1.1\r\nHost: h\r\nX Bad: 1\r\nContent-Length: 2\r\n\r\n{}", 400, "answered 400 Bad Request: invalid header name"},
	{"no host", "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", 400, "answered 400 Bad Request: missing required Host header"},
	{"another expectation", "POST /in/generic HTTP/1.1\r\nHost: h\r\nExpect: something-else\r\nContent-Length: 2\r\n\r\n{}", 417, "answered 417 Expectation Failed"},
	{"an unknown coding", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, "answered 501 Not Implemented"},
	{"another version", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505, "answered 505 HTTP Version Not Supported: unsupported protocol version"},
	{"the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "HTTP/2 on a port for HTTP/1; answered 505 HTTP Version Not Supported"},
	{"garbage", "\x00\xff garbage\r\n", 400, "answered 400 Bad Request"},
	{"TLS", "\x16\x03\x01\x00\x05\x01\x00\n\x01\x03\r\n\r\n", 400, "TLS on a port without TLS; answered 400 Bad Request"},
	{"a length that is none", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +2\r\n\r\n{}", 400, "answered 400 Bad Request"},
}

func TestWhatNetHTTPRefusesIsToldOnceWithItsBytes(t *testing.T) {
	t.Parallel()
	for _, tt := range refusals {
		for _, before := range []int{0, 1, 2} {
			t.Run(tt.name+strings.Repeat(" behind a good one", before), func(t *testing.T) {
				t.Parallel()
				got := make(chan seen, before)
				addr, strays := serve(t, taker(got))
				c := dial(t, addr)
				br := bufio.NewReader(c)
				for range before {
					_, _ = io.WriteString(c, good)
					require.Equal(t, 200, answer(t, br))
				}
				_, _ = io.WriteString(c, tt.wire)
				require.Equal(t, tt.status, answer(t, br))
				s := strays.one(t)
				require.Equal(t, tt.note, s.Note)
				require.Equal(t, tt.status, s.Answered)
				require.Equal(t, tt.wire, string(s.Bytes))
				require.Equal(t, "127.0.0.1", s.Peer)
				require.Len(t, got, before)
			})
		}
	}
}

func TestRefusedInOneWriteWithAGoodOneBefore(t *testing.T) {
	t.Parallel()
	got := make(chan seen, 1)
	addr, strays := serve(t, taker(got))
	c := dial(t, addr)
	br := bufio.NewReader(c)
	_, _ = io.WriteString(c, good+refusals[0].wire)
	require.Equal(t, 200, answer(t, br))
	require.Equal(t, 400, answer(t, br))
	require.Equal(t, refusals[0].wire, string(strays.one(t).Bytes))
	require.Len(t, got, 1)
}

func TestHeadOverTheLimitIsAStrayCutShort(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", good} {
		addr, strays := serve(t, taker(make(chan seen, 1)))
		c := dial(t, addr)
		go func() {
			_, _ = io.WriteString(c, before+"POST /long HTTP/1.1\r\nHost: h\r\nX: "+strings.Repeat("x", 2<<20))
		}()
		br := bufio.NewReader(c)
		if before != "" {
			require.Equal(t, 200, answer(t, br))
		}
		require.Equal(t, 431, answer(t, br))
		s := strays.one(t)
		require.Len(t, s.Bytes, maxStray)
		require.True(t, strings.HasPrefix(string(s.Bytes), "POST /long HTTP/1.1\r\n"))
		require.Regexp(t, `^answered 431 Request Header Fields Too Large; the first 65536 bytes of \d+$`, s.Note)
		require.Equal(t, 431, s.Answered)
	}
}

func TestConnectionsThatEndInsideTheHead(t *testing.T) {
	t.Parallel()
	const inside = "the sender closed the connection inside the head; answered 400 Bad Request"
	for _, tt := range []struct{ name, wire, bytes, note string }{
		{"nothing at all", "", "", ""},
		{"some bytes", "POST /in HT", "POST /in HT", inside},
		{"one byte", "P", "P", inside},
		{"one byte behind a good request", good + "P", "P", "the sender closed the connection inside the head; not answered"},
		{"some bytes behind a good request", good + "GET /x HTTP/1.1\r\nHo", "GET /x HTTP/1.1\r\nHo", inside},
		{"nothing behind a good request", good, "", ""},
		{"line ends behind a good request", good + "\r\n\r\n\r\n", "", ""},
		{"a body cut short is the handler's", good[:len(good)-1], "", ""},
		{"a broken chunk is the handler's", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "", ""},
		{
			"a request behind one that closes", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" + good, good,
			"not answered",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			addr, strays := serve(t, taker(make(chan seen, 2)))
			c := dial(t, addr)
			_, err := io.WriteString(c, tt.wire)
			require.NoError(t, err)
			require.NoError(t, c.(*net.TCPConn).CloseWrite())
			_, _ = io.Copy(io.Discard, c)
			if tt.bytes == "" {
				strays.none(t)
				return
			}
			got := strays.one(t)
			require.Equal(t, tt.bytes, string(got.Bytes))
			require.Equal(t, tt.note, got.Note)
		})
	}
}

func TestStrayIsToldOnceHoweverOftenTheConnectionIsClosed(t *testing.T) {
	t.Parallel()
	told := 0
	ours, theirs := net.Pipe()
	c := &conn{Conn: theirs, stray: func(Stray) { told++ }}
	go func() { _, _ = io.WriteString(ours, "GET /") }()
	_, err := io.ReadFull(c, make([]byte, 5))
	require.NoError(t, err)
	require.NoError(t, c.Close())
	require.NoError(t, c.Close())
	require.Equal(t, 1, told)
}
