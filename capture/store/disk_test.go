package store

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// Settings of a connection come with its name, so that each of a pool has them.
func TestEveryConnectionWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "anyhook.db")
	require.NoError(t, openAt(t, path, usual).Close())
	pool, err := sql.Open("sqlite", dsn(path, writing()))
	require.NoError(t, err)
	defer pool.Close()
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 25 {
				tx, err := pool.BeginTx(t.Context(), nil)
				if err == nil {
					_, err = tx.Exec(`INSERT INTO setting VALUES (?, ?)`, w*100+i, "x")
				}
				if err == nil {
					err = tx.Commit()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var n int
	require.NoError(t, pool.QueryRow(`SELECT count(*) FROM setting`).Scan(&n))
	require.Equal(t, 200, n)
}

// logSize returns the size of the write-ahead log of the database at path.
func logSize(tb testing.TB, path string) int64 {
	tb.Helper()
	fi, err := os.Stat(path + "-wal")
	require.NoError(tb, err)
	return fi.Size()
}

// SQLite by itself puts 8 MB of log into the file, but writes it on, not anew,
// as long as somebody reads.
func TestTheLogGrowsOnlyWhileSomebodyReads(t *testing.T) {
	t.Parallel()
	small := usual
	small.logLarge, small.logLook = 1<<20, 500_000
	path := filepath.Join(t.TempDir(), "anyhook.db")
	db := openAt(t, path, small)
	log := NewLog(db)
	n := 0
	write := func(bytes int) {
		for ; bytes > 0; bytes -= 50_000 {
			r := delivery(n)
			r.Body = make([]byte, 50_000)
			require.NoError(t, log.Append(t.Context(), r))
			n++
		}
	}
	write(3_000_000)
	require.Less(t, logSize(t, path), int64(2<<20), "nobody reads")
	reading, err := db.Read().BeginTx(t.Context(), nil)
	require.NoError(t, err)
	var stored int
	require.NoError(t, reading.QueryRow(`SELECT count(*) FROM request`).Scan(&stored))
	require.Equal(t, n, stored)
	write(2_000_000)
	require.Greater(t, logSize(t, path), int64(2_000_000), "a reader is not cut off")
	require.NoError(t, reading.QueryRow(`SELECT count(*) FROM request`).Scan(&stored))
	require.Equal(t, 60, stored, "what was there when it began")
	require.NoError(t, reading.Rollback())
	write(1_000_000)
	require.Less(t, logSize(t, path), int64(2<<20))
	requireSound(t, log)
}

func TestTheLogShrinksWhenNothingHappens(t *testing.T) {
	t.Parallel()
	quick := usual
	quick.idle = 1
	path := filepath.Join(t.TempDir(), "anyhook.db")
	db := openAt(t, path, quick)
	log := NewLog(db)
	for i := range 20 {
		r := delivery(i)
		r.Body = make([]byte, 100_000)
		require.NoError(t, log.Append(t.Context(), r))
	}
	require.Eventually(t, func() bool { return logSize(t, path) == 0 }, patienceOfTests, tick)
	size, err := db.Size()
	require.NoError(t, err)
	require.Greater(t, size, int64(2_000_000))
}

func TestADiskThatIsFullStoresNothingHalfAndRecoversByItself(t *testing.T) {
	t.Parallel()
	db := openTemp(t)
	log := NewLog(db)
	limit := func(pages int) {
		var n int
		err := db.Write(t.Context(), func(tx Tx) error {
			return tx.QueryRow(`PRAGMA max_page_count = ` + map[bool]string{true: "100", false: "1000000"}[pages == 100]).Scan(&n)
		})
		require.NoError(t, err)
		require.Equal(t, pages, n)
	}
	limit(100)
	stored, full := 0, 0
	for i := range 30 {
		r := delivery(i)
		r.Body = make([]byte, 100_000)
		err := log.Append(t.Context(), r)
		if err == nil {
			stored++
			continue
		}
		require.ErrorIs(t, err, ErrFull)
		require.Zero(t, r.Seq)
		full++
	}
	require.Positive(t, stored)
	require.Positive(t, full)
	small := delivery(1000)
	release := hold(t, db)
	large := delivery(1001)
	large.Body = make([]byte, 1_000_000)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := log.Append(t.Context(), large); !assertIs(err, ErrFull) {
			t.Error(err)
		}
	})
	waitQueued(t, db, 1)
	wg.Go(func() {
		if err := log.Append(t.Context(), small); err != nil {
			t.Error("what still fits is stored:", err)
		}
	})
	waitQueued(t, db, 2)
	release()
	wg.Wait()
	requireSound(t, log)
	limit(1000000)
	require.NoError(t, log.Append(t.Context(), large))
	require.EqualValues(t, stored+2, large.Seq)
	requireSound(t, log)
}

// Events wait for the disk, too, and are read when there is space again.
func TestReadAllWaitsOutAFullDisk(t *testing.T) {
	t.Parallel()
	db := openTemp(t)
	log := NewLog(db)
	for i := range 40 {
		require.NoError(t, log.Append(t.Context(), delivery(i)))
	}
	require.NoError(t, db.Write(t.Context(), func(tx Tx) error {
		var n int
		return tx.QueryRow(`PRAGMA max_page_count = 1`).Scan(&n)
	}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tried := make(chan struct{}, 1000)
	ended := make(chan error)
	go func() {
		ended <- log.ReadAll(ctx, func(r *capture.Request) {
			for range 200 {
				r.Events = append(r.Events, capture.Event{Type: "a", Key: capture.Key{Value: string(make([]byte, 500))}})
			}
			tried <- struct{}{}
		})
	}()
	<-tried
	require.NoError(t, db.Write(t.Context(), func(tx Tx) error {
		var n int
		return tx.QueryRow(`PRAGMA max_page_count = 1000000000`).Scan(&n)
	}))
	waitRead(t, log, 40)
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	got, err := log.BySeq(t.Context(), 40)
	require.NoError(t, err)
	require.Len(t, got.Events, 200)
}
