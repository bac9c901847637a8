package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
)

//go:embed schema.sql
var schema string

// madeFrom says of a request that was made here from which it was.
const madeFrom = `ALTER TABLE request ADD COLUMN made_from TEXT NOT NULL DEFAULT '';
	CREATE INDEX request_made_from ON request (made_from) WHERE made_from <> ''`

// captureSteps are the steps of this package. Steps are only ever added.
var captureSteps = []string{schema, madeFrom}

const captureOwner = "capture"

// Migrate runs the owner's steps that this file has not seen, in order, all
// or none. Steps are only ever added to the list, so a file that has seen
// more than there are is from a newer AnyHook: that is ErrNewer, and nothing
// is written. Of a view it does nothing, and is ErrOlder where there is something to do.
func (db *DB) Migrate(ctx context.Context, owner string, steps []string) error {
	done, err := done(ctx, db.readers, owner)
	if err == nil && done == len(steps) {
		return nil
	}
	if err == nil && done > len(steps) {
		err = newer(owner, done, len(steps))
	}
	if err == nil && db.Viewing() {
		err = ErrOlder
	}
	if err == nil {
		err = db.Write(ctx, func(tx Tx) error { return migrate(context.Background(), tx.w.conn, owner, steps) })
	}
	if err != nil {
		return fmt.Errorf("migrate %s: %w", owner, fault(err))
	}
	return nil
}

// A querier is a *sql.DB, *sql.Conn or *sql.Tx.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

const migrationTable = `CREATE TABLE IF NOT EXISTS migration (
	owner TEXT    PRIMARY KEY,
	done  INTEGER NOT NULL -- how many of its steps
) STRICT, WITHOUT ROWID`

// done returns how many of the owner's steps the file has seen.
func done(ctx context.Context, q querier, owner string) (int, error) {
	var n int
	err := q.QueryRowContext(ctx, `SELECT done FROM migration WHERE owner = ?`, owner).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

// migrate does the work of Migrate, inside a transaction.
func migrate(ctx context.Context, q querier, owner string, steps []string) error {
	if _, err := q.ExecContext(ctx, migrationTable); err != nil {
		return err
	}
	n, err := done(ctx, q, owner)
	if err != nil {
		return err
	}
	if n > len(steps) {
		return newer(owner, n, len(steps))
	}
	for i, step := range steps[n:] {
		if _, err := q.ExecContext(ctx, step); err != nil {
			return fmt.Errorf("step %d: %w", n+i+1, err)
		}
	}
	_, err = q.ExecContext(ctx, `INSERT INTO migration (owner, done) VALUES (?, ?) ON CONFLICT (owner) DO UPDATE SET done = excluded.done`, owner, len(steps))
	return err
}

func newer(owner string, done, known int) error {
	return fmt.Errorf("%w (%s: step %d, known %d)", ErrNewer, owner, done, known)
}
