package wire

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// crowded is a server whose large heads have little room.
type crowded struct {
	t       *testing.T
	addr    string
	large   *budget
	strays  chan Stray
	waiting chan func() // a handler that was told to wait, and how to let it go on
}

func crowd(t *testing.T, room int) *crowded {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	d := &crowded{t, l.Addr().String(), &budget{free: room}, make(chan Stray, 1000), make(chan func(), 100)}
	s := Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := Take(r); !ok {
			w.WriteHeader(http.StatusInternalServerError)
		}
		if r.URL.Path == "/wait" {
			on := make(chan struct{})
			d.waiting <- func() { close(on) }
			<-on
		}
	}), quiet)
	go func() { _ = s.Serve(&listener{l, func(s Stray) { d.strays <- s }, d.large}) }()
	t.Cleanup(func() { _ = s.Close() })
	return d
}

func (d *crowded) left() int {
	d.large.mu.Lock()
	defer d.large.mu.Unlock()
	return d.large.free
}

// until waits for as much room as that.
func (d *crowded) until(free int) {
	d.t.Helper()
	for ctx := d.t.Context(); d.left() != free; runtime.Gosched() {
		require.NoError(d.t, ctx.Err())
	}
}

// post sends a request whose head has a field of n bytes, and returns the status.
func (d *crowded) post(path string, n int) int {
	d.t.Helper()
	c := dial(d.t, d.addr)
	_, err := io.WriteString(c, "POST "+path+" HTTP/1.1\r\nHost: h\r\nX: "+strings.Repeat("x", n)+"\r\n\r\n")
	require.NoError(d.t, err)
	return answer(d.t, bufio.NewReader(c))
}

func TestLargeHeadsShareTheirRoomAndSmallOnesNeedNone(t *testing.T) {
	t.Parallel()
	const size = 100 << 10
	d := crowd(t, 3*size)
	slow := dial(t, d.addr)
	_, err := io.WriteString(slow, "POST / HTTP/1.1\r\nHost: h\r\nX: "+strings.Repeat("x", size)) // and no end
	require.NoError(t, err)
	d.until(3*size - (size + len("POST / HTTP/1.1\r\nHost: h\r\nX: ") + 2*perLine - small))

	answered := make(chan int)
	go func() { answered <- d.post("/wait", 2*size) }() // whole, but not answered
	goOn := <-d.waiting
	require.Less(t, d.left(), size)

	require.Equal(t, http.StatusServiceUnavailable, d.post("/", size))
	s := <-d.strays
	require.Equal(t, http.StatusServiceUnavailable, s.Answered)
	require.True(t, strings.HasPrefix(s.Note, "too many large heads at once; answered 503 Service Unavailable"), s.Note)
	require.True(t, strings.HasPrefix(string(s.Bytes), "POST / HTTP/1.1\r\nHost: h\r\nX: xxx"))
	require.Equal(t, http.StatusOK, d.post("/", 5000), "a small one needs no room")

	goOn()
	require.Equal(t, http.StatusOK, <-answered)
	require.Equal(t, http.StatusOK, d.post("/", size), "there is room again")
	_, err = io.WriteString(slow, "\r\n\r\n")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer(t, bufio.NewReader(slow)), "who had room keeps it")
	d.until(3 * size)
	require.Empty(t, d.strays)
}

func TestRoomOfALargeHeadComesBackHoweverItEnds(t *testing.T) {
	t.Parallel()
	const room = 4 << 20
	d := crowd(t, room)
	long := "POST / HTTP/1.1\r\nHost: h\r\nX: " + strings.Repeat("x", 500<<10)
	for _, tt := range []struct {
		name, end string
		status    int
	}{
		{"answered", "\r\n\r\n", http.StatusOK},
		{"turned away by net/http", "\r\nX Bad: 1\r\n\r\n", http.StatusBadRequest},
		{"left by its sender", "", 0},
	} {
		c := dial(t, d.addr)
		_, err := io.WriteString(c, long)
		require.NoError(t, err, tt.name)
		d.until(room - len(long) - 2*perLine + small)
		_, err = io.WriteString(c, tt.end)
		require.NoError(t, err, tt.name)
		if tt.status != 0 {
			require.Equal(t, tt.status, answer(t, bufio.NewReader(c)), tt.name)
		} else {
			require.NoError(t, c.Close())
		}
		d.until(room)
	}
}

// Not parallel: it looks at the memory of the process. Without a limit the
// heads alone would be 40 MB, and with what net/http keeps four times that.
func TestManyLargeHeadsThatDoNotEndTakeLittleMemory(t *testing.T) {
	const senders, size, room, bound = 400, 100 << 10, 4 << 20, 48 << 20
	head := "POST / HTTP/1.1\r\nHost: h\r\nX: " + strings.Repeat("x", size)
	d := crowd(t, room)
	before := memory()
	for range senders {
		c := dial(t, d.addr)
		go func() { _, _ = io.WriteString(c, head) }()
	}
	most := before
	for len(d.strays) < senders-room/(size-small)-1 { // the rest has room
		most = max(most, memory())
		require.NoError(t, t.Context().Err())
	}
	require.Less(t, most-before, uint64(bound))
	require.Equal(t, http.StatusOK, d.post("/", 2000), "what is usual comes through")
}

func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A field of a few bytes costs many times as many.
func TestManyLinesCountForMoreThanTheirBytes(t *testing.T) {
	t.Parallel()
	d := crowd(t, 1<<20)
	c := dial(t, d.addr)
	_, err := io.WriteString(c, "POST /wait HTTP/1.1\r\nHost: h\r\n"+strings.Repeat("a:\r\n", 20_000)+"\r\n")
	require.NoError(t, err)
	goOn := <-d.waiting
	require.Less(t, d.left(), 1<<20-(4+perLine)*20_000+small)
	goOn()
	require.Equal(t, http.StatusOK, answer(t, bufio.NewReader(c)))
	d.until(1 << 20)
}

// To compare each value with each, or to join folded lines one by one, would take minutes.
func TestAFieldWithAHundredThousandLinesIsTaken(t *testing.T) {
	t.Parallel()
	d := crowd(t, 8<<20)
	for _, format := range []string{"a:%x\r\n", "\t%x\r\n"} {
		head := []byte("POST / HTTP/1.1\r\nHost: h\r\na: b\r\n")
		for i := range 120_000 {
			head = fmt.Appendf(head, format, i)
		}
		c := dial(t, d.addr)
		_, err := c.Write(append(head, "\r\n"...))
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, answer(t, bufio.NewReader(c)))
	}
}

func TestSenderOfARefusedHeadHearsOneAnswer(t *testing.T) {
	t.Parallel()
	d := crowd(t, 0)
	c := dial(t, d.addr)
	_, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: h\r\nX: "+strings.Repeat("x", 2*small))
	require.NoError(t, err)
	all, err := io.ReadAll(c)
	require.NoError(t, err)
	require.Equal(t, refusal, string(all))
}
