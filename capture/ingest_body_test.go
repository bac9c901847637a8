package capture_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/wire"
)

func TestBodyOverTheLimitIsRefusedWithoutAVerdict(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	head := "POST /in/acme HTTP/1.1\r\nHost: h\r\nX-Acme: wrong\r\n"
	for _, tt := range []struct{ name, raw, note string }{
		{"by one byte", head + "Content-Length: 1048577\r\n\r\n" + strings.Repeat("x", limit+1), "refused: 1048577 bytes > limit of 1048576"},
		{"by much", head + "Content-Length: 9000000\r\n\r\n" + strings.Repeat("x", 9000000), "refused: 9000000 bytes > limit of 1048576"},
		{"chunked", head + "Transfer-Encoding: chunked\r\n\r\n" + chunked(strings.Repeat("x", limit+1), 5000), "refused: more than 1048576 bytes, the limit"},
		{"chunked, by much", head + "Transfer-Encoding: chunked\r\n\r\n" + chunked(strings.Repeat("x", 9*limit), 5000), "refused: more than 1048576 bytes, the limit"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t).serve(t)
			got := d.send(t, tt.raw) // a sender that looks for an answer only when it has sent all
			require.Equal(t, 413, got.status)
			require.True(t, got.closes)
			r := d.log.next()
			require.Equal(t, capture.Oversize, r.Kind)
			require.Equal(t, tt.note, r.Note)
			require.Empty(t, r.Body)
			require.Equal(t, 413, r.Answered)
			require.Equal(t, capture.Unchecked, r.Signature.Status)
			require.True(t, strings.HasPrefix(string(r.Head), head))
		})
	}
	t.Run("asked first", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t).serve(t)
		require.Equal(t, 413, d.send(t, head+"Expect: 100-continue\r\nContent-Length: 1048577\r\n\r\n").status)
		require.Equal(t, capture.Oversize, d.log.next().Kind)
	})
}

func TestLargestPayloadOfAProviderIsKeptWhole(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.MaxBody = 0
	d.serve(t)
	body := `{"t":"` + strings.Repeat("x", 25<<20-8) + `"}`
	require.Equal(t, 200, d.send(t, post("/in/acme", sign(body), body)).status)
	r := d.log.next()
	require.Len(t, r.Body, 25<<20)
	require.Equal(t, capture.Valid, r.Signature.Status)
}

func TestSenderThatGoesAwayInTheBodyGetsNo2xx(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, raw, note, body string }{
		{"a length", "POST /in/acme HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\n{\"half\":1", "9 of 20 bytes", `{"half":1`},
		{"nothing of it", "POST /in/acme HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\n", "0 of 20 bytes", ""},
		{"chunked", "POST /in/acme HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"half\":\r\n", "8 bytes, and no end", `{"half":`},
		{"a broken chunk", "POST /in/acme HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nnonsense\r\n", "2 bytes, and no end, not well-formed", "{}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t).serve(t)
			c := d.dial(t)
			_, _ = io.WriteString(c, tt.raw)
			_ = c.(*net.TCPConn).CloseWrite()
			require.Equal(t, 400, read(t, c, "POST").status)
			r := d.log.next()
			require.Equal(t, capture.Incomplete, r.Kind)
			require.Equal(t, tt.note, r.Note)
			require.Equal(t, tt.body, string(r.Body))
			require.Equal(t, 400, r.Answered)
			require.Equal(t, capture.Unchecked, r.Signature.Status)
		})
	}
	t.Run("reset", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t).serve(t)
		c := d.dial(t)
		_, _ = io.WriteString(c, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\n")
		_ = c.(*net.TCPConn).SetLinger(0)
		_ = c.Close()
		require.NotEqual(t, capture.Delivery, d.log.next().Kind)
	})
}

// pipes is a listener whose connections are in memory, so that time can be made up.
type pipes struct {
	accept chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (*pipes) Addr() net.Addr { return &net.TCPAddr{} }

// inMemory serves d in a bubble of synctest, and returns how to connect and how to stop.
func (d *desk) inMemory() (dial func() net.Conn, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	p := &pipes{accept: make(chan net.Conn), closed: make(chan struct{})}
	s := wire.Server(d.Ingest, d.Logger)
	s.BaseContext = func(net.Listener) context.Context { return ctx }
	var served sync.WaitGroup
	served.Go(func() { _ = s.Serve(wire.Listen(p, d.Stray)) })
	dial = func() net.Conn {
		ours, theirs := net.Pipe()
		p.accept <- theirs
		return ours
	}
	return dial, func() {
		cancel(capture.ErrLeaving)
		synctest.Wait()
		_ = s.Close()
		served.Wait()
	}
}

func TestSenderThatStopsInTheBodyIsNotWaitedForLongerThanHalfAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		dial, stop := d.inMemory()
		defer stop()
		c := dial()
		_, _ = io.WriteString(c, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\n")
		start := time.Now()
		for range 5 { // slow, but it gets on
			time.Sleep(29 * time.Second)
			_, _ = io.WriteString(c, "x")
		}
		require.Equal(t, 408, read(t, c, "POST").status)
		require.Equal(t, 5*29*time.Second+30*time.Second, time.Since(start))
		r := d.log.next()
		require.Equal(t, capture.Incomplete, r.Kind)
		require.Equal(t, "5 of 20 bytes, too slow", r.Note)
		_ = c.Close()
	})
}

func TestBodyThatTricklesInEndsAfterTenMinutes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		dial, stop := d.inMemory()
		defer stop()
		c := dial()
		_, _ = io.WriteString(c, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\r\n")
		start := time.Now()
		var trickle sync.WaitGroup
		trickle.Go(func() {
			for err := error(nil); err == nil; _, err = io.WriteString(c, "x") {
				time.Sleep(19 * time.Second)
			}
		})
		defer trickle.Wait()
		require.Equal(t, 408, read(t, c, "POST").status)
		require.Equal(t, 10*time.Minute, time.Since(start).Truncate(time.Second))
		_ = c.Close()
	})
}
