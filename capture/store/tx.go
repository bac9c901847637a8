package store

import (
	"context"
	"database/sql"
)

// A Tx is a part of the transaction under way, inside [DB.Write]. It is of no
// use after the function it was given to has returned. Statements are kept
// prepared under their text, so the text should not contain values.
type Tx struct{ w *writer }

// kept is how many statements stay prepared.
const kept = 128

// A stmt is one statement, ready to be carried out.
type stmt interface {
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, args ...any) *sql.Row
}

// plain is a statement that is prepared each time.
type plain struct {
	conn  *sql.Conn
	query string
}

func (p plain) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	return p.conn.ExecContext(ctx, p.query, args...)
}

func (p plain) QueryContext(ctx context.Context, args ...any) (*sql.Rows, error) {
	return p.conn.QueryContext(ctx, p.query, args...)
}

func (p plain) QueryRowContext(ctx context.Context, args ...any) *sql.Row {
	return p.conn.QueryRowContext(ctx, p.query, args...)
}

// stmt returns the statement for query: prepared, while there are few enough.
// The writer closes what is prepared. What cannot be prepared says so when it
// is carried out.
func (tx Tx) stmt(query string) stmt {
	if s := tx.w.stmts[query]; s != nil {
		return s
	}
	if len(tx.w.stmts) < kept {
		if s, err := tx.w.conn.PrepareContext(context.Background(), query); err == nil {
			tx.w.stmts[query] = s
			return s
		}
	}
	return plain{tx.w.conn, query}
}

// Exec carries out one statement that returns no rows.
func (tx Tx) Exec(query string, args ...any) (sql.Result, error) {
	return tx.stmt(query).ExecContext(context.Background(), args...)
}

// QueryRow asks for one row.
func (tx Tx) QueryRow(query string, args ...any) *sql.Row {
	return tx.stmt(query).QueryRowContext(context.Background(), args...)
}

// Query asks for rows, which must be closed before the function returns.
func (tx Tx) Query(query string, args ...any) (*sql.Rows, error) {
	return tx.stmt(query).QueryContext(context.Background(), args...)
}
