package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"anyhook.net/desktop/capture"
)

// View opens the database at path for reading only, also while another AnyHook
// has it open: it takes no lock. What would write fails with ErrViewing. It
// sees at each look what is there by then, but its Bell rings only when it is
// closed, as others do not tell when they write.
//
// The errors are those of Open, ErrLocked aside; a file that is not there is
// os.ErrNotExist, and one of an older AnyHook, which has to be opened for writing
// once, ErrOlder.
func View(ctx context.Context, path string) (*DB, error) {
	db, err := view(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, fault(err))
	}
	return db, nil
}

func view(ctx context.Context, path string) (*DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	// Somebody may be writing: the size says nothing, and only SQLite's own
	// locks make what is read whole.
	if err := inspectHeader(path, fi.Size(), true); err != nil {
		return nil, err
	}
	// Not mode=ro, which cannot make the index of the write-ahead log when the
	// last program to close the file has removed it.
	params := reading()
	params.Set("mode", "rw")
	db := &DB{path: path, tuning: usual}
	if db.readers, err = sql.Open("sqlite", dsn(path, params)); err != nil {
		return nil, err
	}
	db.readers.SetMaxOpenConns(4)
	db.readers.SetMaxIdleConns(4)
	n, err := steps(ctx, db.readers)
	if err == nil && n < len(captureSteps) {
		err = ErrOlder
	}
	if err != nil {
		return nil, errors.Join(err, db.readers.Close())
	}
	return db, nil
}

// Viewing reports whether db can only read; see View.
func (db *DB) Viewing() bool { return db.writer == nil }

// lastSeen is Last of a view; 0 if the file gives no answer, as the next
// question will say why.
func (db *DB) lastSeen() capture.Seq {
	return db.position(`SELECT coalesce(max(seq), 0) FROM request`)
}

// readSeen is the position of ReadAll, of a view.
func (db *DB) readSeen() capture.Seq {
	return db.position(`SELECT seq FROM cursor WHERE name = 'read'`)
}

func (db *DB) position(query string) capture.Seq {
	var seq int64
	if err := db.readers.QueryRowContext(context.Background(), query).Scan(&seq); err != nil {
		return 0
	}
	return capture.Seq(seq)
}
