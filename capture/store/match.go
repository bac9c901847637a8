package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"anyhook.net/desktop/capture"
)

// A Filter chooses requests. What the store knows is in capture.Filter; what
// others know, they say in SQL. Outcome is the journal's: it makes a Cond of
// it, and without one a Filter with an Outcome is an error.
type Filter struct {
	capture.Filter

	Also []Cond // all of these, too
}

// A Cond is a condition on one request, in SQL: a boolean expression with ?
// for the Args, in which request.seq and the other columns of the table
// request stand for that request. It is asked for every row that the rest of
// the filter leaves, so it should look up by request.seq:
//
//	EXISTS (SELECT 1 FROM standing s WHERE s.seq = request.seq AND s.status >= 500)
type Cond struct {
	SQL  string
	Args []any
}

// Match returns, ascending, the requests of from ≤ seq ≤ to that f chooses.
// The parts of f without Text do not touch a body; Text reads head and body of
// those requests that the rest chooses and whose type, key, object and URL do
// not have it. The end of ctx ends it within some milliseconds.
func (l *Log) Match(ctx context.Context, f Filter, from, to capture.Seq) ([]capture.Seq, error) {
	seqs, err := l.match(ctx, f, max(from, 1), min(to, l.db.Last()))
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("find requests: %w", fault(err))
	}
	return seqs, nil
}

func (l *Log) match(ctx context.Context, f Filter, from, to capture.Seq) ([]capture.Seq, error) {
	if len(f.Outcome) > 0 && len(f.Also) == 0 {
		return nil, errors.New("an outcome needs the condition of the journal")
	}
	if from > to {
		return nil, nil
	}
	from, to, err := l.within(ctx, f, from, to)
	if err != nil || from > to {
		return nil, err
	}
	if f.Text != "" {
		return l.search(ctx, f, from, to)
	}
	where, ok := conditions(f)
	if !ok { // everything; there are no gaps
		seqs := make([]capture.Seq, 0, to-from+1)
		for seq := from; seq <= to; seq++ {
			seqs = append(seqs, seq)
		}
		return seqs, nil
	}
	return l.seqs(ctx, where, from, to)
}

// within narrows from and to to the requests between the times of f. Requests
// are stored nearly in the order of their times, but not quite, so the times
// are asked for as well.
func (l *Log) within(ctx context.Context, f Filter, from, to capture.Seq) (_, _ capture.Seq, err error) {
	if f.Since.IsZero() && f.Until.IsZero() {
		return from, to, nil
	}
	since, until := bounds(f)
	var first, last sql.NullInt64
	err = l.db.readers.QueryRowContext(ctx, `SELECT min(seq), max(seq) FROM request INDEXED BY request_at WHERE at >= ? AND at <= ?`, since, until).Scan(&first, &last)
	if err != nil || !first.Valid {
		return 1, 0, err
	}
	return max(from, capture.Seq(first.Int64)), min(to, capture.Seq(last.Int64)), nil
}

// bounds returns the times of f, both inclusive.
func bounds(f Filter) (since, until int64) {
	since, until = math.MinInt64, math.MaxInt64
	if s := nanos(f.Since); s.Valid {
		since = s.Int64
	}
	if u := nanos(f.Until); u.Valid {
		until = max(u.Int64, math.MinInt64+1) - 1
	}
	return since, until
}

// A where is the part of a query that chooses.
type where struct {
	request, reading bool // the tables it asks
	terms            []string
	args             []any
}

func (w *where) add(term string, args ...any) {
	w.terms = append(w.terms, term)
	w.args = append(w.args, args...)
}

// anyOf adds that column has one of the values.
func anyOf[T ~string](w *where, column string, values []T) {
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
	w.terms = append(w.terms, column+` IN (`+marks+`)`)
	for _, v := range values {
		w.args = append(w.args, string(v))
	}
}

// conditions returns what f says, Text aside; ok is false if that is nothing.
func conditions(f Filter) (w where, ok bool) {
	if len(f.Kinds) > 0 {
		w.request = true
		anyOf(&w, `request.kind`, f.Kinds)
	}
	if f.Endpoint != "" {
		w.request = true
		w.add(`request.endpoint = ?`, f.Endpoint)
	}
	if !f.Since.IsZero() || !f.Until.IsZero() {
		w.request = true
		since, until := bounds(f)
		w.add(`request.at >= ? AND request.at <= ?`, since, until)
	}
	if f.Provider != "" {
		w.reading = true
		w.add(`reading.provider = ?`, f.Provider)
	}
	if len(f.Signature) > 0 {
		w.reading = true
		anyOf(&w, `reading.status`, f.Signature)
	}
	if f.Duplicates {
		w.reading = true
		w.add(`reading.seen > 1`)
	}
	if f.Late {
		w.reading = true
		w.add(`reading.late = 1`)
	}
	for _, c := range f.Also {
		w.request = true
		w.add(`(`+c.SQL+`)`, c.Args...)
	}
	return w, len(w.terms) > 0
}

// over is the query for seq, and for more columns, of what is chosen from
// from ≤ seq ≤ to, ascending.
func (w *where) over(from, to capture.Seq, more ...string) (query string, args []any) {
	tables, seq := `request`, `request.seq`
	switch {
	case w.request && w.reading:
		tables = `request JOIN reading ON reading.seq = request.seq`
	case w.reading:
		tables, seq = `reading`, `reading.seq`
	}
	columns := append([]string{seq}, more...)
	terms := append([]string{seq + ` >= ? AND ` + seq + ` <= ?`}, w.terms...)
	query = `SELECT ` + strings.Join(columns, `, `) + ` FROM ` + tables + ` WHERE ` + strings.Join(terms, ` AND `) + ` ORDER BY ` + seq
	return query, append([]any{int64(from), int64(to)}, w.args...)
}

func (l *Log) seqs(ctx context.Context, w where, from, to capture.Seq) ([]capture.Seq, error) {
	query, args := w.over(from, to)
	return l.column(ctx, query, args...)
}

// column returns the places that a query is for.
func (l *Log) column(ctx context.Context, query string, args ...any) (seqs []capture.Seq, err error) {
	rows, err := l.db.readers.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var s capture.Seq
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		seqs = append(seqs, s)
	}
	return seqs, rows.Err()
}
