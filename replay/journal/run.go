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

// SaveRun stores r, or how far it is by now: the scenario of a run that is
// stored does not change any more.
func (j *Journal) SaveRun(ctx context.Context, r replay.Run) error {
	known, err := j.knows(ctx, r.ID)
	if err == nil && !known {
		err = j.beginRun(ctx, r)
	}
	if err == nil {
		err = j.updateRun(ctx, r)
	}
	if err != nil {
		return fmt.Errorf("save run %s: %w", r.ID, err)
	}
	return nil
}

func (j *Journal) knows(ctx context.Context, id replay.RunID) (known bool, err error) {
	err = j.db.Read().QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM run WHERE id = ?)`, string(id)).Scan(&known)
	return known, err
}

// beginRun stores what stays of a run.
func (j *Journal) beginRun(ctx context.Context, r replay.Run) error {
	waves, err := json.Marshal(r.Scenario.Waves)
	if err != nil {
		return err
	}
	hold, err := encode(r.Scenario.Hold)
	if err != nil {
		return err
	}
	return j.db.Write(ctx, func(tx store.Tx) error {
		_, err := tx.Exec(`INSERT INTO run (id, name, seed, speed, target, start, waves, hold, sent, ok, failed, skipped, err, spread)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, '', 'null')`,
			string(r.ID), r.Scenario.Name, int64(r.Scenario.Seed), r.Scenario.Speed, r.Target, r.Start.UnixNano(), string(waves), hold) //nolint:gosec // the bits are kept
		return err
	})
}

// updateRun stores what changes while it goes on.
func (j *Journal) updateRun(ctx context.Context, r replay.Run) error {
	spread, err := json.Marshal(r.Spread)
	if err != nil {
		return err
	}
	held, err := encode(r.Held)
	if err != nil {
		return err
	}
	finish := sql.NullInt64{Int64: r.End.UnixNano(), Valid: !r.End.IsZero()}
	var charged, twice sql.NullInt64
	if p := r.Practice; p != nil {
		charged, twice = sql.NullInt64{Int64: int64(p.Charged), Valid: true}, sql.NullInt64{Int64: int64(p.Twice), Valid: true}
	}
	return j.db.Write(ctx, func(tx store.Tx) error {
		_, err := tx.Exec(`UPDATE run SET finish = ?, sent = ?, ok = ?, failed = ?, faulted = ?, skipped = ?, spared = ?,
			err = ?, note = ?, done = ?, spread = ?, charged = ?, twice = ?, held = ? WHERE id = ?`,
			finish, r.Sent, r.OK, r.Failed, r.Faulted, r.Skipped, r.Spared,
			r.Err, r.Note, r.Done, string(spread), charged, twice, held, string(r.ID))
		return err
	})
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

func (j *Journal) runs(ctx context.Context, which string, args ...any) (rs []replay.Run, err error) {
	rows, err := j.db.Read().QueryContext(ctx, `SELECT id, name, seed, speed, target, start, finish, sent, ok, failed, faulted, skipped, spared,
		err, note, done, charged, twice, spread, waves, hold, held FROM run `+which, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		r, err := scanRun(rows)
		if err != nil {
			return nil, err
		}
		rs = append(rs, r)
	}
	return rs, rows.Err()
}

func scanRun(rows *sql.Rows) (r replay.Run, err error) {
	var seed, start int64
	var finish, charged, twice sql.NullInt64
	var spread, waves, hold, held []byte
	if err := rows.Scan(&r.ID, &r.Scenario.Name, &seed, &r.Scenario.Speed, &r.Target, &start, &finish,
		&r.Sent, &r.OK, &r.Failed, &r.Faulted, &r.Skipped, &r.Spared, &r.Err, &r.Note, &r.Done,
		&charged, &twice, &spread, &waves, &hold, &held); err != nil {
		return r, err
	}
	r.Scenario.Seed = uint64(seed) //nolint:gosec // the bits are kept
	r.Start = time.Unix(0, start).UTC()
	if finish.Valid {
		r.End = time.Unix(0, finish.Int64).UTC()
	}
	if charged.Valid {
		r.Practice = &replay.Practised{Charged: int(charged.Int64), Twice: int(twice.Int64)}
	}
	err = errors.Join(decode(spread, &r.Spread), decode(waves, &r.Scenario.Waves), decode(hold, &r.Scenario.Hold), decode(held, &r.Held))
	if err != nil {
		return r, fmt.Errorf("%w: run %s: %w", store.ErrDamaged, r.ID, err)
	}
	return r, nil
}

// endRuns ends the runs that nobody will carry on, from what is known of
// their attempts: what was saved on the way may be a second old.
func (j *Journal) endRuns(ctx context.Context) error {
	open, err := j.runs(ctx, `WHERE finish IS NULL`)
	if err != nil {
		return err
	}
	for _, r := range open {
		if err := j.sum(ctx, &r); err != nil {
			return fmt.Errorf("run %s: %w", r.ID, err)
		}
		r.Err = replay.Ended
		if err := j.updateRun(ctx, r); err != nil {
			return fmt.Errorf("run %s: %w", r.ID, err)
		}
	}
	return nil
}

// sum fills in the sums, Done and End of a run of the past. A wave of which an
// attempt was lost is not done.
func (j *Journal) sum(ctx context.Context, r *replay.Run) (err error) {
	rows, err := j.db.Read().QueryContext(ctx, `SELECT wave, start + took, signing, faults, outcome FROM attempt WHERE run = ? AND run <> '' ORDER BY id`, string(r.ID))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	r.Sent, r.OK, r.Failed, r.Faulted, r.End = 0, 0, 0, 0, r.Start
	lost := len(r.Scenario.Waves) + 1
	for rows.Next() {
		var a replay.Attempt
		var end int64
		var faults, outcome []byte
		if err := rows.Scan(&a.Place.Wave, &end, &a.Signing, &faults, &outcome); err != nil {
			return err
		}
		if err := errors.Join(decode(faults, &a.Faults), json.Unmarshal(outcome, &a.Outcome)); err != nil {
			return fmt.Errorf("%w: %w", store.ErrDamaged, err)
		}
		r.Count(a)
		r.Done = max(r.Done, a.Place.Wave)
		if a.Outcome.Failure == replay.Lost {
			lost = min(lost, a.Place.Wave)
		}
		if at := time.Unix(0, end).UTC(); at.After(r.End) {
			r.End = at
		}
	}
	r.Done = min(r.Done, lost-1)
	r.Skipped = r.Scenario.Sends() - r.Sent - r.Spared
	return rows.Err()
}
