package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"anyhook.net/desktop/capture"
)

// Endpoints keeps the endpoints, without their secrets.
type Endpoints struct{ db *DB }

// NewEndpoints returns the endpoints in db.
func NewEndpoints(db *DB) *Endpoints { return &Endpoints{db} }

// All returns the endpoints in the order in which they were added. Secrets is
// nil in all of them.
func (s *Endpoints) All(ctx context.Context) ([]capture.Endpoint, error) {
	all, err := s.all(ctx)
	if err != nil {
		return nil, fmt.Errorf("endpoints: %w", fault(err))
	}
	return all, nil
}

func (s *Endpoints) all(ctx context.Context) (all []capture.Endpoint, err error) {
	rows, err := s.db.readers.QueryContext(ctx, `SELECT name, config FROM endpoint ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var e capture.Endpoint
		var name string
		var config []byte
		if err := rows.Scan(&name, &config); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(config, &e); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
		}
		e.Name = name
		all = append(all, e)
	}
	return all, rows.Err()
}

// Save replaces the endpoint called old, which keeps its place and may get
// another name, or adds e if old is "". Its secrets are not stored. The error
// is ErrNotFound if there is no old, ErrExists if another has e's name.
// Requests that came in by it keep the name it had.
func (s *Endpoints) Save(ctx context.Context, old string, e capture.Endpoint) error {
	if e.Name == "" {
		return errors.New("save endpoint: it needs a name")
	}
	config, err := json.Marshal(e)
	if err == nil {
		err = s.db.Write(ctx, func(tx Tx) error {
			if old == "" {
				_, err := tx.Exec(`INSERT INTO endpoint (name, config) VALUES (?, ?)`, e.Name, string(config))
				return err
			}
			res, err := tx.Exec(`UPDATE endpoint SET name = ?, config = ? WHERE name = ?`, e.Name, string(config), old)
			return oneRow(res, err)
		})
	}
	if unique(err) {
		err = ErrExists
	}
	if err != nil {
		return fmt.Errorf("save endpoint %s: %w", e.Name, err)
	}
	return nil
}

// Delete forgets the endpoint. What came in by it stays. The error is
// ErrNotFound if there is none.
func (s *Endpoints) Delete(ctx context.Context, name string) error {
	err := s.db.Write(ctx, func(tx Tx) error {
		res, err := tx.Exec(`DELETE FROM endpoint WHERE name = ?`, name)
		return oneRow(res, err)
	})
	if err != nil {
		return fmt.Errorf("delete endpoint %s: %w", name, err)
	}
	return nil
}
