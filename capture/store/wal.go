package store

import (
	"context"
	"fmt"
	"os"
	"time"
)

// The write-ahead log is put into the file bit by bit as it grows, and then
// written anew from its start, but not while somebody reads from it. Beyond
// logLarge bytes the writer waits for those who read at this moment. It looks
// every logLook bytes.
const (
	logLarge = 32 << 20
	logLook  = 4 << 20
	logWait  = 250 * time.Millisecond
)

// bound keeps the write-ahead log from growing without end.
func (w *writer) bound() {
	if w.fresh < logLook {
		return
	}
	w.fresh = 0
	if fi, err := os.Stat(w.log); err == nil && fi.Size() > logLarge {
		w.checkpoint(logWait)
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
