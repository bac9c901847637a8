package deliver

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"time"

	"anyhook.net/desktop/replay"
)

// longAgo is a deadline that ends reads and writes under way.
var longAgo = time.Unix(1, 0)

// exchange writes the request and reads the answer. Both go on at once: a
// handler may answer before it has read all, and must then be heard.
func (s *Sender) exchange(ctx context.Context, j *job, conn *link) {
	stop := context.AfterFunc(ctx, func() { _ = conn.raw.SetDeadline(longAgo) })
	defer stop()
	var wg sync.WaitGroup
	var writeErr error
	var written time.Duration
	wg.Go(func() {
		writeErr = j.gate.write(ctx, conn, j.wire)
		written = s.since(j)
	})
	out := &j.attempt.Outcome
	keep := j.Keep
	if keep == 0 {
		keep = replay.MaxKept
	}
	a := answer{
		method: method(j.wire), keep: keep, out: out,
		first: func() { out.Timing.FirstByte = s.since(j) },
	}
	err := a.read(bufio.NewReader(conn))
	done := s.since(j)
	if err != nil {
		_ = conn.raw.SetDeadline(longAgo)
	} else {
		_ = conn.raw.SetWriteDeadline(longAgo) // what the handler did not want to read
	}
	wg.Wait()
	if writeErr == nil {
		out.Timing.Written = written
	}
	if err == nil {
		out.Timing.Done = done
		return
	}
	if writeErr != nil && out.Timing.FirstByte == 0 {
		a.phase = replay.Writing
		if reset(writeErr) {
			err = writeErr
		}
	}
	fail(ctx, j, a.phase, err)
}

// hangUp ends a connection over which all was said.
func hangUp(ctx context.Context, conn *link) {
	if t, ok := conn.Conn.(*tls.Conn); ok && ctx.Err() == nil {
		_ = t.Close() // tells the handler, which may log it otherwise
	}
	_ = conn.raw.Close()
}

// method is that of a composed request.
func method(w wire) string {
	for i, c := range w.head {
		if c == ' ' {
			return string(w.head[:i])
		}
	}
	return ""
}

// writeAll writes head and body in one system call where that is possible.
func writeAll(conn net.Conn, head, body []byte) error {
	bufs := net.Buffers{head}
	if len(body) > 0 {
		bufs = append(bufs, body)
	}
	to := conn
	if l, ok := conn.(*link); ok {
		to = l.Conn // net.Buffers knows a TCP connection only by its type
	}
	_, err := bufs.WriteTo(to)
	if errors.Is(err, net.ErrClosed) {
		return net.ErrClosed
	}
	return err
}
