package store

import (
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/ledger"
)

func TestWhatWasMadeSaysFromWhatAndCountsForNothing(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	came, made, again := delivery(1), delivery(2), delivery(3)
	made.Kind, made.From = capture.Made, came.ID
	for _, r := range []*capture.Request{came, made, again} {
		require.NoError(t, log.Append(t.Context(), r))
	}
	older := event("evt_1", "cus_1", 5)
	newer := event("evt_2", "cus_1", 9)
	readAll(t, log, func(r *capture.Request) {
		r.Events = []capture.Event{older}
		if r.Kind == capture.Made {
			r.Events = []capture.Event{older, newer}
		}
	})
	got, err := log.Get(t.Context(), made.ID)
	require.NoError(t, err)
	require.Equal(t, came.ID, got.From)
	require.Len(t, got.Events, 2)
	require.Zero(t, got.Events[0].Seen)
	leaf, err := log.Leaf(t.Context(), made.Seq)
	require.NoError(t, err)
	require.Equal(t, ledger.Leaf(got), leaf)
	sums, err := log.Summaries(t.Context(), []capture.Seq{1, 2, 3})
	require.NoError(t, err)
	require.Equal(t, came.ID, sums[1].From)
	require.Zero(t, sums[1].Seen)
	require.Equal(t, 2, sums[2].Seen, "the second that arrived")
	require.False(t, sums[2].Late, "what was made here is no news")
	known, err := log.Known(t.Context(), []capture.Seq{2})
	require.NoError(t, err)
	require.Equal(t, came.ID, known[0].From)
}

func TestAllThatWasMadeFromARequestIsFound(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	came := delivery(0)
	require.NoError(t, log.Append(t.Context(), came))
	for i := 1; i <= 5; i++ {
		r := delivery(i)
		if i%2 == 1 {
			r.Kind, r.From = capture.Made, came.ID
		}
		require.NoError(t, log.Append(t.Context(), r))
	}
	got, err := log.MadeFrom(t.Context(), came.ID, 10)
	require.NoError(t, err)
	require.Equal(t, []capture.Seq{2, 4, 6}, got)
	got, err = log.MadeFrom(t.Context(), came.ID, 2)
	require.NoError(t, err)
	require.Equal(t, []capture.Seq{2, 4}, got)
	got, err = log.MadeFrom(t.Context(), "", 10)
	require.NoError(t, err)
	require.Empty(t, got, "what arrived was made from nothing")
}

// asBefore makes the file of an AnyHook that knew the first n steps, with one request in it.
func asBefore(t *testing.T, path string, n int, leaf [32]byte) {
	t.Helper()
	pool, err := sql.Open("sqlite", dsn(path, url.Values{}))
	require.NoError(t, err)
	_, err = pool.Exec(fmt.Sprintf(`PRAGMA application_id = %d`, applicationID))
	require.NoError(t, err)
	require.NoError(t, migrate(t.Context(), pool, captureOwner, captureSteps[:n]))
	_, err = pool.Exec(`INSERT INTO request (seq, id, kind, endpoint, at, method, peer, url, note, head_size, body_size, leaf)
		VALUES (1, 'req_old', 'delivery', '', 5, 'POST', '', 'http://h/', '', 1, 1, ?);
		INSERT INTO payload VALUES (1, x'41', x'42');
		INSERT INTO reading (seq, provider, status, answered, signature) VALUES (1, '', 'unchecked', 200, '{"status":"unchecked"}')`, leaf[:])
	require.NoError(t, err)
	require.NoError(t, pool.Close())
}

func TestAFileOfAnOlderAnyHookIsBroughtUpToDateAndKeepsWhatItHas(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "anyhook.db")
	leaf := ledger.Leaf(delivery(1))
	asBefore(t, path, 1, leaf)
	_, err := View(t.Context(), path)
	require.ErrorIs(t, err, ErrOlder)

	db, err := Open(t.Context(), path)
	require.NoError(t, err)
	log := NewLog(db)
	got, err := log.Get(t.Context(), "req_old")
	require.NoError(t, err)
	require.Empty(t, got.From)
	require.Equal(t, "B", string(got.Body))
	kept, err := log.Leaf(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, leaf, kept)
	made := delivery(2)
	made.Kind, made.From = capture.Made, "req_old"
	require.NoError(t, log.Append(t.Context(), made))
	require.NoError(t, db.Close())

	view, err := View(t.Context(), path)
	require.NoError(t, err)
	require.ErrorIs(t, view.Migrate(t.Context(), "other", []string{`CREATE TABLE other (n INTEGER) STRICT`}), ErrOlder)
	require.NoError(t, view.Close())
}
