package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

const (
	applicationID = 0x416e7948 // "AnyH", in the header of the file
	busyTimeout   = `PRAGMA busy_timeout = 5000`
)

// dsn names the file for the driver. The path is escaped: a '#', '%' or '?'
// in it would name another file. The driver runs _pragma values sorted by
// their text and _journal_mode after them, so that page_size comes in time.
func dsn(path string, params url.Values) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") { // C:/…
		p = "/" + p
	}
	u := url.URL{Scheme: "file", Path: p, RawQuery: params.Encode()}
	return u.String()
}

func writing() url.Values {
	return url.Values{
		"_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_busy_timeout": {"5000"},
		"_foreign_keys": {"1"}, "_txlock": {"immediate"},
		"_pragma": {"page_size(8192)", "temp_store(MEMORY)", "journal_size_limit(67108864)"},
	}
}

func reading() url.Values {
	return url.Values{"mode": {"ro"}, "_query_only": {"1"}, "_busy_timeout": {"5000"}, "_pragma": {"temp_store(MEMORY)"}}
}

// Open opens the database at path, and makes it and its folder if there is
// none. It holds a lock on path+".lock" until Close.
//
// The error is ErrLocked while another program has the file, ErrNewer if a
// newer AnyHook wrote it, ErrDamaged if it is none of ours or broken; the
// file is left exactly as it was.
func Open(ctx context.Context, path string) (*DB, error) {
	db, err := open(ctx, path, usual)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return db, nil
}

func open(ctx context.Context, path string, t tuning) (_ *DB, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	db := &DB{path: path, tuning: t}
	if db.lock, err = lock(path); err != nil {
		return nil, err
	}
	defer func() {
		if err == nil {
			return
		}
		if db.readers != nil {
			err = errors.Join(err, db.readers.Close())
		}
		err = errors.Join(fault(err), db.lock.Unlock())
	}()
	if err := ready(ctx, path); err != nil {
		return nil, err
	}
	if db.readers, err = sql.Open("sqlite", dsn(path, reading())); err != nil {
		return nil, err
	}
	db.readers.SetMaxOpenConns(4)
	db.readers.SetMaxIdleConns(4)
	if db.writer, err = openWriter(ctx, dsn(path, writing()), &db.Bell, t); err != nil {
		return nil, err
	}
	var read int64
	if err := db.readers.QueryRowContext(ctx, `SELECT seq FROM cursor WHERE name = 'read'`).Scan(&read); err != nil {
		return nil, errors.Join(err, db.writer.close())
	}
	db.read.Store(read)
	db.writer.file, db.writer.log = path, path+"-wal"
	if db.writer.opened, err = os.Stat(path); err != nil {
		return nil, errors.Join(err, db.writer.close())
	}
	go db.writer.run() // until Close
	return db, nil
}

// lock makes the folder and takes the lock beside the file.
func lock(path string) (*flock.Flock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("the data folder cannot be made: %w", err)
	}
	l := flock.New(path+".lock", flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("the data folder cannot be written: %w", err)
	case err != nil:
		return nil, fmt.Errorf("lock the data folder: %w", err)
	case !ok:
		return nil, ErrLocked
	}
	return l, nil
}

// ready sees that there is a sound database at path.
func ready(ctx context.Context, path string) error {
	fi, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return create(ctx, path)
	case err != nil:
		return err
	case !fi.Mode().IsRegular():
		return fmt.Errorf("%w: it is not a file", ErrDamaged)
	case fi.Size() == 0:
		return create(ctx, path)
	}
	return inspect(ctx, path, fi.Size())
}

// create makes an empty database under another name first, so that one at
// path is always whole.
func create(ctx context.Context, path string) error {
	unfinished := path + ".new"
	for _, old := range []string{unfinished, unfinished + "-journal"} {
		if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	// The log of a database that is no more must not be taken for the new one's.
	for _, orphan := range []string{path + "-wal", path + "-shm"} {
		if err := os.Rename(orphan, orphan+".old"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	f, err := os.OpenFile(unfinished, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := fill(ctx, unfinished); err != nil {
		return err
	}
	if err := os.Rename(unfinished, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

func fill(ctx context.Context, path string) (err error) {
	params := writing()
	params.Set("_journal_mode", "DELETE")
	pool, err := sql.Open("sqlite", dsn(path, params))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d`, applicationID)); err == nil {
		err = migrate(ctx, tx, captureOwner, captureSteps)
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// syncDir makes a new name in the folder last. Where folders cannot be
// synced (Windows), the system does it by itself.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}
