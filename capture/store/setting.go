package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Settings keeps a few texts under their keys. It is no place for secrets.
type Settings struct{ db *DB }

// NewSettings returns the settings in db.
func NewSettings(db *DB) *Settings { return &Settings{db} }

// Get returns the value of key, "" if it was never set.
func (s *Settings) Get(ctx context.Context, key string) (string, error) {
	var value string
	err := s.db.readers.QueryRowContext(ctx, `SELECT value FROM setting WHERE key = ?`, key).Scan(&value)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("setting %s: %w", key, fault(err))
	}
	return value, nil
}

// Set stores the value of key.
func (s *Settings) Set(ctx context.Context, key, value string) error {
	err := s.db.Write(ctx, func(tx Tx) error {
		_, err := tx.Exec(`INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
		return err
	})
	if err != nil {
		return fmt.Errorf("setting %s: %w", key, err)
	}
	return nil
}
