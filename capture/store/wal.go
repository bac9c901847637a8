package store

import (
	"context"
	"fmt"
	"os"
	"time"
)

const (
	logWait    = 100 * time.Millisecond
	logWaitMax = time.Second
)

// bound keeps the write-ahead log from growing without end. The log is put
// into the file bit by bit as it grows, and then written anew from its start,
// but not while somebody reads from it. Beyond logLarge bytes the writer waits
// a moment for those who are reading, beyond twice that a little longer. It
// looks every logLook bytes.
func (w *writer) bound() {
	large := int64(w.queue.logLarge)
	if w.fresh < w.queue.logLook {
		return
	}
	w.fresh = 0
	fi, err := os.Stat(w.log)
	switch {
	case err != nil || fi.Size() <= large:
	case fi.Size() <= 2*large:
		w.checkpoint(logWait)
	default:
		w.checkpoint(logWaitMax)
	}
}

// checkpoint puts the write-ahead log into the file and makes it empty. A
// reader that is in the way longer than wait is let be: it is tried again.
func (w *writer) checkpoint(wait time.Duration) {
	ctx := context.Background()
	if _, err := w.conn.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, wait.Milliseconds())); err != nil {
		return
	}
	var busy, log, done int
	err := w.conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &done)
	w.dirty = err != nil || busy != 0
	_, _ = w.conn.ExecContext(ctx, busyTimeout)
}
