package wire

import (
	"bytes"
	"context"
	"errors"
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
)

var quiet = slog.New(slog.DiscardHandler)

// pair is a listener that is given its connections.
type pair struct {
	accept chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (l *pair) Accept() (net.Conn, error) {
	select {
	case c := <-l.accept:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pair) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pair) Addr() net.Addr { return &net.TCPAddr{} }

// script is a connection on which data comes in pieces, and then its end.
type script struct {
	data  []byte
	sizes []byte // of the pieces, one after the other and again
	turn  int
}

func (s *script) Read(p []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, io.EOF
	}
	n := len(s.data)
	if len(s.sizes) > 0 {
		n = 1 + int(s.sizes[s.turn%len(s.sizes)])
		s.turn++
	}
	n = copy(p, s.data[:min(n, len(s.data))])
	s.data = s.data[n:]
	return n, nil
}

func (*script) Write(p []byte) (int, error)      { return len(p), nil }
func (*script) Close() error                     { return nil }
func (*script) CloseWrite() error                { return errors.ErrUnsupported }
func (*script) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (*script) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (*script) SetDeadline(time.Time) error      { return nil }
func (*script) SetReadDeadline(time.Time) error  { return nil }
func (*script) SetWriteDeadline(time.Time) error { return nil }

// FuzzHeads feeds net/http arbitrary bytes, cut arbitrarily, through a
// connection of ours. Each head that is handed out lies in those bytes, behind
// the one before, and reads as what net/http read.
func FuzzHeads(f *testing.F) {
	for _, k := range kinds {
		f.Add([]byte(k.head+k.rest+k.head+k.rest), []byte{})
		f.Add([]byte(k.head+k.rest+"GET / HTTP/1.1\r\nHost: x\r\n\r\n"), []byte{0, 3})
	}
	for _, r := range refusals {
		f.Add([]byte(good+r.wire), []byte{7})
	}
	f.Add([]byte("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5 ;x\r\nabcde\r\n0\r\n\r\n"), []byte{1})
	f.Add([]byte("POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n 5\r\n\r\nabcdeGET / HTTP/1.1\r\nHost: x\r\n\r\n"), []byte{1})
	f.Add([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), []byte{})
	f.Fuzz(func(t *testing.T, data, sizes []byte) {
		var heads []capture.Head
		var read []*http.Request
		h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			head, _ := Take(r)
			_, _ = io.Copy(io.Discard, r.Body)
			heads, read = append(heads, head), append(read, r)
		})
		var strays []Stray
		l := &pair{accept: make(chan net.Conn, 1), closed: make(chan struct{})}
		s := Server(h, quiet)
		done := make(chan struct{})
		s.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				close(done)
			}
		}
		var c *conn
		s.ConnContext = func(ctx context.Context, nc net.Conn) context.Context {
			c, _ = nc.(*conn)
			return ConnContext(ctx, nc)
		}
		go func() { _ = s.Serve(Listen(l, func(s Stray) { strays = append(strays, s) })) }()
		l.accept <- &script{data: bytes.Clone(data), sizes: sizes}
		<-done
		_ = s.Close()
		requireWithin(t, data, heads, read)
		require.LessOrEqual(t, len(strays), 1)
		for _, s := range strays {
			require.NotEmpty(t, s.Bytes)
			require.Contains(t, string(data), string(s.Bytes))
		}
		if len(read) == 0 && len(data) > 0 {
			require.Len(t, strays, 1, "%q left no trace", data)
		}
		require.LessOrEqual(t, cap(c.heads.raw), 2*(maxHead+maxStray))
	})
}

// requireWithin holds each head that was handed out to its request, and to its
// place in data: behind the one before.
func requireWithin(t *testing.T, data []byte, heads []capture.Head, read []*http.Request) {
	t.Helper()
	for i, head := range heads {
		if head == nil {
			continue
		}
		_, rest, found := bytes.Cut(data, head)
		require.True(t, found, "%q is not in %q", head, data)
		data = rest
		r := read[i]
		method, target, proto := head.Line()
		require.Equal(t, []string{r.Method, r.RequestURI, r.Proto}, []string{method, target, proto})
		fields := head.Header()
		for name, values := range r.Header {
			if name == "Cache-Control" || name == "Content-Length" {
				continue
			}
			require.Len(t, fields[name], len(values))
			for i, v := range values {
				require.Equal(t, strings.TrimRight(v, " "), fields[name][i])
			}
		}
	}
}

// FuzzFramer holds the parser alone to two rules: it does not matter how its
// input is cut, and what it keeps is bounded.
func FuzzFramer(f *testing.F) {
	for _, k := range kinds {
		f.Add([]byte(k.head+k.rest+k.head), uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, size uint8) {
		var whole, cut framer
		whole.feed(data)
		for b := data; len(b) > 0; b = b[min(1+int(size), len(b)):] {
			cut.feed(b[:min(1+int(size), len(b))])
		}
		require.Equal(t, whole.state, cut.state)
		for {
			a, b := whole.take(), cut.take()
			require.Equal(t, a, b)
			if a == nil {
				break
			}
			require.Contains(t, string(data), string(a))
		}
		require.LessOrEqual(t, len(whole.raw), maxHead+maxStray)
	})
}
