package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
)

// ErrTaken says that another scenario has the name.
var ErrTaken = errors.New("there is a scenario of that name already")

// Scenarios returns those that are saved, the one that changed last first.
func (j *Journal) Scenarios(ctx context.Context) (all []replay.Scenario, err error) {
	rows, err := j.db.Read().QueryContext(ctx, `SELECT name, scenario FROM scenario ORDER BY changed DESC, name`)
	if err != nil {
		return nil, fmt.Errorf("scenarios: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var s replay.Scenario
		var name string
		var text []byte
		if err := rows.Scan(&name, &text); err != nil {
			return nil, fmt.Errorf("scenarios: %w", err)
		}
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, fmt.Errorf("%w: scenario %q: %w", store.ErrDamaged, name, err)
		}
		s.Name = name
		all = append(all, s)
	}
	return all, rows.Err()
}

// SaveScenario puts s in the place of the one called old, or adds it if old is
// "". The error is ErrTaken if another one has its name, and store.ErrNotFound
// if there is none called old.
func (j *Journal) SaveScenario(ctx context.Context, old string, s replay.Scenario, now time.Time) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("save scenario %q: %w", s.Name, err)
	}
	err = j.db.Write(ctx, func(tx store.Tx) error {
		if old != s.Name {
			var taken bool
			if err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM scenario WHERE name = ?)`, s.Name).Scan(&taken); err != nil {
				return err
			}
			if taken {
				return ErrTaken
			}
		}
		if old == "" {
			_, err := tx.Exec(`INSERT INTO scenario (name, scenario, changed) VALUES (?, ?, ?)`, s.Name, string(text), now.UnixNano())
			return err
		}
		res, err := tx.Exec(`UPDATE scenario SET name = ?, scenario = ?, changed = ? WHERE name = ?`, s.Name, string(text), now.UnixNano(), old)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(store.ErrNotFound, err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("save scenario %q: %w", s.Name, err)
	}
	return nil
}

// DeleteScenario forgets a scenario; its runs stay.
func (j *Journal) DeleteScenario(ctx context.Context, name string) error {
	err := j.db.Write(ctx, func(tx store.Tx) error {
		_, err := tx.Exec(`DELETE FROM scenario WHERE name = ?`, name)
		return err
	})
	if err != nil {
		return fmt.Errorf("delete scenario %q: %w", name, err)
	}
	return nil
}
