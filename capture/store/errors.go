package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What can be wrong with a database, for errors.Is.
var (
	ErrLocked   = errors.New("another AnyHook has this data folder open: close it, or choose another folder")
	ErrNewer    = errors.New("the file was written by a newer AnyHook: update AnyHook, or choose another folder")
	ErrOlder    = errors.New("the file was written by an older AnyHook")
	ErrDamaged  = errors.New("the file is not an AnyHook database, or is damaged: move it away or restore a copy")
	ErrFull     = errors.New("the disk is full: nothing more can be stored until there is space")
	ErrReadOnly = errors.New("the file cannot be written: check its permissions and those of its folder")
	ErrGone     = errors.New("the file was moved or deleted while AnyHook had it open: put it back, or start AnyHook again")
	ErrBusy     = errors.New("too much is waiting to be stored")
	ErrClosed   = errors.New("the database is closed")
	ErrViewing  = errors.New("the database is open for reading only")
	ErrNotFound = errors.New("not found")
	ErrExists   = errors.New("there is one of that name already")
)

// fault puts the sentinel in front of a driver's error that is one of ours.
func fault(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w (%w)", ErrFull, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return fmt.Errorf("%w (%w)", ErrReadOnly, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return err
}

// passing reports whether an error may go away by itself: the work can be tried again.
func passing(err error) bool {
	if errors.Is(err, ErrFull) || errors.Is(err, ErrReadOnly) || errors.Is(err, ErrGone) || errors.Is(err, ErrBusy) {
		return true
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM:
		return true
	}
	return false
}

// unique reports whether err says that a unique column has the value already.
func unique(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || e.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
}
