package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
)

// Cursor returns how far the forwarder is: every request up to it has been
// enqueued, or needs not be.
func (j *Journal) Cursor(ctx context.Context) (capture.Seq, error) {
	var seq capture.Seq
	if err := j.db.Read().QueryRowContext(ctx, `SELECT seq FROM forwarded`).Scan(&seq); err != nil {
		return 0, fmt.Errorf("forwarding position: %w", err)
	}
	return seq, nil
}

// Enqueue stores what the forwarder makes of new requests, ascending, and
// moves the cursor to the last of them in the same commit.
func (j *Journal) Enqueue(ctx context.Context, all ...replay.Standing) error {
	if len(all) == 0 {
		return nil
	}
	last := all[len(all)-1].Seq
	err := j.db.Write(ctx, func(tx store.Tx) error {
		for _, s := range all {
			if err := stand(tx, s); err != nil {
				return err
			}
		}
		_, err := tx.Exec(`UPDATE forwarded SET seq = max(seq, ?)`, int64(last))
		return err
	})
	if err != nil {
		return fmt.Errorf("enqueue requests up to %d: %w", last, err)
	}
	return nil
}

// Stand stores Endpoint, Progress, Tries and Due of a request; the rest of s
// is the journal's own.
func (j *Journal) Stand(ctx context.Context, s replay.Standing) error {
	if err := j.db.Write(ctx, func(tx store.Tx) error { return stand(tx, s) }); err != nil {
		return fmt.Errorf("standing of request %d: %w", s.Seq, err)
	}
	return nil
}

func stand(tx store.Tx, s replay.Standing) error {
	due := sql.NullInt64{Int64: s.Due.UnixNano(), Valid: !s.Due.IsZero()}
	_, err := tx.Exec(`INSERT INTO standing (seq, endpoint, progress, tries, due) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (seq) DO UPDATE SET endpoint = excluded.endpoint, progress = excluded.progress, tries = excluded.tries, due = excluded.due`,
		int64(s.Seq), s.Endpoint, string(s.Progress), s.Tries, due)
	return err
}

// Outstanding returns the requests that are queued or retrying, oldest first.
func (j *Journal) Outstanding(ctx context.Context) ([]replay.Standing, error) {
	out, err := j.standings(ctx, `FROM standing s JOIN request r ON r.seq = s.seq WHERE s.progress IN ('queued', 'retrying') ORDER BY s.seq`)
	if err != nil {
		return nil, fmt.Errorf("what is to be forwarded: %w", err)
	}
	return out, nil
}

// Standings returns one for each seq, in the order asked for. A request that
// the forwarder has not seen and nobody replayed has no Progress; a seq that
// is not stored has nothing else at all.
func (j *Journal) Standings(ctx context.Context, seqs []capture.Seq) ([]replay.Standing, error) {
	const perQuery = 500
	out := make([]replay.Standing, 0, len(seqs))
	for some := range slices.Chunk(seqs, perQuery) {
		list, err := json.Marshal(some)
		if err != nil {
			return nil, err
		}
		got, err := j.standings(ctx, `FROM json_each(?) j CROSS JOIN request r ON r.seq = j.value LEFT JOIN standing s ON s.seq = r.seq`, string(list))
		if err != nil {
			return nil, fmt.Errorf("how requests stand: %w", err)
		}
		bySeq := make(map[capture.Seq]replay.Standing, len(got))
		for _, s := range got {
			bySeq[s.Seq] = s
		}
		for _, seq := range some {
			s := bySeq[seq]
			s.Seq = seq
			out = append(out, s)
		}
	}
	return out, nil
}

func (j *Journal) standings(ctx context.Context, from string, args ...any) (out []replay.Standing, err error) {
	rows, err := j.db.Read().QueryContext(ctx, `SELECT r.seq, r.id, coalesce(s.endpoint, ''), coalesce(s.progress, ''), coalesce(s.tries, 0), s.due,
		coalesce(s.attempts, 0), coalesce(s.replays, 0), coalesce(s.status, 0), coalesce(s.failure, ''), coalesce(s.failures, 0) `+from, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var s replay.Standing
		var due sql.NullInt64
		if err := rows.Scan(&s.Seq, &s.Request, &s.Endpoint, &s.Progress, &s.Tries, &due,
			&s.Attempts, &s.Replays, &s.Status, &s.Failure, &s.Failures); err != nil {
			return nil, err
		}
		if due.Valid {
			s.Due = time.Unix(0, due.Int64).UTC()
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// Counts are for the status bar.
type Counts struct {
	Waiting int // requests queued or retrying
	Failing int // requests given up, the last attempt failed
}

// Counts returns the counts of now. It reads two small indexes.
func (j *Journal) Counts(ctx context.Context) (Counts, error) {
	var c Counts
	err := j.db.Read().QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM standing WHERE progress IN ('queued', 'retrying')),
		(SELECT count(*) FROM standing WHERE last = 2 AND progress = 'gave-up')`).Scan(&c.Waiting, &c.Failing)
	if err != nil {
		return Counts{}, fmt.Errorf("count requests: %w", err)
	}
	return c, nil
}

// Failed returns the deliveries that arrived at or after since and before
// until, zero for no bound, whose last attempt that ended was not taken, in
// the order of their arrival.
func (j *Journal) Failed(ctx context.Context, since, until time.Time) ([]capture.ID, error) {
	ids, err := j.failed(ctx, since, until)
	if err != nil {
		return nil, fmt.Errorf("find failed requests: %w", err)
	}
	return ids, nil
}

func (j *Journal) failed(ctx context.Context, since, until time.Time) (ids []capture.ID, err error) {
	rows, err := j.db.Read().QueryContext(ctx, `SELECT r.id FROM standing s JOIN request r ON r.seq = s.seq
		WHERE s.last = 2 AND r.kind = 'delivery' AND (? OR r.at >= ?) AND (? OR r.at < ?) ORDER BY s.seq`,
		since.IsZero(), since.UnixNano(), until.IsZero(), until.UnixNano())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id capture.ID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// outcomes are what the words of a filter mean. A request can be failed and
// waiting at once: its last attempt failed, and it is due again.
var outcomes = map[capture.Outcome]string{
	capture.OutcomeOK:     `EXISTS (SELECT 1 FROM standing s WHERE s.seq = request.seq AND s.last = 1)`,
	capture.OutcomeFailed: `request.seq IN (SELECT s.seq FROM standing s WHERE s.last = 2)`,
	capture.OutcomeWaiting: `request.seq IN (SELECT s.seq FROM standing s WHERE s.progress IN ('queued', 'retrying'))
		OR request.seq > (SELECT seq FROM forwarded) AND request.kind = 'delivery'`,
	capture.OutcomeKept: `(request.seq <= (SELECT seq FROM forwarded) OR request.kind <> 'delivery')
		AND NOT EXISTS (SELECT 1 FROM standing s WHERE s.seq = request.seq AND (s.progress NOT IN ('kept', '') OR s.last > 0))`,
}

// OutcomeCond is the Outcome of a capture.Filter for store.Filter.Also: nil
// for none, else one condition that any of the outcomes meets.
func OutcomeCond(anyOf []capture.Outcome) []store.Cond {
	if len(anyOf) == 0 {
		return nil
	}
	var terms []string
	for _, o := range anyOf {
		if sql, ok := outcomes[o]; ok {
			terms = append(terms, sql)
		}
	}
	if len(terms) == 0 {
		terms = []string{`0`} // nothing has an outcome nobody knows
	}
	return []store.Cond{{SQL: strings.Join(terms, ` OR `)}}
}
