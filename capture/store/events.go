package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"

	"anyhook.net/desktop/capture"
)

// loadEvents fills in the events of rs, which are in order.
func (l *Log) loadEvents(ctx context.Context, rs []*capture.Request) (err error) {
	// Events of a request that is not read yet are half of what there will be.
	rows, err := l.db.readers.QueryContext(ctx, `SELECT event.seq, event.key, event.exact, event.grp, event.type, event.object,
		event.at, event.ord, event.try, event.seen, event.late
		FROM event JOIN reading ON reading.seq = event.seq AND reading.read > 0
		WHERE event.seq >= ? AND event.seq <= ? ORDER BY event.seq, event.i`, int64(rs[0].Seq), int64(rs[len(rs)-1].Seq))
	if err != nil {
		return fault(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	at := 0
	for rows.Next() {
		var e capture.Event
		var seq capture.Seq
		var when sql.NullInt64
		if err := rows.Scan(&seq, &e.Key.Value, &e.Key.Exact, &e.Group, &e.Type, &e.Object, &when, &e.Order, &e.Try, &e.Seen, &e.Late); err != nil {
			return fault(err)
		}
		if when.Valid {
			e.At = time.Unix(0, when.Int64).UTC()
		}
		for at < len(rs)-1 && rs[at].Seq < seq {
			at++
		}
		if rs[at].Seq != seq { // between two of rs
			continue
		}
		rs[at].Events = append(rs[at].Events, e)
	}
	return fault(rows.Err())
}

// Moments outside of these do not fit into nanoseconds. Only a provider's
// clock that is very wrong is out there: its time is stored as the nearest.
var (
	earliest = time.Unix(0, math.MinInt64)
	latest   = time.Unix(0, math.MaxInt64)
)

// near returns the moment nearest to t that fits.
func near(t time.Time) time.Time {
	switch {
	case t.IsZero():
		return t
	case t.Before(earliest):
		return earliest.UTC()
	case t.After(latest):
		return latest.UTC()
	}
	return t
}

// nanos is how a moment is stored: NULL for the zero time.
func nanos(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: near(t).UnixNano(), Valid: !t.IsZero()}
}

// oneRow makes a statement that met no row into ErrNotFound.
func oneRow(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	return err
}
