package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"anyhook.net/desktop/capture"
)

// A writer is the one that writes. Its fields belong to the goroutine of run,
// those that say otherwise aside.
type writer struct {
	queue queue         // shared
	last  atomic.Int64  // shared; the newest Seq that is committed
	ended chan struct{} // closed when run has ended

	bell   *Bell
	pool   *sql.DB
	conn   *sql.Conn
	hot    hot
	args   [13]driver.NamedValue
	stmts  map[string]*sql.Stmt
	seq    int64       // the newest Seq of the transaction under way
	dirty  bool        // something is in the write-ahead log
	fresh  int         // bytes stored since the size of the write-ahead log was looked at
	log    string      // path of the write-ahead log
	file   string      // path of the database
	opened os.FileInfo // of it
}

// hot are the statements of an append, prepared once and run without the
// detour through database/sql, which costs a fifth of the whole.
type hot struct {
	begin, commit, rollback, request, payload, reading driver.Stmt
}

// openWriter takes a connection for good and prepares it. steps are carried
// out first, as the statements need the tables.
func openWriter(ctx context.Context, dsn string, bell *Bell, t tuning) (_ *writer, err error) {
	w := &writer{
		queue: queue{tuning: t, wake: make(chan struct{}, 1)},
		ended: make(chan struct{}), bell: bell, stmts: map[string]*sql.Stmt{},
		dirty: true, // what a crash left
	}
	if w.pool, err = sql.Open("sqlite", dsn); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	if w.conn, err = w.pool.Conn(ctx); err != nil {
		return nil, err
	}
	var mode string
	if err := w.conn.QueryRowContext(ctx, `PRAGMA journal_mode`).Scan(&mode); err != nil {
		return nil, err
	}
	if mode != "wal" {
		return nil, fmt.Errorf("the folder cannot hold a write-ahead log (journal mode %s): is it on a network drive?", mode)
	}
	if err := w.alone(ctx, func() error { return migrate(ctx, w.conn, captureOwner, captureSteps) }); err != nil {
		return nil, err
	}
	if err := w.prepare(ctx); err != nil {
		return nil, err
	}
	if err := w.conn.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM request`).Scan(&w.seq); err != nil {
		return nil, err
	}
	w.last.Store(w.seq)
	return w, nil
}

// alone carries out do in a transaction of its own, before run has started.
func (w *writer) alone(ctx context.Context, do func() error) error {
	if _, err := w.conn.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	err := do()
	if err == nil {
		_, err = w.conn.ExecContext(ctx, `COMMIT`)
	}
	if err != nil {
		_, undo := w.conn.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		return errors.Join(err, undo)
	}
	return nil
}

func (w *writer) prepare(ctx context.Context) error {
	return w.conn.Raw(func(c any) error {
		conn, ok := c.(driver.ConnPrepareContext)
		if !ok {
			return errors.New("the driver prepares no statements")
		}
		for _, s := range []struct {
			to  *driver.Stmt
			sql string
		}{
			{&w.hot.begin, `BEGIN IMMEDIATE`},
			{&w.hot.commit, `COMMIT`},
			{&w.hot.rollback, `ROLLBACK`},
			{&w.hot.request, `INSERT INTO request (seq, id, kind, endpoint, at, method, peer, url, note, head_size, body_size, leaf, made_from)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
			{&w.hot.payload, `INSERT INTO payload (seq, head, body) VALUES (?, ?, ?)`},
			{&w.hot.reading, `INSERT INTO reading (seq, provider, status, answered, signature) VALUES (?, ?, ?, ?, ?)`},
		} {
			stmt, err := conn.PrepareContext(ctx, s.sql)
			if err != nil {
				return err
			}
			*s.to = stmt
		}
		return nil
	})
}

// run works until the queue is closed and empty.
func (w *writer) run() {
	defer close(w.ended)
	var batch []*op
	for {
		var idle <-chan time.Time
		if w.dirty {
			idle = time.After(w.queue.idle)
		}
		var ok bool
		batch, ok = w.queue.take(batch[:0], idle)
		switch {
		case !ok:
			return
		case len(batch) == 0:
			w.checkpoint(0)
		default:
			w.settle(batch)
			clear(batch)
			w.bound()
		}
	}
}

// settle stores the batch in one transaction. If that fails, the op that is
// to blame fails alone, and the rest is stored without it.
func (w *writer) settle(batch []*op) {
	defer w.bell.Ring()
	const rounds = 8
	for round := 0; len(batch) > 0; round++ {
		blame, err := w.commit(batch)
		switch {
		case err == nil:
			for _, o := range batch {
				o.done <- nil
			}
			return
		case len(batch) == 1:
			batch[0].done <- err
			return
		case blame < 0 || round == rounds: // nobody is to blame, or too many
			for _, o := range batch {
				_, err := w.commit([]*op{o})
				o.done <- err
			}
			return
		}
		batch[blame].done <- err
		batch = slices.Delete(slices.Clone(batch), blame, blame+1)
	}
}

// commit carries out the batch in one transaction. On an error all is undone;
// blame is the place of the op that failed, or -1.
func (w *writer) commit(batch []*op) (blame int, err error) {
	if err := w.begin(); err != nil {
		return -1, fault(err)
	}
	w.seq = w.last.Load()
	blame = -1
	for i, o := range batch {
		if err = w.carryOut(o); err != nil {
			blame = i
			break
		}
	}
	if err == nil {
		err = w.present()
	}
	if err == nil {
		err = w.exec(w.hot.commit)
	}
	if err != nil {
		// SQLite has rolled back by itself after some errors, and says so with
		// an error that tells nothing new.
		_ = w.exec(w.hot.rollback)
		return blame, fault(err)
	}
	w.last.Store(w.seq)
	w.dirty = true
	for _, o := range batch {
		w.fresh += o.size
	}
	return -1, nil
}

// present is ErrGone if what is about to be stored would be found by nobody:
// the system keeps files that are open, also when they have no name any more.
func (w *writer) present() error {
	fi, err := os.Stat(w.file)
	if err == nil && os.SameFile(fi, w.opened) {
		_, err = os.Stat(w.log)
	} else if err == nil {
		return ErrGone
	}
	if errors.Is(err, fs.ErrNotExist) {
		return ErrGone
	}
	return err
}

// begin starts a transaction. One that could not be undone before, because
// the disk gave no answer, is undone now.
func (w *writer) begin() error {
	err := w.exec(w.hot.begin)
	if err == nil || w.exec(w.hot.rollback) != nil {
		return err
	}
	return w.exec(w.hot.begin)
}

func (w *writer) carryOut(o *op) error {
	if o.do != nil {
		return o.do(Tx{w})
	}
	r := o.request
	seq := w.seq + 1
	if err := w.exec(w.hot.request, seq, string(r.ID), string(r.Kind), r.Endpoint, r.At.UnixNano(), r.Method, r.Peer, r.URL, r.Note,
		int64(len(r.Head)), int64(len(r.Body)), o.leaf[:], string(r.From)); err != nil {
		return err
	}
	if err := w.exec(w.hot.payload, seq, blob(r.Head), blob(r.Body)); err != nil {
		return err
	}
	if err := w.exec(w.hot.reading, seq, r.Provider, string(r.Signature.Status), int64(r.Answered), o.signature); err != nil {
		return err
	}
	w.seq, o.seq = seq, capture.Seq(seq)
	return nil
}

// blob keeps an empty value from becoming NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// exec runs a hot statement. The context has no end: one that has costs a
// goroutine for every statement, and the work must be finished anyway.
func (w *writer) exec(s driver.Stmt, values ...driver.Value) error {
	for i, v := range values {
		w.args[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	defer clear(w.args[:len(values)])
	_, err := s.(driver.StmtExecContext).ExecContext(context.Background(), w.args[:len(values)])
	return err
}

// close gives the connection back. run has ended, or never started.
func (w *writer) close() error {
	var errs []error
	for _, s := range w.stmts {
		errs = append(errs, s.Close())
	}
	for _, s := range []driver.Stmt{w.hot.begin, w.hot.commit, w.hot.rollback, w.hot.request, w.hot.payload, w.hot.reading} {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	if w.conn != nil {
		errs = append(errs, w.conn.Close())
	}
	return errors.Join(append(errs, w.pool.Close())...)
}
