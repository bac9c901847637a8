package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/ledger"
)

// A Log is the append-only record of what came in. It is a capture.Log.
type Log struct{ db *DB }

// NewLog returns the log in db.
func NewLog(db *DB) *Log { return &Log{db} }

// Append stores r with its verdict, sets r.Seq, and wakes all followers. A nil
// error means that r is on the disk. It does not wait for a place in the
// queue: ErrBusy says that too much is waiting. A place once taken is waited
// for, whatever becomes of ctx, as otherwise nobody could tell whether r is
// stored. r must not be changed meanwhile.
func (l *Log) Append(ctx context.Context, r *capture.Request) error {
	if err := l.append(ctx, r); err != nil {
		return fmt.Errorf("append %s: %w", r.ID, err)
	}
	return nil
}

func (l *Log) append(ctx context.Context, r *capture.Request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	verdict := r.Signature
	verdict.At = near(verdict.At)
	signature, err := json.Marshal(verdict)
	if err != nil {
		return err
	}
	o := &op{
		request: r, leaf: ledger.Leaf(r), signature: string(signature),
		size: len(r.Head) + len(r.Body) + 1<<10, done: make(chan error, 1),
	}
	if l.db.Viewing() {
		return ErrViewing
	}
	if err := l.db.writer.queue.put(o); err != nil {
		return err
	}
	if err := <-o.done; err != nil {
		return err
	}
	r.Seq = o.seq
	r.Body = blob(r.Body)
	return nil
}

// Answered writes down the status that the sender got. The error is
// ErrNotFound if there is no such request.
func (l *Log) Answered(ctx context.Context, id capture.ID, status int) error {
	err := l.db.Write(ctx, func(tx Tx) error {
		res, err := tx.Exec(`UPDATE reading SET answered = ? WHERE seq = (SELECT seq FROM request WHERE id = ?)`, status, string(id))
		return oneRow(res, err)
	})
	if err != nil {
		return fmt.Errorf("answered %s: %w", id, err)
	}
	return nil
}

// Last returns the newest Seq; 0 when nothing has come yet.
func (l *Log) Last() capture.Seq { return l.db.Last() }

// ReadTo returns the Seq up to which the events of all requests are read.
func (l *Log) ReadTo() capture.Seq {
	if l.db.Viewing() {
		return l.db.readSeen()
	}
	return capture.Seq(l.db.read.Load())
}

// Get returns the request, whole. The error is ErrNotFound if there is none.
func (l *Log) Get(ctx context.Context, id capture.ID) (*capture.Request, error) {
	r, err := l.one(ctx, `request.id = ?`, string(id))
	if err != nil {
		return nil, fmt.Errorf("request %s: %w", id, err)
	}
	return r, nil
}

// BySeq returns the request at a place of the log, whole. The error is
// ErrNotFound if there is none.
func (l *Log) BySeq(ctx context.Context, seq capture.Seq) (*capture.Request, error) {
	r, err := l.one(ctx, `request.seq = ?`, int64(seq))
	if err != nil {
		return nil, fmt.Errorf("request %d: %w", seq, err)
	}
	return r, nil
}

func (l *Log) one(ctx context.Context, where string, arg any) (*capture.Request, error) {
	rs, err := l.load(ctx, whole, where, arg)
	if err != nil {
		return nil, err
	}
	if len(rs) == 0 {
		return nil, ErrNotFound
	}
	return rs[0], nil
}

// After yields the requests with a Seq above seq that are stored, oldest
// first, their events read or not. An error ends it. Nothing is held open
// while the caller works on a request.
func (l *Log) After(ctx context.Context, seq capture.Seq) iter.Seq2[*capture.Request, error] {
	return func(yield func(*capture.Request, error) bool) {
		for seq < l.db.Last() && l.page(ctx, &seq, l.db.Last(), yield) {
		}
	}
}

// Follow yields the requests with a Seq above seq whose events are read, in
// order, and waits for more at the end. The end of ctx ends it, as do an error,
// which is yielded, and the end of the database.
func (l *Log) Follow(ctx context.Context, seq capture.Seq) iter.Seq2[*capture.Request, error] {
	return func(yield func(*capture.Request, error) bool) {
		for ctx.Err() == nil {
			more := l.db.Bell.C() // before looking, so that nothing is missed
			for to := l.ReadTo(); seq < to; {
				if !l.page(ctx, &seq, to, yield) {
					return
				}
			}
			if l.db.over.Load() {
				yield(nil, ErrClosed)
				return
			}
			select {
			case <-more:
			case <-ctx.Done():
			}
		}
	}
}

// page yields some requests above *seq and up to to, at least one, and moves
// *seq. It reports whether to go on.
func (l *Log) page(ctx context.Context, seq *capture.Seq, to capture.Seq, yield func(*capture.Request, error) bool) bool {
	rs, err := l.some(ctx, *seq, to)
	if ctx.Err() != nil {
		return false
	}
	if err == nil && len(rs) == 0 {
		err = fmt.Errorf("%w: request %d is missing", ErrDamaged, *seq+1)
	}
	if err != nil {
		yield(nil, fmt.Errorf("requests after %d: %w", *seq, err))
		return false
	}
	for _, r := range rs {
		if ctx.Err() != nil || !yield(r, nil) {
			return false
		}
		*seq = r.Seq
	}
	return true
}

// some returns requests above seq and up to to, as many as make a page.
func (l *Log) some(ctx context.Context, seq, to capture.Seq) (_ []*capture.Request, err error) {
	rows, err := l.db.readers.QueryContext(ctx,
		`SELECT seq, head_size + body_size FROM request WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`, int64(seq), int64(to), l.db.page)
	if err != nil {
		return nil, fault(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	end, sum := seq, int64(0)
	for rows.Next() {
		var at capture.Seq
		var size int64
		if err := rows.Scan(&at, &size); err != nil {
			return nil, fault(err)
		}
		if sum += size; end > seq && sum > int64(l.db.pageBytes) {
			break
		}
		end = at
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, fault(err)
	}
	return l.load(ctx, whole, `request.seq > ? AND request.seq <= ?`, int64(seq), int64(end))
}

// The columns of load: of requests whole, and without their bytes.
const (
	columns = `SELECT request.seq, request.id, request.kind, request.endpoint, request.at, request.peer, request.url,
	request.method, request.note, request.made_from, reading.provider, reading.signature, reading.answered, reading.events, `
	whole = columns + `payload.head, payload.body
	FROM request JOIN payload ON payload.seq = request.seq JOIN reading ON reading.seq = request.seq WHERE `
	known = columns + `x'', x''
	FROM request JOIN reading ON reading.seq = request.seq WHERE `
)

// load returns the requests in order.
func (l *Log) load(ctx context.Context, query, where string, args ...any) (_ []*capture.Request, err error) {
	rows, err := l.db.readers.QueryContext(ctx, query+where+` ORDER BY request.seq`, args...)
	if err != nil {
		return nil, fault(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var rs []*capture.Request
	events := 0
	for rows.Next() {
		r := &capture.Request{}
		var at int64
		var signature []byte
		var n int
		if err := rows.Scan(&r.Seq, &r.ID, &r.Kind, &r.Endpoint, &at, &r.Peer, &r.URL, &r.Method, &r.Note, &r.From,
			&r.Provider, &signature, &r.Answered, &n, (*[]byte)(&r.Head), &r.Body); err != nil {
			return nil, fault(err)
		}
		if err := json.Unmarshal(signature, &r.Signature); err != nil {
			return nil, fmt.Errorf("%w: verdict of request %d: %w", ErrDamaged, r.Seq, err)
		}
		r.At, r.Body = time.Unix(0, at).UTC(), blob(r.Body)
		r.Header = http.Header{}
		if r.Kind != capture.Stray {
			r.Header = r.Head.Header()
		}
		events += n
		rs = append(rs, r)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, fault(err)
	}
	if events == 0 {
		return rs, nil
	}
	return rs, l.loadEvents(ctx, rs)
}
