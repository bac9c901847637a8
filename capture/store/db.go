// Package store keeps what was captured in one SQLite file. It and
// replay/journal are the only packages with SQL in them.
//
// # Writing
//
// SQLite takes one writer at a time, so there is one: a goroutine that [Open]
// starts and [DB.Close] ends. Whatever waits in its queue goes into one
// transaction with one sync of the disk, and everybody is told only after
// that: a nil error means the bytes are on the disk and survive a power cut.
// What fails, fails alone and leaves nothing behind; what waits with it is
// stored all the same.
//
// # Reading
//
// [DB.Read] has connections that can only read. They see what is committed,
// never wait for the writer, and must not be kept busy for long, because the
// write-ahead log cannot shrink while a read is under way: take a page into
// memory, then work on it. [DB.Bell] rings after every commit.
//
// # Schema
//
// schema.sql is the first step of the owner "capture". To change the schema,
// append a step to the steps of its owner (see [DB.Migrate]); never edit one.
// Numbers for times are nanoseconds since 1970 UTC.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/gofrs/flock"

	"anyhook.net/desktop/capture"
)

// A DB is one AnyHook database file, open in this process alone.
type DB struct {
	Bell Bell // rings after each commit

	path    string
	lock    *flock.Flock
	readers *sql.DB
	writer  *writer // nil for a view
	tuning
	read    atomic.Int64 // the events of all requests up to here are read
	reading atomic.Bool  // ReadAll is at work

	closing sync.Once
	over    atomic.Bool // closed, or about to be
	closed  error
}

// Read returns the connections for reading. What is asked of them must be
// read to the end or closed soon.
func (db *DB) Read() *sql.DB { return db.readers }

// Path returns the absolute path of the file.
func (db *DB) Path() string { return db.path }

// Size returns how many bytes the file and its write-ahead log take.
func (db *DB) Size() (int64, error) {
	var size int64
	for _, name := range []string{db.path, db.path + "-wal"} {
		fi, err := os.Stat(name)
		if errors.Is(err, os.ErrNotExist) && name != db.path {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("size of the database: %w", err)
		}
		size += fi.Size()
	}
	return size, nil
}

// Last returns the newest Seq that is stored; 0 when there is none.
func (db *DB) Last() capture.Seq {
	if db.Viewing() {
		return db.lastSeen()
	}
	return capture.Seq(db.writer.last.Load())
}

// Write has do carried out by the writer and returns when what it did is on
// the disk, or undone. It shares its transaction with others: do can run a
// second time when one of them fails, must be quick, and must not call Write
// or Append. When do returns an error all it did is undone, and Write returns
// that error. The end of ctx ends the wait for a place in the queue; what has
// one is waited for.
func (db *DB) Write(ctx context.Context, do func(Tx) error) error {
	if db.Viewing() {
		return ErrViewing
	}
	o := &op{do: do, size: 1 << 10, done: make(chan error, 1)}
	for {
		room := db.writer.queue.room.C() // before asking, so that none is missed
		if err := ctx.Err(); err != nil {
			return err
		}
		err := db.writer.queue.put(o)
		if err == nil {
			return <-o.done
		}
		if !errors.Is(err, ErrBusy) {
			return err
		}
		select {
		case <-room:
		case <-ctx.Done():
		}
	}
}

// Close stores what is in the queue, ends the writer, and closes the file.
// Readers should have ended. Later calls return what the first did.
func (db *DB) Close() error {
	db.closing.Do(func() {
		db.over.Store(true)
		defer db.Bell.Ring() // who waits, looks and finds it closed
		if db.Viewing() {
			db.closed = db.readers.Close()
			return
		}
		db.writer.queue.close()
		<-db.writer.ended
		// The writing connection last: it is the one that can put the rest of
		// the write-ahead log into the file and remove it.
		err := errors.Join(db.readers.Close(), db.writer.close(), db.lock.Unlock())
		if err != nil {
			db.closed = fmt.Errorf("close %s: %w", db.path, err)
		}
	})
	return db.closed
}
