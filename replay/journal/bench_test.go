package journal

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/store"
)

// Filters by outcome over 500,000 requests, one in a thousand of which failed.
func BenchmarkOutcome(b *testing.B) {
	f := openAt(b, filepath.Join(b.TempDir(), "anyhook.db"))
	numbers := `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000) `
	for _, statement := range []string{
		`INSERT INTO request (seq, id, kind, endpoint, at, method, peer, url, note, head_size, body_size, leaf) ` + numbers +
			`SELECT i, printf('req_%08d', i), 'delivery', 'stripe', i, 'POST', '192.0.2.1', 'https://abc.ngrok.app/stripe', '', 600, 2000, randomblob(32) FROM n`,
		`INSERT INTO standing (seq, endpoint, progress, tries, attempts, last, status) ` + numbers +
			`SELECT i, 'stripe', CASE i % 1000 WHEN 0 THEN 'gave-up' ELSE 'delivered' END, 1, 1, CASE i % 1000 WHEN 0 THEN 2 ELSE 1 END, 200 FROM n`,
		`UPDATE forwarded SET seq = 500000`,
	} {
		require.NoError(b, f.db.Write(context.Background(), func(tx store.Tx) error { _, err := tx.Exec(statement); return err }))
	}
	path := f.path
	require.NoError(b, f.db.Close())
	f = openAt(b, path)
	for _, o := range []capture.Outcome{capture.OutcomeOK, capture.OutcomeFailed, capture.OutcomeWaiting, capture.OutcomeKept} {
		b.Run(string(o), func(b *testing.B) {
			for b.Loop() {
				_, err := f.log.Match(b.Context(), store.Filter{
					Filter: capture.Filter{Outcome: []capture.Outcome{o}}, Also: OutcomeCond([]capture.Outcome{o}),
				}, 1, 500_000)
				require.NoError(b, err)
			}
		})
	}
	b.Run("counts", func(b *testing.B) {
		for b.Loop() {
			c, err := f.Counts(b.Context())
			require.NoError(b, err)
			require.Equal(b, Counts{Failing: 500}, c)
		}
	})
}
