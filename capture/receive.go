package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

const (
	// Bytes of bodies in memory at once, and how many of them are kept for
	// bodies of less than smallBody bytes: a few that are large and slow do not
	// keep out what is usual.
	maxInFlight  = 256 << 20
	keptForSmall = 32 << 20
	smallBody    = 64 << 10

	waitInFlight = 10 * time.Second // for others to be done
	maxSilence   = 30 * time.Second // within a body
	maxReading   = 10 * time.Minute // of a body
	maxDrained   = 64 << 20         // bytes of an oversize body that are let pass
	maxDraining  = 10 * time.Second
)

// An end is how the reading of a body ended.
type end uint8

const (
	whole end = iota
	over      // more than MaxBody
	cut       // the sender went away, or broke the rules
	slow      // the sender did not get on
	busy      // too much is being read already
)

// received is what came of a body.
type received struct {
	data     []byte // never nil
	held     int64  // of the budget
	end      end
	declared int64 // -1 if the sender did not say
	err      error // of cut
}

func (in *Ingest) maxBody() int64 {
	if in.MaxBody > 0 {
		return min(in.MaxBody, LimitMaxBody)
	}
	return DefaultMaxBody
}

// receive reads the body. The memory it takes grows with what came, not with
// what was promised, and all requests together have a budget.
func (in *Ingest) receive(w http.ResponseWriter, hr *http.Request) (got received) {
	got.data, got.declared = []byte{}, hr.ContentLength
	limit := in.maxBody()
	if got.declared > limit {
		got.end = over
		return got
	}
	if hr.Body == nil || hr.Body == http.NoBody {
		return got
	}
	watch := watchRead(w, maxSilence, maxReading)
	defer watch.stop()
	for {
		if len(got.data) == cap(got.data) && !in.grow(hr.Context(), &got, limit) {
			return got
		}
		watch.progress()
		n, err := hr.Body.Read(got.data[len(got.data):cap(got.data)])
		got.data = got.data[:len(got.data)+n]
		switch {
		case int64(len(got.data)) > limit:
			got.end = over
			return got
		case errors.Is(err, io.EOF):
			return got
		case errors.Is(err, os.ErrDeadlineExceeded):
			got.end = slow
			return got
		case err != nil:
			got.end, got.err = cut, err
			return got
		}
	}
}

// grow makes room: twice as much as before, but not more than what is to come
// and one byte, by which one that is too many is noticed.
func (in *Ingest) grow(ctx context.Context, got *received, limit int64) bool {
	size := int64(max(2*cap(got.data), 4<<10))
	if got.declared >= 0 {
		if cap(got.data) == 0 {
			size = 64 << 10
		}
		size = min(size, got.declared+1)
	}
	size = min(size, limit+1)
	ctx, cancel := context.WithTimeout(ctx, waitInFlight)
	defer cancel()
	room := int64(maxInFlight)
	if size > smallBody {
		room -= keptForSmall
	}
	if !in.bodies.take(ctx, size-got.held, room) {
		got.end = busy
		return false
	}
	data := make([]byte, len(got.data), size)
	copy(data, got.data)
	got.data, got.held = data, size
	return true
}

// overNote says what was too much.
func (g received) overNote(limit int64) string {
	if g.declared > limit {
		return fmt.Sprintf("refused: %d bytes > limit of %d", g.declared, limit)
	}
	return fmt.Sprintf("refused: more than %d bytes, the limit", limit)
}

// cutNote says how far a body came.
func (g received) cutNote(declared int64) string {
	s := fmt.Sprintf("%d bytes, and no end", len(g.data))
	if declared >= 0 {
		s = fmt.Sprintf("%d of %d bytes", len(g.data), declared)
	}
	if g.end == slow {
		return s + ", too slow"
	}
	if _, network := errors.AsType[net.Error](g.err); !network && !errors.Is(g.err, io.ErrUnexpectedEOF) {
		return s + ", not well-formed"
	}
	return s
}

// drain lets the rest of a body pass, for senders that look for an answer only
// when they have sent all.
func (in *Ingest) drain(w http.ResponseWriter, hr *http.Request) {
	watch := watchRead(w, maxDraining, maxDraining)
	defer watch.stop()
	_, _ = io.CopyN(io.Discard, hr.Body, maxDrained)
	watch.end() // net/http would go on
}

// A watch ends the reading from a connection on which nothing moves.
type watch struct {
	rc             *http.ResponseController
	silence, total *time.Timer
	patience       time.Duration
}

func watchRead(w http.ResponseWriter, silence, total time.Duration) *watch {
	v := &watch{rc: http.NewResponseController(w), patience: silence}
	v.silence = time.AfterFunc(silence, v.end)
	v.total = time.AfterFunc(total, v.end)
	return v
}

// end makes a read under way, and all that follow, fail with os.ErrDeadlineExceeded.
func (v *watch) end() { _ = v.rc.SetReadDeadline(time.Unix(1, 0)) }

func (v *watch) progress() { v.silence.Reset(v.patience) }

func (v *watch) stop() {
	v.silence.Stop()
	v.total.Stop()
}

// A budget is maxInFlight bytes that requests share.
type budget struct {
	mu   sync.Mutex
	used int64
	more chan struct{} // closed when some are given back; nil when nobody waits
}

// take waits until n bytes more are within room; false if ctx ends first.
func (b *budget) take(ctx context.Context, n, room int64) bool {
	for {
		b.mu.Lock()
		if b.used+n <= room {
			b.used += n
			b.mu.Unlock()
			return true
		}
		if b.more == nil {
			b.more = make(chan struct{})
		}
		more := b.more
		b.mu.Unlock()
		select {
		case <-more:
		case <-ctx.Done():
			return false
		}
	}
}

func (b *budget) give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
	if b.more != nil {
		close(b.more)
		b.more = nil
	}
}
