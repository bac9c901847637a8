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

// stmt returns the statement prepared, or nil when there are too many.
func (tx Tx) stmt(query string) (*sql.Stmt, error) {
	if s := tx.w.stmts[query]; s != nil || len(tx.w.stmts) >= kept {
		return s, nil
	}
	s, err := tx.w.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	tx.w.stmts[query] = s
	return s, nil
}

// Exec carries out one statement that returns no rows.
func (tx Tx) Exec(query string, args ...any) (sql.Result, error) {
	s, err := tx.stmt(query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return tx.w.conn.ExecContext(context.Background(), query, args...)
	}
	return s.ExecContext(context.Background(), args...)
}

// QueryRow asks for one row.
func (tx Tx) QueryRow(query string, args ...any) *sql.Row {
	if s, err := tx.stmt(query); err == nil && s != nil {
		return s.QueryRowContext(context.Background(), args...)
	}
	return tx.w.conn.QueryRowContext(context.Background(), query, args...)
}

// Query asks for rows, which must be closed before the function returns.
func (tx Tx) Query(query string, args ...any) (*sql.Rows, error) {
	s, err := tx.stmt(query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return tx.w.conn.QueryContext(context.Background(), query, args...)
	}
	return s.QueryContext(context.Background(), args...)
}
