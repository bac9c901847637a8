package journal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
)

// noon is when the tests take place.
var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

const target = "http://localhost:3000/webhooks"

type fixture struct {
	*Journal
	log  *store.Log
	path string
}

// openAt opens the journal at path, with what is there.
func openAt(tb testing.TB, path string) fixture {
	tb.Helper()
	db, err := store.Open(context.Background(), path)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, db.Close()) })
	j, err := Open(context.Background(), db)
	require.NoError(tb, err)
	return fixture{j, store.NewLog(db), path}
}

// openWith opens a new journal beside n captured requests, req_1 to req_n, a minute apart.
func openWith(tb testing.TB, n int) fixture {
	tb.Helper()
	f := openAt(tb, filepath.Join(tb.TempDir(), "anyhook.db"))
	for i := 1; i <= n; i++ {
		f.capture(tb, i, capture.Delivery)
	}
	return f
}

func (f fixture) capture(tb testing.TB, i int, kind capture.Kind) {
	tb.Helper()
	require.NoError(tb, f.log.Append(context.Background(), &capture.Request{
		ID: id(i), Kind: kind, At: noon.Add(time.Duration(i) * time.Minute), Head: capture.NewHead("POST", "/"), Method: "POST",
		Signature: capture.Signature{Status: capture.Unchecked},
	}))
}

func id(i int) capture.ID { return capture.ID(fmt.Sprint("req_", i)) }

// send makes one attempt at the i-th request that comes to status; 0 is a refused connection.
func (f fixture) send(tb testing.TB, i, status int) replay.Attempt {
	tb.Helper()
	a := replay.Attempt{Request: id(i), Target: target, Start: noon}
	require.NoError(tb, f.Begin(context.Background(), &a))
	a.Took, a.Outcome.Status = time.Millisecond, status
	if status == 0 {
		a.Outcome.Failure, a.Outcome.Phase = replay.Refused, replay.Dialing
	}
	require.NoError(tb, f.End(context.Background(), &a))
	return a
}

func (f fixture) stand(tb testing.TB, i int, p replay.Progress) {
	tb.Helper()
	require.NoError(tb, f.Enqueue(context.Background(), replay.Standing{Seq: capture.Seq(i), Endpoint: "shop", Progress: p}))
}

func TestAnAttemptComesBackAsItEnded(t *testing.T) {
	t.Parallel()
	f := openWith(t, 2)
	want := replay.Attempt{Request: "req_2", Target: target, Run: "run_1", Replay: true, Signing: replay.Fresh, Start: noon.Add(time.Nanosecond)}
	want.Place, want.Try = replay.Place{Wave: 3, Send: 2}, 4
	want.Faults = []replay.Fault{{Kind: replay.Slow, After: time.Second}, {Kind: replay.Kill, Share: 50, Point: replay.AfterHead}}
	begun := want
	begun.ID, begun.Seq, begun.N = 1, 2, 1
	require.NoError(t, f.Begin(t.Context(), &want))
	require.Equal(t, want, begun)
	got, err := f.Of(t.Context(), "req_2")
	require.NoError(t, err)
	require.Equal(t, []replay.Attempt{want}, got, "under way, it has the zero Outcome")
	want.Took = 5 * time.Second
	want.Outcome = replay.Outcome{
		Status: 200, Failure: replay.Cut, Phase: replay.Reading, Detail: "unexpected end", Head: []byte("HTTP/1.1 200 OK\r\n\r\n"),
		Body: []byte("a\x00\xff"), BodySize: 99, Timing: replay.Timing{Dial: 1, TLS: 2, Written: 3, FirstByte: 4, Done: 5},
	}
	require.NoError(t, f.End(t.Context(), &want))
	require.ErrorContains(t, f.End(t.Context(), &want), "not under way")
	got, err = f.Of(t.Context(), "req_2")
	require.NoError(t, err)
	require.Equal(t, []replay.Attempt{want}, got)
	one, err := f.Attempt(t.Context(), want.ID)
	require.NoError(t, err)
	require.Equal(t, want, one)
	got, err = f.OfRun(t.Context(), "run_1")
	require.NoError(t, err)
	require.Equal(t, []replay.Attempt{want}, got)
	got, err = f.OfRun(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, got)
	_, err = f.Attempt(t.Context(), 9)
	require.ErrorIs(t, err, store.ErrNotFound)
	require.ErrorIs(t, f.Begin(t.Context(), &replay.Attempt{Request: "req_9"}), store.ErrNotFound)
}

func TestAttemptsAreNumberedForEachRequestAndTarget(t *testing.T) {
	t.Parallel()
	f := openWith(t, 2)
	numbers := map[string]map[int]bool{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			a := replay.Attempt{Request: id(1 + i%2), Target: fmt.Sprint(target, i/2%2), Start: noon}
			if err := f.Begin(t.Context(), &a); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			key := string(a.Request) + a.Target
			if numbers[key] == nil {
				numbers[key] = map[int]bool{}
			}
			numbers[key][a.N] = true
		})
	}
	wg.Wait()
	require.Len(t, numbers, 4)
	for _, ns := range numbers {
		require.Len(t, ns, 16)
		for n := 1; n <= 16; n++ {
			require.True(t, ns[n])
		}
	}
}

func TestWhatWasUnderWayIsLostAtTheNextStart(t *testing.T) {
	t.Parallel()
	f := openWith(t, 3)
	f.send(t, 1, 200)
	f.stand(t, 2, replay.Queued)
	a := replay.Attempt{Request: "req_2", Target: target, Start: noon}
	require.NoError(t, f.Begin(t.Context(), &a))
	require.NoError(t, f.db.Close())

	f = openAt(t, f.path)
	got, err := f.Of(t.Context(), "req_2")
	require.NoError(t, err)
	require.Len(t, got, 1)
	require.Equal(t, replay.Lost, got[0].Outcome.Failure)
	require.NotEmpty(t, got[0].Outcome.Detail)
	stands, err := f.Standings(t.Context(), []capture.Seq{1, 2, 3})
	require.NoError(t, err)
	require.Equal(t, []replay.Standing{
		{Seq: 1, Request: "req_1", Attempts: 1, Status: 200},
		{Seq: 2, Request: "req_2", Endpoint: "shop", Progress: replay.Queued, Attempts: 1, Failure: replay.Lost, Failures: 1},
		{Seq: 3, Request: "req_3"},
	}, stands)
	require.Error(t, f.End(t.Context(), &a), "it has ended")
	next := f.send(t, 2, 200)
	require.Equal(t, 2, next.N, "what was lost keeps its number")
}

func TestANewerJournalIsRefused(t *testing.T) {
	t.Parallel()
	f := openWith(t, 1)
	require.NoError(t, f.db.Write(t.Context(), func(tx store.Tx) error {
		_, err := tx.Exec(`UPDATE migration SET done = 99 WHERE owner = 'replay'`)
		return err
	}))
	require.NoError(t, f.db.Close())
	before, err := os.ReadFile(f.path)
	require.NoError(t, err)
	db, err := store.Open(t.Context(), f.path)
	require.NoError(t, err)
	_, err = Open(t.Context(), db)
	require.ErrorIs(t, err, store.ErrNewer)
	require.NoError(t, db.Close())
	after, err := os.ReadFile(f.path)
	require.NoError(t, err)
	require.Equal(t, before, after)
}
