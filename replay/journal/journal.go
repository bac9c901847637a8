// Package journal keeps what was sent to the handler: attempts, how each
// request stands, and runs. Its tables are in the file of capture/store, and
// its writes go through the one writer there, so that they share its commits.
// To change the tables append a step to steps; never edit one.
package journal

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
)

//go:embed schema.sql
var schema string

// practised keeps all of a run.
const practised = `
ALTER TABLE run ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN done INTEGER NOT NULL DEFAULT 0; -- waves carried out
ALTER TABLE run ADD COLUMN charged INTEGER; -- by the practice handler; NULL if nothing was sent there
ALTER TABLE run ADD COLUMN twice INTEGER;   -- the same`

// hostile keeps what a scenario did to its sends, and scenarios.
const hostile = `
ALTER TABLE attempt ADD COLUMN wave   INTEGER NOT NULL DEFAULT 0;  -- of its run's scenario, from 1; 0 for live traffic
ALTER TABLE attempt ADD COLUMN slot   INTEGER NOT NULL DEFAULT 0;  -- the send in it, from 1
ALTER TABLE attempt ADD COLUMN faults TEXT    NOT NULL DEFAULT ''; -- JSON: faults; '' for none
ALTER TABLE attempt ADD COLUMN try    INTEGER NOT NULL DEFAULT 0;  -- the provider's attempt number put in; 0 if none was
ALTER TABLE run ADD COLUMN speed   REAL    NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN faulted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN spared  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN hold    TEXT    NOT NULL DEFAULT ''; -- JSON: expectations; '' for none
ALTER TABLE run ADD COLUMN held    TEXT    NOT NULL DEFAULT ''; -- JSON: what each came to; '' if nobody looked
CREATE INDEX run_open ON run (start) WHERE finish IS NULL;
CREATE TABLE scenario (
	name     TEXT    PRIMARY KEY CHECK (name <> ''),
	scenario TEXT    NOT NULL, -- JSON of all of it
	changed  INTEGER NOT NULL  -- nanoseconds since 1970 UTC
) STRICT;`

// steps are only ever added.
var steps = []string{schema, practised, hostile}

// A Journal is the record of what was sent. There is one for a database.
type Journal struct{ db *store.DB }

// Open returns the journal in db. Attempts that were under way when AnyHook
// last ended are ended as replay.Lost: their requests may have arrived or not.
// Runs that were under way are ended, too, with replay.Ended as their Err.
// The error is store.ErrNewer if a newer AnyHook wrote the file.
func Open(ctx context.Context, db *store.DB) (*Journal, error) {
	if err := db.Migrate(ctx, "replay", steps); err != nil {
		return nil, err
	}
	j := &Journal{db}
	if db.Viewing() { // what is under way is another program's
		return j, nil
	}
	if err := errors.Join(j.lose(ctx), j.endRuns(ctx)); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	return j, nil
}

// The values of standing.last.
const (
	taken    = 1
	notTaken = 2
)

// lose ends the attempts that nobody will end any more.
func (j *Journal) lose(ctx context.Context) error {
	lost := replay.Outcome{Failure: replay.Lost, Detail: "AnyHook ended before the answer came"}
	outcome, err := json.Marshal(lost)
	if err != nil {
		return err
	}
	var open int
	if err := j.db.Read().QueryRowContext(ctx, `SELECT count(*) FROM attempt WHERE ended = 0`).Scan(&open); err != nil || open == 0 {
		return err
	}
	return j.db.Write(ctx, func(tx store.Tx) error {
		if _, err := tx.Exec(`UPDATE standing SET last = ?, status = 0, failure = ?, failures = failures + 1
			WHERE seq IN (SELECT seq FROM attempt WHERE ended = 0)`, notTaken, string(lost.Failure)); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE attempt SET ended = 1, outcome = ? WHERE ended = 0`, string(outcome))
		return err
	})
}

// Begin claims the next number of a's request at a's target, and sets a.ID,
// a.N and a.Seq. When it returns, that is on the disk: it comes before the
// sending, so that a crash leaves an attempt that is lost, and not a delivery
// that nobody wrote down. The error is store.ErrNotFound if there is no such
// request.
func (j *Journal) Begin(ctx context.Context, a *replay.Attempt) error {
	var id int64
	var n int
	var seq capture.Seq
	faults, err := encode(a.Faults)
	if err != nil {
		return err
	}
	err = j.db.Write(ctx, func(tx store.Tx) error {
		err := tx.QueryRow(`SELECT seq FROM request WHERE id = ?`, string(a.Request)).Scan(&seq)
		if errors.Is(err, sql.ErrNoRows) {
			return store.ErrNotFound
		}
		if err != nil {
			return err
		}
		err = tx.QueryRow(`INSERT INTO attempt (seq, target, n, run, replay, signing, start, wave, slot, faults, try)
			SELECT ?1, ?2, coalesce(max(n), 0) + 1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM attempt WHERE seq = ?1 AND target = ?2
			RETURNING id, n`,
			int64(seq), a.Target, string(a.Run), a.Replay, string(a.Signing), a.Start.UnixNano(),
			a.Place.Wave, a.Place.Send, faults, a.Try).Scan(&id, &n)
		if err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO standing (seq, endpoint, progress, tries, attempts, replays) VALUES (?, '', '', 0, 1, ?)
			ON CONFLICT (seq) DO UPDATE SET attempts = attempts + 1, replays = replays + excluded.replays`, int64(seq), a.Replay)
		return err
	})
	if err != nil {
		return fmt.Errorf("begin attempt at %s: %w", a.Request, err)
	}
	a.ID, a.N, a.Seq = id, n, seq
	return nil
}

// End writes down Took and Outcome of an attempt that Begin began, and what
// that makes of the request's standing. An attempt ends once.
func (j *Journal) End(ctx context.Context, a *replay.Attempt) error {
	if err := j.end(ctx, a); err != nil {
		return fmt.Errorf("end attempt %d at %s: %w", a.N, a.Request, err)
	}
	return nil
}

func (j *Journal) end(ctx context.Context, a *replay.Attempt) error {
	outcome, err := json.Marshal(a.Outcome)
	if err != nil {
		return err
	}
	last := notTaken
	if a.Outcome.OK() {
		last = taken
	}
	return j.db.Write(ctx, func(tx store.Tx) error {
		res, err := tx.Exec(`UPDATE attempt SET ended = 1, took = ?, outcome = ?, head = ?, body = ? WHERE id = ? AND ended = 0`,
			int64(a.Took), string(outcome), blob(a.Outcome.Head), blob(a.Outcome.Body), a.ID)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(errors.New("it is not under way"), err)
		}
		_, err = tx.Exec(`UPDATE standing SET last = ?1, status = ?2, failure = ?3, failures = CASE ?1 WHEN 1 THEN 0 ELSE failures + 1 END
			WHERE seq = (SELECT seq FROM attempt WHERE id = ?4)`, last, a.Outcome.Status, string(a.Outcome.Failure), a.ID)
		return err
	})
}

// encode is the JSON of a list, "" for an empty one.
func encode[T any](list []T) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// decode reads what encode wrote.
func decode[T any](text []byte, list *[]T) error {
	if len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, list)
}

// blob keeps an empty value from becoming NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// Of returns all attempts at a request, to any target, first to last. One that
// is under way has the zero Outcome.
func (j *Journal) Of(ctx context.Context, id capture.ID) ([]replay.Attempt, error) {
	as, err := j.attempts(ctx, `r.id = ?`, string(id))
	if err != nil {
		return nil, fmt.Errorf("attempts at %s: %w", id, err)
	}
	return as, nil
}

// OfRun returns the attempts of a run, first to last.
func (j *Journal) OfRun(ctx context.Context, id replay.RunID) ([]replay.Attempt, error) {
	as, err := j.attempts(ctx, `a.run = ? AND a.run <> ''`, string(id))
	if err != nil {
		return nil, fmt.Errorf("attempts of run %s: %w", id, err)
	}
	return as, nil
}

// Attempt returns one attempt by its ID. The error is store.ErrNotFound if
// there is none.
func (j *Journal) Attempt(ctx context.Context, id int64) (replay.Attempt, error) {
	as, err := j.attempts(ctx, `a.id = ?`, id)
	if err == nil && len(as) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return replay.Attempt{}, fmt.Errorf("attempt %d: %w", id, err)
	}
	return as[0], nil
}

func (j *Journal) attempts(ctx context.Context, where string, arg any) (as []replay.Attempt, err error) {
	rows, err := j.db.Read().QueryContext(ctx, `SELECT a.id, r.id, a.seq, a.n, a.run, a.replay, a.signing, a.target,
		a.start, a.took, a.ended, a.outcome, a.head, a.body, a.wave, a.slot, a.faults, a.try
		FROM attempt a JOIN request r ON r.seq = a.seq WHERE `+where+` ORDER BY a.id`, arg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var a replay.Attempt
		var start int64
		var ended bool
		var outcome, head, body, faults []byte
		if err := rows.Scan(&a.ID, &a.Request, &a.Seq, &a.N, &a.Run, &a.Replay, &a.Signing, &a.Target,
			&start, &a.Took, &ended, &outcome, &head, &body, &a.Place.Wave, &a.Place.Send, &faults, &a.Try); err != nil {
			return nil, err
		}
		a.Start = time.Unix(0, start).UTC()
		if err := decode(faults, &a.Faults); err != nil {
			return nil, fmt.Errorf("%w: faults of attempt %d: %w", store.ErrDamaged, a.ID, err)
		}
		if ended {
			if err := json.Unmarshal(outcome, &a.Outcome); err != nil {
				return nil, fmt.Errorf("%w: outcome of attempt %d: %w", store.ErrDamaged, a.ID, err)
			}
			a.Outcome.Head, a.Outcome.Body = blob(head), blob(body)
		}
		as = append(as, a)
	}
	return as, rows.Err()
}
