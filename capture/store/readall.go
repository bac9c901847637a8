package store

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"anyhook.net/desktop/capture"
)

// reader is the number of this way of reading, stored with each reading.
const reader = 1

const (
	chunk     = 256 // events or requests that are written in one go
	chunkBusy = 64  // the same while senders wait

	calm          = 2 * time.Millisecond  // nothing arrived for so long: nobody sends
	patience      = 20 * time.Millisecond // how long senders are let go first
	patienceLarge = time.Second           // the same before a large body
	large         = 4 << 20               // bytes of body

	again = time.Second // after a disk that is full, and the like
)

// ReadAll reads the events of every request that has none yet, oldest first,
// as they come, until ctx ends or the database is closed; that is the error it
// returns. read fills in Provider and Events of a request as stored; what it
// does to other fields is not kept.
//
// ReadAll finds out Seen and Late: in the order of the log, an event has been
// Seen before if its provider sent its key before, and is Late if, by
// capture.Event.Older, it is older than an event of the same object with
// another key that was there before. Only deliveries count, and of these not
// those whose signature was refused, with a 401: other events have a Seen of 0,
// are never Late, and make no other so. What came unsigned where nothing is
// checked does count. An event without a key is always the first, one without an object
// never late. Events that came in one request came in their order there.
//
// It works behind the answers: it lets the senders that wait go first, but
// not for ever, so that it gets on under any load. A full disk and the like
// are waited out. Only one ReadAll may run at a time.
func (l *Log) ReadAll(ctx context.Context, read func(*capture.Request)) error {
	if l.db.Viewing() {
		return fmt.Errorf("read events: %w", ErrViewing)
	}
	if !l.db.reading.CompareAndSwap(false, true) {
		return errors.New("read events: somebody does it already")
	}
	defer l.db.reading.Store(false)
	for {
		more := l.db.Bell.C() // before looking, so that nothing is missed
		n, err := l.readSome(ctx, read)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && passing(err):
			more = nil // commits by others do not make space
		case err != nil:
			return fmt.Errorf("read events: %w", err)
		case n > 0:
			continue
		case l.db.over.Load():
			return fmt.Errorf("read events: %w", ErrClosed)
		}
		var retry <-chan time.Time
		if err != nil {
			retry = time.After(again)
		}
		select {
		case <-more:
		case <-retry:
		case <-ctx.Done():
		}
	}
}

// readSome reads a page of requests and returns how many.
func (l *Log) readSome(ctx context.Context, read func(*capture.Request)) (int, error) {
	from, to := l.ReadTo(), l.db.Last()
	if from >= to {
		return 0, nil
	}
	l.letGo(ctx, patience)
	rs, err := l.some(ctx, from, to)
	if err != nil {
		return 0, err
	}
	w := readings{log: l}
	for _, r := range rs {
		if len(r.Body) > large {
			l.letGo(ctx, patienceLarge)
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		r.Events = nil
		read(r)
		if err := w.add(ctx, r); err != nil {
			return 0, err
		}
	}
	return len(rs), w.flush(ctx)
}

// letGo returns when no sender waits and none came for a moment, at the latest
// after the time given. A sender that sends one request after the other would
// otherwise wait for the disk twice each time.
func (l *Log) letGo(ctx context.Context, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(calm)
	defer tick.Stop()
	for last := capture.Seq(-1); ; {
		now := l.db.Last()
		if now == last && !l.db.writer.queue.busy() {
			return
		}
		last = now
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// readings gathers what was read until it is worth a write. A request with
// very many events is written in several goes, the last of which makes it
// read: after a crash between them it starts again.
type readings struct {
	log   *Log
	parts []part
	size  int
}

// A part is the events from ≤ i < to of a request.
type part struct {
	r        *capture.Request
	from, to int
}

func (p part) last() bool { return p.to == len(p.r.Events) }

func (w *readings) add(ctx context.Context, r *capture.Request) error {
	limit := chunk
	if w.log.db.writer.queue.busy() {
		limit = chunkBusy
	}
	for from := 0; ; {
		p := part{r, from, min(len(r.Events), from+max(1, limit-w.size))}
		w.parts = append(w.parts, p)
		w.size += 1 + p.to - p.from
		if w.size >= limit {
			if err := w.flush(ctx); err != nil {
				return err
			}
		}
		if p.last() {
			return nil
		}
		from = p.to
	}
}

// flush writes what was gathered, in one transaction.
func (w *readings) flush(ctx context.Context) error {
	if len(w.parts) == 0 {
		return nil
	}
	w.log.letGo(ctx, patience)
	to := w.log.ReadTo()
	for _, p := range w.parts {
		if p.last() {
			to = p.r.Seq
		}
	}
	err := w.log.db.Write(ctx, func(tx Tx) error {
		for _, p := range w.parts {
			if err := p.write(tx); err != nil {
				return fmt.Errorf("request %d: %w", p.r.Seq, err)
			}
		}
		_, err := tx.Exec(`UPDATE cursor SET seq = ? WHERE name = 'read'`, int64(to))
		return err
	})
	if err != nil {
		return err
	}
	w.log.db.read.Store(int64(to))
	w.log.db.Bell.Ring() // the writer's ring came before the line above
	w.parts, w.size = w.parts[:0], 0
	return nil
}

func (p part) write(tx Tx) error {
	r := p.r
	if p.from == 0 && p.to > 0 { // what a crash left
		if _, err := tx.Exec(`DELETE FROM event WHERE seq = ?`, int64(r.Seq)); err != nil {
			return err
		}
	}
	refused := r.Signature.Status.Refused() && r.Answered == http.StatusUnauthorized
	counts := r.Kind == capture.Delivery && !refused
	for i := p.from; i < p.to; i++ {
		e := &r.Events[i]
		e.Seen, e.Late = 0, false
		if counts {
			if err := compare(tx, r.Provider, e); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(`INSERT INTO event (seq, i, provider, key, exact, grp, type, object, at, ord, try, seen, late)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			int64(r.Seq), i, r.Provider, e.Key.Value, e.Key.Exact, e.Group, e.Type, e.Object, nanos(e.At), e.Order, e.Try, e.Seen, e.Late); err != nil {
			return err
		}
	}
	if !p.last() {
		return nil
	}
	var first capture.Event
	seen, late := 0, false
	for i, e := range r.Events {
		if i == 0 {
			first = e
		}
		seen, late = max(seen, e.Seen), late || e.Late
	}
	res, err := tx.Exec(`UPDATE reading SET provider = ?, read = ?, seen = ?, late = ?, events = ?, type = ?, object = ?, key = ? WHERE seq = ?`,
		r.Provider, reader, seen, late, len(r.Events), first.Type, first.Object, first.Key.Value, int64(r.Seq))
	return oneRow(res, err)
}
