package store

import (
	"database/sql"
	"errors"

	"anyhook.net/desktop/capture"
)

const seenBefore = `SELECT seen FROM event INDEXED BY event_key
	WHERE provider = ? AND key = ? AND seen > 0 ORDER BY seq DESC, i DESC LIMIT 1`

// The newest of an object by number, and by clock among those without one.
// They are what capture.Event.Older says, turned into two steps of an index.
const (
	newerOrd = `SELECT EXISTS (SELECT 1 FROM event INDEXED BY event_ord
		WHERE provider = ? AND object = ? AND ord > ? AND (key <> ? OR key = '') AND seen > 0 AND object <> '' AND ord <> 0)`
	newerAtNoOrd = `SELECT EXISTS (SELECT 1 FROM event INDEXED BY event_at
		WHERE provider = ? AND object = ? AND at > ? AND (key <> ? OR key = '') AND seen > 0 AND object <> '' AND at IS NOT NULL AND ord = 0)`
	newerAt = `SELECT EXISTS (SELECT 1 FROM event INDEXED BY event_at
		WHERE provider = ? AND object = ? AND at > ? AND (key <> ? OR key = '') AND seen > 0 AND object <> '' AND at IS NOT NULL)`
)

// compare fills in Seen and Late of e from what is stored.
func compare(tx Tx, provider string, e *capture.Event) error {
	e.Seen = 1
	if e.Key.Value != "" {
		var before int
		err := tx.QueryRow(seenBefore, provider, e.Key.Value).Scan(&before)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		e.Seen += before
	}
	if e.Object == "" {
		return nil
	}
	if e.Order != 0 {
		if err := tx.QueryRow(newerOrd, provider, e.Object, e.Order, e.Key.Value).Scan(&e.Late); err != nil || e.Late {
			return err
		}
	}
	at := nanos(e.At)
	if !at.Valid {
		return nil
	}
	query := newerAt
	if e.Order != 0 {
		query = newerAtNoOrd
	}
	return tx.QueryRow(query, provider, e.Object, at.Int64, e.Key.Value).Scan(&e.Late)
}
