package store

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/ledger"
)

func TestManyAppendAtOnceWhileOthersRead(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	const writers, each = 64, 20
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	var paging sync.WaitGroup
	paging.Go(func() {
		for ctx.Err() == nil {
			last := log.Last()
			got, err := log.Summaries(ctx, []capture.Seq{last, last - 1, 1})
			if ctx.Err() == nil && (err != nil || len(got) != min(3, int(last)) && last > 2) {
				t.Error(len(got), last, err)
			}
		}
	})
	var mu sync.Mutex
	seqs := map[capture.Seq]capture.ID{}
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				r := delivery(w*1000 + i)
				r.Body = bytes.Repeat([]byte("x"), 2048)
				if err := log.Append(t.Context(), r); err != nil {
					t.Error(err)
				}
				mu.Lock()
				seqs[r.Seq] = r.ID
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	cancel()
	paging.Wait()
	require.Len(t, seqs, writers*each)
	want := capture.Seq(0)
	for r, err := range log.After(t.Context(), 0) {
		require.NoError(t, err)
		want++
		require.Equal(t, want, r.Seq, "there are no gaps")
		require.Equal(t, seqs[want], r.ID)
	}
	require.EqualValues(t, writers*each, want)
}

func TestWhatFailsFailsAlone(t *testing.T) {
	t.Parallel()
	db := openTemp(t)
	log := NewLog(db)
	require.NoError(t, log.Append(t.Context(), delivery(0)))
	release := hold(t, db)
	const n, bad = 60, 20 // more bad ones than are taken out one at a time
	results := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		r := delivery(i + 1)
		if i%(n/bad) == 0 {
			r.ID = "req_000000" // is there already
		}
		wg.Go(func() { results[i] = log.Append(t.Context(), r) })
	}
	wg.Go(func() {
		err := db.Write(t.Context(), func(tx Tx) error {
			if _, err := tx.Exec(`INSERT INTO setting VALUES ('half', 'done')`); err != nil {
				return err
			}
			return errors.New("changed my mind")
		})
		if err == nil || err.Error() != "changed my mind" {
			t.Error(err)
		}
	})
	waitQueued(t, db, n+1)
	release()
	wg.Wait()
	failed := 0
	for i, err := range results {
		if i%(n/bad) == 0 {
			require.ErrorContains(t, err, "UNIQUE")
			failed++
			continue
		}
		require.NoError(t, err)
	}
	require.Equal(t, bad, failed)
	require.EqualValues(t, 1+n-bad, log.Last())
	value, err := NewSettings(db).Get(t.Context(), "half")
	require.NoError(t, err)
	require.Empty(t, value, "what a failed Write did is undone")
	requireSound(t, log)
}

// hold keeps the writer busy until the function it returns is called.
func hold(tb testing.TB, db *DB) (release func()) {
	tb.Helper()
	held, let, done := make(chan struct{}), make(chan struct{}), make(chan error)
	var first sync.Once
	go func() {
		done <- db.Write(context.Background(), func(Tx) error {
			first.Do(func() { close(held) })
			<-let
			return nil
		})
	}()
	<-held
	return func() {
		close(let)
		require.NoError(tb, <-done)
	}
}

// waitQueued waits until n wait for the writer.
func waitQueued(tb testing.TB, db *DB, n int) {
	tb.Helper()
	require.Eventually(tb, func() bool {
		q := &db.writer.queue
		q.mu.Lock()
		defer q.mu.Unlock()
		return len(q.ops) == n
	}, 10*time.Second, time.Millisecond)
}

// requireSound checks that all that is stored is whole: no gap, each leaf the
// hash of its row, nothing half.
func requireSound(tb testing.TB, log *Log) {
	tb.Helper()
	leaves := leavesOf(tb, log)
	want := capture.Seq(0)
	for r, err := range log.After(context.Background(), 0) {
		require.NoError(tb, err)
		want++
		require.Equal(tb, want, r.Seq)
		again := ledger.Leaf(r)
		require.True(tb, bytes.Equal(again[:], leaves[want-1]), "leaf of %s", r.ID)
	}
	require.Equal(tb, want, log.Last())
	var counts [3]int64
	require.NoError(tb, log.db.Read().QueryRow(`SELECT (SELECT count(*) FROM request), (SELECT count(*) FROM payload), (SELECT count(*) FROM reading)`).
		Scan(&counts[0], &counts[1], &counts[2]))
	require.Equal(tb, [3]int64{int64(want), int64(want), int64(want)}, counts)
	var verdict string
	require.NoError(tb, log.db.Read().QueryRow(`PRAGMA integrity_check`).Scan(&verdict))
	require.Equal(tb, "ok", verdict)
}

func leavesOf(tb testing.TB, log *Log) (leaves [][]byte) {
	tb.Helper()
	rows, err := log.db.Read().Query(`SELECT leaf FROM request ORDER BY seq`)
	require.NoError(tb, err)
	defer rows.Close()
	for rows.Next() {
		var leaf []byte
		require.NoError(tb, rows.Scan(&leaf))
		leaves = append(leaves, leaf)
	}
	require.NoError(tb, rows.Err())
	return leaves
}

func TestReadThenWriteNeverForks(t *testing.T) {
	t.Parallel()
	db := openTemp(t)
	require.NoError(t, db.Migrate(t.Context(), "test", []string{`CREATE TABLE chain (n INTEGER PRIMARY KEY, before INTEGER NOT NULL) STRICT`}))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 10 {
				err := db.Write(t.Context(), func(tx Tx) error {
					var newest int
					if err := tx.QueryRow(`SELECT coalesce(max(n), 0) FROM chain`).Scan(&newest); err != nil {
						return err
					}
					_, err := tx.Exec(`INSERT INTO chain VALUES (?, ?)`, newest+1, newest)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var n, newest int
	require.NoError(t, db.Read().QueryRow(`SELECT count(*), max(n) FROM chain WHERE before = n - 1`).Scan(&n, &newest))
	require.Equal(t, []int{80, 80}, []int{n, newest})
}

func TestAFullQueueIsBusyAndAWriteWaitsForRoom(t *testing.T) {
	t.Parallel()
	small := usual
	small.waiting = 4
	db := openAt(t, t.TempDir()+"/anyhook.db", small)
	log := NewLog(db)
	release := hold(t, db)
	var wg sync.WaitGroup
	for i := range small.waiting {
		wg.Go(func() {
			if err := log.Append(t.Context(), delivery(i)); err != nil {
				t.Error(err)
			}
		})
	}
	waitQueued(t, db, small.waiting)
	require.ErrorIs(t, log.Append(t.Context(), delivery(9)), ErrBusy)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, db.Write(ctx, func(Tx) error { return nil }), context.Canceled)
	wg.Go(func() {
		if err := NewSettings(db).Set(t.Context(), "a", "b"); err != nil {
			t.Error(err)
		}
	})
	release()
	wg.Wait()
	require.NoError(t, log.Append(t.Context(), delivery(9)))
	require.EqualValues(t, small.waiting+1, log.Last())
}

func TestAQueueIsFullByBytesToo(t *testing.T) {
	t.Parallel()
	small := usual
	small.waitingBytes = 100 << 10
	db := openAt(t, t.TempDir()+"/anyhook.db", small)
	log := NewLog(db)
	release := hold(t, db)
	large := delivery(1)
	large.Body = make([]byte, 200<<10)
	done := make(chan error)
	go func() { done <- log.Append(t.Context(), large) }() // one is always let in
	waitQueued(t, db, 1)
	require.ErrorIs(t, log.Append(t.Context(), delivery(2)), ErrBusy)
	release()
	require.NoError(t, <-done)
}

func TestCloseStoresWhatWaits(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/anyhook.db"
	db := openAt(t, path, usual)
	log := NewLog(db)
	release := hold(t, db)
	done := make(chan error)
	go func() { done <- log.Append(context.Background(), delivery(1)) }()
	waitQueued(t, db, 1)
	closed := make(chan error)
	go func() { closed <- db.Close() }()
	release()
	require.NoError(t, <-done)
	require.NoError(t, <-closed)
	require.ErrorIs(t, log.Append(t.Context(), delivery(2)), ErrClosed)
	require.ErrorIs(t, db.Write(t.Context(), func(Tx) error { return nil }), ErrClosed)
	require.NoFileExists(t, path+"-wal")
	again := NewLog(openAt(t, path, usual))
	require.EqualValues(t, 1, again.Last())
	requireSound(t, again)
}
