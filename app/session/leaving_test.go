package session

import (
	"io"
	"net"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
)

// A session ends although a handler hangs, a sender waits for that handler,
// and another stopped in the middle of its body. What was not delivered is
// delivered by the next one.
func TestCloseDoesNotWaitForAHandlerThatHangs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	hang := make(chan struct{})
	h := handle(t, func(heard) string { <-hang; return ok200 })
	s, err := Start(t.Context(), Config{Dir: dir, Listen: "127.0.0.1:0", NoKeychain: true})
	require.NoError(t, err)
	d := &desk{s, t, s.localURL[len("http://"):]}
	require.NoError(t, s.SetEndpoints(t.Context(), all(h.url),
		capture.Endpoint{Name: "wait", Path: "/wait", Target: h.url, Reply: capture.Wait, Deadline: time.Hour},
		capture.Endpoint{Name: "late", Path: "/late", Reply: capture.FixedReply, Fixed: capture.Fixed{Status: 500, Delay: time.Hour}}))
	d.say(posted("/in", "1"))
	waiting := d.sent(posted("/wait", "2"))
	late := d.sent(posted("/late", "3"))
	d.sent("POST /in HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf")
	d.until("the handler has both", func() bool { return len(h.all()) == 2 && d.Status().Requests == 3 })

	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	select {
	case err := <-closed:
		require.NoError(t, err)
	case <-time.After(patience): // less than any of them would take
		t.Fatal("it waits for one of them")
	}
	answer, err := io.ReadAll(waiting)
	require.NoError(t, err)
	require.Contains(t, string(answer), "HTTP/1.1 200 OK\r\n", "it is stored, so it is acknowledged")
	answer, err = io.ReadAll(late)
	require.NoError(t, err)
	require.Contains(t, string(answer), "HTTP/1.1 500 ", "what it was to hear, only sooner")
	close(hang)

	d = beginWith(t, Config{Dir: dir})
	told := map[string]int{}
	for seq := range capture.Seq(3) {
		r := d.stored(seq + 1)
		told[string(r.Body)] = r.Answered
	}
	require.Equal(t, map[string]int{"1": 200, "2": 200, "3": 500}, told, "what they were told is noted")
	as := d.tried(d.stored(1), 2)
	require.Equal(t, replay.Canceled, as[0].Outcome.Failure)
	require.Equal(t, 200, as[1].Outcome.Status)
}

// sent sends raw bytes and does not wait for an answer.
func (d *desk) sent(raw string) net.Conn {
	d.t.Helper()
	c, err := net.Dial("tcp", d.addr)
	require.NoError(d.t, err)
	d.t.Cleanup(func() { c.Close() })
	require.NoError(d.t, c.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(c, raw)
	require.NoError(d.t, err)
	return c
}

// Not parallel: it counts goroutines.
func TestFiftyStartsAndEndsLeaveNothingBehind(t *testing.T) {
	dir := t.TempDir()
	before := runtime.NumGoroutine()
	for range 50 {
		s, err := Start(t.Context(), Config{Dir: dir, Listen: "127.0.0.1:0", NoKeychain: true})
		require.NoError(t, err)
		res, err := http.Post(s.Status().LocalURL+"/in", "application/json", http.NoBody)
		require.NoError(t, err)
		res.Body.Close()
		require.NoError(t, s.Practice(t.Context(), true))
		require.NoError(t, s.Close())
	}
	http.DefaultClient.CloseIdleConnections()
	for end := time.Now().Add(patience); runtime.NumGoroutine() > before && time.Now().Before(end); {
		runtime.Gosched()
	}
	if n := runtime.NumGoroutine(); n > before {
		stacks := make([]byte, 1<<20)
		t.Fatalf("%d goroutines before, %d now:\n%s", before, n, stacks[:runtime.Stack(stacks, true)])
	}
}

func TestOnlyOneWorksInAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := beginWith(t, Config{Dir: dir})
	d.say(posted("/in", "{}"))
	_, err := Start(t.Context(), Config{Dir: dir, Listen: "127.0.0.1:0", NoKeychain: true})
	require.ErrorIs(t, err, store.ErrLocked)
	require.ErrorContains(t, err, "another AnyHook has this data folder open")
	d.stored(1)
	look, err := Look(t.Context(), dir)
	require.NoError(t, err)
	defer look.Close()
	last, err := look.Last(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, last)
	_, err = Look(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "holds no AnyHook data")
}

func TestATakenPortIsSaid(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	taken := l.Addr().(*net.TCPAddr)
	cfg := Config{Dir: t.TempDir(), Listen: taken.String(), NoKeychain: true}
	_, err = Start(t.Context(), cfg)
	require.ErrorContains(t, err, taken.String()+": another program listens there")
	cfg.AnyPort = true
	s, err := Start(t.Context(), cfg)
	require.NoError(t, err)
	defer s.Close()
	require.Equal(t, taken.Port, s.Status().PortTaken)
	require.NotContains(t, s.Status().LocalURL, taken.String())
}

// What cannot be stored is not acknowledged, is said, and is over by itself.
func TestAFullDiskIsSaidAndIsOverByItself(t *testing.T) {
	t.Parallel()
	d := begin(t)
	pages := func(n string) {
		require.NoError(t, d.db.Write(t.Context(), func(tx store.Tx) error {
			var got int
			return tx.QueryRow(`PRAGMA max_page_count = ` + n).Scan(&got)
		}))
	}
	pages("200")
	big := string(make([]byte, 100_000))
	var acked int
	for range 20 {
		res := converse(t, d.addr, posted("/in", big))
		if res.StatusCode == http.StatusOK {
			acked++
			continue
		}
		require.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
		require.NotEmpty(t, res.Header.Get("Retry-After"))
	}
	require.Positive(t, acked)
	require.Less(t, acked, 20)
	require.ErrorIs(t, d.Status().Store, store.ErrFull)
	require.EqualValues(t, acked, d.Status().Requests)
	pages("1000000")
	status, _ := d.say(posted("/in", big))
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, d.Status().Store)
	for n := range acked + 1 {
		require.Equal(t, big, string(d.stored(capture.Seq(n+1)).Body), "half stored")
	}
}
