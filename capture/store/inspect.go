package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// checkWhole is the size up to which a file is checked from end to end when it
// is opened: a fraction of a second. A larger one shows its damage when the
// bad page is read.
const checkWhole = 32 << 20

// inspect looks at the file without changing it or making others beside it.
func inspect(ctx context.Context, path string, size int64) error {
	fi, err := os.Stat(path + "-wal")
	unclean := err == nil && fi.Size() > 0
	if err := inspectHeader(path, size, unclean); err != nil {
		return err
	}
	params := reading()
	if !unclean { // else the newest is in the write-ahead log, which is there already
		params.Set("immutable", "1")
	}
	pool, err := sql.Open("sqlite", dsn(path, params))
	if err != nil {
		return err
	}
	pool.SetMaxOpenConns(1)
	err = inspectSchema(ctx, pool)
	if err == nil && size <= checkWhole {
		err = inspectPages(ctx, pool)
	}
	return errors.Join(err, pool.Close())
}

// inspectHeader reads the first 100 bytes, see https://sqlite.org/fileformat.html#the_database_header.
func inspectHeader(path string, size int64, unclean bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var h [100]byte
	if _, err := io.ReadFull(f, h[:]); err != nil {
		return fmt.Errorf("%w: it is too short", ErrDamaged)
	}
	if string(h[:16]) != "SQLite format 3\x00" {
		return fmt.Errorf("%w: it is not an SQLite file", ErrDamaged)
	}
	if binary.BigEndian.Uint32(h[68:]) != applicationID {
		return fmt.Errorf("%w: it belongs to another program", ErrDamaged)
	}
	page := int64(binary.BigEndian.Uint16(h[16:]))
	if page == 1 {
		page = 64 << 10
	}
	// While there is a log to be put into it the file may be shorter.
	if pages := int64(binary.BigEndian.Uint32(h[28:])); !unclean && size < pages*page {
		return fmt.Errorf("%w: it is cut short: %d bytes of %d", ErrDamaged, size, pages*page)
	}
	return nil
}

// inspectSchema is ErrNewer, or ErrDamaged, for a file that this AnyHook cannot read.
func inspectSchema(ctx context.Context, pool *sql.DB) error {
	_, err := steps(ctx, pool)
	return err
}

// steps returns how many of the steps of this package the file has seen.
func steps(ctx context.Context, pool *sql.DB) (int, error) {
	n, err := done(ctx, pool, captureOwner)
	if err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return 0, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	if n > len(captureSteps) {
		return 0, newer(captureOwner, n, len(captureSteps))
	}
	return n, nil
}

// inspectPages looks at every page.
func inspectPages(ctx context.Context, pool *sql.DB) error {
	var verdict string
	err := pool.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	case verdict != "ok":
		return fmt.Errorf("%w (%s)", ErrDamaged, strings.Join(strings.Fields(verdict), " "))
	}
	return nil
}
