package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
)

// SaveRun stores r, or how far it is by now.
func (j *Journal) SaveRun(ctx context.Context, r replay.Run) error {
	waveText, err := json.Marshal(r.Scenario.Waves)
	if err != nil {
		return err
	}
	spread, err := json.Marshal(r.Spread)
	if err != nil {
		return err
	}
	finish := sql.NullInt64{Int64: r.End.UnixNano(), Valid: !r.End.IsZero()}
	var charged, twice sql.NullInt64
	if p := r.Practice; p != nil {
		charged, twice = sql.NullInt64{Int64: int64(p.Charged), Valid: true}, sql.NullInt64{Int64: int64(p.Twice), Valid: true}
	}
	err = j.db.Write(ctx, func(tx store.Tx) error {
		_, err := tx.Exec(`INSERT INTO run (id, name, seed, target, start, finish, sent, ok, failed, skipped, err, note, done, spread, waves, charged, twice)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET finish = excluded.finish, sent = excluded.sent, ok = excluded.ok, failed = excluded.failed,
				skipped = excluded.skipped, err = excluded.err, note = excluded.note, done = excluded.done, spread = excluded.spread,
				charged = excluded.charged, twice = excluded.twice`,
			string(r.ID), r.Scenario.Name, int64(r.Scenario.Seed), r.Target, r.Start.UnixNano(), finish, //nolint:gosec // the bits are kept
			r.Sent, r.OK, r.Failed, r.Skipped, r.Err, r.Note, r.Done, string(spread), string(waveText), charged, twice)
		return err
	})
	if err != nil {
		return fmt.Errorf("save run %s: %w", r.ID, err)
	}
	return nil
}

// Runs returns up to limit runs, the newest first.
func (j *Journal) Runs(ctx context.Context, limit int) ([]replay.Run, error) {
	rs, err := j.runs(ctx, `ORDER BY start DESC, rowid DESC LIMIT ?`, limit)
	if err != nil {
		return nil, fmt.Errorf("runs: %w", err)
	}
	return rs, nil
}

// Run returns the run. The error is store.ErrNotFound if there is none.
func (j *Journal) Run(ctx context.Context, id replay.RunID) (replay.Run, error) {
	rs, err := j.runs(ctx, `WHERE id = ?`, string(id))
	if err == nil && len(rs) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return replay.Run{}, fmt.Errorf("run %s: %w", id, err)
	}
	return rs[0], nil
}

func (j *Journal) runs(ctx context.Context, which string, arg any) (rs []replay.Run, err error) {
	rows, err := j.db.Read().QueryContext(ctx, `SELECT id, name, seed, target, start, finish, sent, ok, failed, skipped, err, note, done, spread, waves, charged, twice FROM run `+which, arg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r replay.Run
		var seed, start int64
		var finish, charged, twice sql.NullInt64
		var spread, waves []byte
		if err := rows.Scan(&r.ID, &r.Scenario.Name, &seed, &r.Target, &start, &finish,
			&r.Sent, &r.OK, &r.Failed, &r.Skipped, &r.Err, &r.Note, &r.Done, &spread, &waves, &charged, &twice); err != nil {
			return nil, err
		}
		r.Scenario.Seed = uint64(seed) //nolint:gosec // the bits are kept
		r.Start = time.Unix(0, start).UTC()
		if finish.Valid {
			r.End = time.Unix(0, finish.Int64).UTC()
		}
		if charged.Valid {
			r.Practice = &replay.Practised{Charged: int(charged.Int64), Twice: int(twice.Int64)}
		}
		if err := decode(&r, spread, waves); err != nil {
			return nil, fmt.Errorf("%w: run %s: %w", store.ErrDamaged, r.ID, err)
		}
		rs = append(rs, r)
	}
	return rs, rows.Err()
}

func decode(r *replay.Run, spread, waves []byte) error {
	if err := json.Unmarshal(spread, &r.Spread); err != nil {
		return err
	}
	return json.Unmarshal(waves, &r.Scenario.Waves)
}
