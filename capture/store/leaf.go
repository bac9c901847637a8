package store

import (
	"context"
	"fmt"

	"anyhook.net/desktop/capture"
)

// Leaf returns the hash of a request's evidence as it was stored with it.
func (l *Log) Leaf(ctx context.Context, seq capture.Seq) (leaf [32]byte, err error) {
	var stored []byte
	err = l.db.readers.QueryRowContext(ctx, `SELECT leaf FROM request WHERE seq = ?`, int64(seq)).Scan(&stored)
	if err == nil && copy(leaf[:], stored) != len(leaf) {
		err = ErrDamaged
	}
	if err != nil {
		return leaf, fmt.Errorf("hash of request %d: %w", seq, fault(err))
	}
	return leaf, nil
}
