package store

import (
	"bytes"
	"context"
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

func TestAnEndedContextStoresNothing(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, log.Append(ctx, delivery(1)), context.Canceled)
	require.Zero(t, log.Last())
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
	require.Len(t, names, 13)
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
