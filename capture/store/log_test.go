package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/ledger"
)

func TestWhatIsAppendedComesBackAsItWas(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	want := delivery(1)
	want.Signature = capture.Signature{
		Status: capture.Stale, Why: capture.WhyTooOld, Detail: "301s", Scheme: "HMAC", Secret: 2, At: noon.Add(-301 * time.Second),
		Content: [][]byte{[]byte("not stored")},
	}
	want.Note = "a note"
	require.NoError(t, log.Append(t.Context(), want))
	require.EqualValues(t, 1, want.Seq)
	want.Signature.Content = nil
	got, err := log.Get(t.Context(), want.ID)
	require.NoError(t, err)
	require.Equal(t, want, got)
	got, err = log.BySeq(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	_, err := log.Get(t.Context(), "req_x")
	require.ErrorIs(t, err, ErrNotFound)
	_, err = log.BySeq(t.Context(), 1)
	require.ErrorIs(t, err, ErrNotFound)
	require.ErrorIs(t, log.Answered(t.Context(), "req_x", 200), ErrNotFound)
	require.Zero(t, log.Last())
}

func TestAnEmptyBodyIsNotNull(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	r := delivery(1)
	r.Body, r.Head = nil, nil
	require.NoError(t, log.Append(t.Context(), r))
	require.NotNil(t, r.Body)
	got, err := log.Get(t.Context(), r.ID)
	require.NoError(t, err)
	require.NotNil(t, got.Body)
	require.Empty(t, got.Body)
	require.Empty(t, got.Head)
}

func TestATimeFarOffIsStoredAsTheNearest(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	r := delivery(1)
	r.Signature.At = time.Unix(1<<50, 0) // a year that JSON cannot write
	require.NoError(t, log.Append(t.Context(), r))
	readAll(t, log, func(r *capture.Request) {
		r.Events = []capture.Event{{At: time.Unix(1<<50, 0)}, {At: time.Unix(-1<<50, 0)}, {}}
	})
	got, err := log.Get(t.Context(), r.ID)
	require.NoError(t, err)
	require.Equal(t, 2262, got.Signature.At.Year())
	require.Equal(t, 2262, got.Events[0].At.Year())
	require.Equal(t, 1677, got.Events[1].At.Year())
	require.True(t, got.Events[2].At.IsZero())
}

func TestAnsweredIsTheOnlyThingThatChanges(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	r := delivery(1)
	r.Answered = 0
	require.NoError(t, log.Append(t.Context(), r))
	require.NoError(t, log.Answered(t.Context(), r.ID, 503))
	r.Answered = 503
	got, err := log.Get(t.Context(), r.ID)
	require.NoError(t, err)
	require.Equal(t, r, got)
}

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
	want := capture.Seq(0)
	for r, err := range log.After(context.Background(), 0) {
		require.NoError(tb, err)
		want++
		require.Equal(tb, want, r.Seq)
		var leaf []byte
		require.NoError(tb, log.db.Read().QueryRow(`SELECT leaf FROM request WHERE seq = ?`, int64(r.Seq)).Scan(&leaf))
		again := ledger.Leaf(r)
		require.Equal(tb, again[:], leaf, "leaf of %s", r.ID)
	}
	require.Equal(tb, log.Last(), want)
	var counts [3]int64
	require.NoError(tb, log.db.Read().QueryRow(`SELECT (SELECT count(*) FROM request), (SELECT count(*) FROM payload), (SELECT count(*) FROM reading)`).
		Scan(&counts[0], &counts[1], &counts[2]))
	require.Equal(tb, [3]int64{int64(want), int64(want), int64(want)}, counts)
	var verdict string
	require.NoError(tb, log.db.Read().QueryRow(`PRAGMA integrity_check`).Scan(&verdict))
	require.Equal(tb, "ok", verdict)
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

func TestAnEndedContextStoresNothing(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, log.Append(ctx, delivery(1)), context.Canceled)
	require.Zero(t, log.Last())
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

func TestPagesAreBoundedByBytesAndLoseNothing(t *testing.T) {
	t.Parallel()
	small := usual
	small.pageBytes, small.page = 10_000, 7
	log := NewLog(openAt(t, t.TempDir()+"/anyhook.db", small))
	for i := range 40 {
		r := delivery(i)
		r.Body = make([]byte, (i%5)*6_000)
		require.NoError(t, log.Append(t.Context(), r))
	}
	var got []capture.Seq
	for r, err := range log.After(t.Context(), 3) {
		require.NoError(t, err)
		require.Zero(t, log.db.Read().Stats().InUse, "no read is open while the caller works")
		got = append(got, r.Seq)
	}
	require.Len(t, got, 37)
	require.True(t, slices.IsSorted(got))
	rs, err := log.some(t.Context(), 0, 40)
	require.NoError(t, err)
	require.Less(t, len(rs), 7)
}

func TestFollowSeesWhatComesLaterAndStopsWithItsContext(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	got := make(chan capture.Seq)
	wg.Go(func() {
		defer close(got)
		for r, err := range log.Follow(ctx, 0) {
			if err != nil {
				t.Error(err)
				return
			}
			if len(r.Events) != 1 {
				t.Errorf("request %d comes before its events are read", r.Seq)
			}
			got <- r.Seq
		}
	})
	wg.Go(func() {
		_ = log.ReadAll(ctx, func(r *capture.Request) { r.Events = []capture.Event{{Type: "a"}} })
	})
	for i := range 20 {
		require.NoError(t, log.Append(t.Context(), delivery(i)))
		require.EqualValues(t, i+1, <-got)
	}
	cancel()
	_, open := <-got
	require.False(t, open)
	wg.Wait()
}

func TestFollowEndsWithTheDatabase(t *testing.T) {
	t.Parallel()
	db := openTemp(t)
	ended := make(chan error)
	go func() {
		for _, err := range NewLog(db).Follow(context.Background(), 0) {
			ended <- err
		}
	}()
	require.NoError(t, db.Close())
	require.ErrorIs(t, <-ended, ErrClosed)
}

func TestEvidenceNeverChangesAndNeverGoes(t *testing.T) {
	t.Parallel()
	db := openTemp(t)
	log := NewLog(db)
	require.NoError(t, log.Append(t.Context(), delivery(1)))
	var names []string
	rows, err := db.Read().Query(`SELECT name FROM pragma_table_info('request')`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		names = append(names, fmt.Sprintf(`UPDATE request SET %s = %s`, name, name))
	}
	require.NoError(t, rows.Err())
	require.Len(t, names, 12)
	for _, statement := range append(names,
		`UPDATE payload SET head = x'00'`, `UPDATE payload SET body = x'00'`, `UPDATE payload SET seq = 2`,
		`DELETE FROM request`, `DELETE FROM payload`,
	) {
		err := db.Write(t.Context(), func(tx Tx) error { _, err := tx.Exec(statement); return err })
		require.ErrorContains(t, err, "a captured request", statement)
	}
	requireSound(t, log)
}

func FuzzBytesComeBackAsTheyWere(f *testing.F) {
	db := openTemp(f)
	log := NewLog(db)
	f.Add([]byte("POST / HTTP/1.1\r\n\r\n"), []byte("{}"), "note", "https://example.com/")
	f.Add([]byte("\x00"), []byte("a\x00b\xff\xfe"), "\xff\x00x", "http://\x00/\xc3\x28")
	f.Add([]byte{}, []byte{}, "", "")
	n := 0
	f.Fuzz(func(t *testing.T, head, body []byte, note, url string) {
		n++
		r := delivery(n)
		r.Head, r.Body, r.Note, r.URL, r.Peer = head, body, note, url, note
		r.Header = r.Head.Header()
		event := capture.Event{Key: capture.Key{Value: note}, Type: url, Object: string(body)}
		require.NoError(t, log.Append(t.Context(), r))
		readAll(t, log, func(r *capture.Request) { r.Events = []capture.Event{event} })
		got, err := log.Get(t.Context(), r.ID)
		require.NoError(t, err)
		require.Equal(t, event.Key, got.Events[0].Key)
		require.Equal(t, event.Object, got.Events[0].Object)
		require.Equal(t, event.Type, got.Events[0].Type)
		require.True(t, bytes.Equal(head, got.Head))
		got.Head = r.Head
		got.Events = nil
		require.Equal(t, r, got)
		var leaf []byte
		require.NoError(t, db.Read().QueryRow(`SELECT leaf FROM request WHERE seq = ?`, int64(r.Seq)).Scan(&leaf))
		want := ledger.Leaf(got)
		require.Equal(t, want[:], leaf)
	})
}
