package journal

import (
	"context"
	"fmt"

	"anyhook.net/desktop/capture/store"
)

// Rename has what waits for the endpoint called old wait for the one called name.
func (j *Journal) Rename(ctx context.Context, old, name string) error {
	err := j.db.Write(ctx, func(tx store.Tx) error {
		_, err := tx.Exec(`UPDATE standing SET endpoint = ? WHERE endpoint = ?`, name, old)
		return err
	})
	if err != nil {
		return fmt.Errorf("rename endpoint %s to %s: %w", old, name, err)
	}
	return nil
}
