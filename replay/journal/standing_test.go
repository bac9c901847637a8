package journal

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
)

func TestAStandingFollowsTheAttempts(t *testing.T) {
	t.Parallel()
	f := openWith(t, 1)
	ask := func() replay.Standing {
		stands, err := f.Standings(t.Context(), []capture.Seq{1})
		require.NoError(t, err)
		return stands[0]
	}
	want := replay.Standing{Seq: 1, Request: "req_1"}
	require.Equal(t, want, ask())
	f.stand(t, 1, replay.Queued)
	want.Endpoint, want.Progress = "shop", replay.Queued
	require.Equal(t, want, ask())
	f.send(t, 1, 500)
	f.send(t, 1, 0)
	want.Attempts, want.Failure, want.Failures = 2, replay.Refused, 2
	require.Equal(t, want, ask())
	want.Progress, want.Tries, want.Due = replay.Retrying, 2, noon.Add(time.Second)
	require.NoError(t, f.Stand(t.Context(), replay.Standing{Seq: 1, Endpoint: "shop", Progress: replay.Retrying, Tries: 2, Due: want.Due, Attempts: 99, Status: 99}))
	require.Equal(t, want, ask(), "attempts and status are the journal's own")
	a := replay.Attempt{Request: "req_1", Target: "http://localhost:4000/", Replay: true, Start: noon}
	require.NoError(t, f.Begin(t.Context(), &a))
	want.Attempts, want.Replays = 3, 1
	require.Equal(t, want, ask(), "it has not ended")
	a.Outcome.Status = 204
	require.NoError(t, f.End(t.Context(), &a))
	want.Status, want.Failure, want.Failures = 204, "", 0
	require.Equal(t, want, ask())
}

func TestTheCursorMovesWithTheQueue(t *testing.T) {
	t.Parallel()
	f := openWith(t, 5)
	cursor := func() capture.Seq {
		seq, err := f.Cursor(t.Context())
		require.NoError(t, err)
		return seq
	}
	require.Zero(t, cursor())
	f.send(t, 5, 200) // a replay of what the forwarder has not seen
	require.Zero(t, cursor())
	f.stand(t, 1, replay.Queued)
	f.stand(t, 2, replay.Kept)
	f.stand(t, 3, replay.Queued)
	require.EqualValues(t, 3, cursor())
	require.NoError(t, f.Stand(t.Context(), replay.Standing{Seq: 3, Progress: replay.Retrying, Due: noon}))
	f.stand(t, 2, replay.Kept)
	require.EqualValues(t, 3, cursor(), "it does not go back")
	require.ErrorContains(t, f.Enqueue(t.Context(), replay.Standing{Seq: 99, Progress: replay.Queued}), "FOREIGN KEY")
	require.EqualValues(t, 3, cursor())
	require.NoError(t, f.db.Close())

	f = openAt(t, f.path)
	out, err := f.Outstanding(t.Context())
	require.NoError(t, err)
	require.Equal(t, []replay.Standing{
		{Seq: 1, Request: "req_1", Endpoint: "shop", Progress: replay.Queued},
		{Seq: 3, Request: "req_3", Progress: replay.Retrying, Due: noon},
	}, out)
	require.EqualValues(t, 3, cursor())
}

func TestOutcomesAreFiltersAndCounts(t *testing.T) {
	t.Parallel()
	f := openWith(t, 7)
	f.capture(t, 8, capture.Other)    // kept: no delivery
	f.capture(t, 9, capture.Delivery) // not yet seen by the forwarder
	f.stand(t, 1, replay.Delivered)
	f.send(t, 1, 200)
	f.stand(t, 2, replay.GaveUp)
	f.send(t, 2, 500)
	f.stand(t, 3, replay.Retrying) // failed, and waiting
	f.send(t, 3, 0)
	f.stand(t, 4, replay.Queued)
	f.stand(t, 5, replay.Kept)
	f.stand(t, 6, replay.Kept) // kept, but replayed
	f.send(t, 6, 299)
	f.stand(t, 7, replay.Delivered) // delivered, but a later replay failed
	f.send(t, 7, 200)
	f.send(t, 7, 302)
	for _, c := range []struct {
		outcomes []capture.Outcome
		want     []capture.Seq
	}{
		{[]capture.Outcome{capture.OutcomeOK}, []capture.Seq{1, 6}},
		{[]capture.Outcome{capture.OutcomeFailed}, []capture.Seq{2, 3, 7}},
		{[]capture.Outcome{capture.OutcomeWaiting}, []capture.Seq{3, 4, 9}},
		{[]capture.Outcome{capture.OutcomeKept}, []capture.Seq{5, 8}},
		{[]capture.Outcome{capture.OutcomeKept, capture.OutcomeFailed}, []capture.Seq{2, 3, 5, 7, 8}},
		{[]capture.Outcome{"unknown"}, nil},
		{nil, []capture.Seq{1, 2, 3, 4, 5, 6, 7, 8, 9}},
	} {
		filter := store.Filter{Filter: capture.Filter{Outcome: c.outcomes}, Also: OutcomeCond(c.outcomes)}
		got, err := f.log.Match(t.Context(), filter, 1, 99)
		require.NoError(t, err)
		require.Equal(t, c.want, got, c.outcomes)
		filter.Provider = "nobody"
		got, err = f.log.Match(t.Context(), filter, 1, 99)
		require.NoError(t, err)
		require.Empty(t, got, "it is one condition among others")
	}
	counts, err := f.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, Counts{Waiting: 2, Failing: 1}, counts)
	ids, err := f.Failed(t.Context(), time.Time{}, time.Time{})
	require.NoError(t, err)
	require.Equal(t, []capture.ID{"req_2", "req_3", "req_7"}, ids)
	ids, err = f.Failed(t.Context(), noon.Add(2*time.Minute), noon.Add(7*time.Minute))
	require.NoError(t, err)
	require.Equal(t, []capture.ID{"req_2", "req_3"}, ids, "the start is in it, the end is not")
	ids, err = f.Failed(t.Context(), noon.Add(3*time.Minute), time.Time{})
	require.NoError(t, err)
	require.Equal(t, []capture.ID{"req_3", "req_7"}, ids)
}

func TestStandingsComeInTheOrderAskedFor(t *testing.T) {
	t.Parallel()
	f := openWith(t, 3)
	f.stand(t, 2, replay.Kept)
	var seqs []capture.Seq
	for range 600 {
		seqs = append(seqs, 3, 2, 77)
	}
	stands, err := f.Standings(t.Context(), seqs)
	require.NoError(t, err)
	require.Len(t, stands, len(seqs))
	require.Equal(t, replay.Standing{Seq: 3, Request: "req_3"}, stands[0])
	require.Equal(t, replay.Standing{Seq: 2, Request: "req_2", Endpoint: "shop", Progress: replay.Kept}, stands[1798])
	require.Equal(t, replay.Standing{Seq: 77}, stands[1799])
}

// The writer may do a Write a second time when a neighbour fails; numbers must come out the same.
func TestANeighbourThatFailsDoesNotCountTwice(t *testing.T) {
	t.Parallel()
	f := openWith(t, 1)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			a := replay.Attempt{Request: "req_1", Target: target, Start: noon}
			if i%4 == 0 {
				a.Request = "req_none"
			}
			if err := f.Begin(t.Context(), &a); (err != nil) != (i%4 == 0) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	as, err := f.Of(t.Context(), "req_1")
	require.NoError(t, err)
	require.Len(t, as, 30)
	for i, a := range as {
		require.Equal(t, i+1, a.N)
	}
	stands, err := f.Standings(t.Context(), []capture.Seq{1})
	require.NoError(t, err)
	require.Equal(t, 30, stands[0].Attempts)
}
