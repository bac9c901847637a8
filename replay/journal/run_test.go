package journal

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
)

// hostile has one of everything that a scenario can hold.
func hostileOne() replay.Scenario {
	return replay.Scenario{
		Name: "Retry meets the first", Seed: 1<<63 + 5, Speed: 60,
		Waves: []replay.Wave{
			{{Request: "req_1", Faults: []replay.Fault{{Kind: replay.HangUp, After: time.Second}}}},
			{
				{Request: "req_1", Signing: replay.Fresh, Wait: replay.Wait{Min: time.Second, Max: time.Minute}, Try: 2, Retry: true},
				{Request: "req_2", Items: []replay.Item{{Request: "req_2", N: 3}, {Request: "req_1"}}},
			},
			{{Request: "req_2", Retry: true}},
		},
		Hold: []replay.Expect{{URL: "http://localhost:3000/state", JQ: ".charges == 1"}, {URL: "http://localhost:3000/", Text: "ok"}},
	}
}

func TestRunsAreKeptTheNewestFirst(t *testing.T) {
	t.Parallel()
	f := openWith(t, 1)
	run := replay.Run{ID: "run_1", Target: target, Start: noon, Scenario: hostileOne()}
	require.NoError(t, f.SaveRun(t.Context(), run))
	got, err := f.Run(t.Context(), "run_1")
	require.NoError(t, err)
	require.Equal(t, run, got)
	require.False(t, got.Holds(), "nobody has looked")
	run.End, run.Sent, run.OK, run.Failed, run.Faulted, run.Skipped, run.Spared = noon.Add(time.Second), 3, 1, 1, 1, 1, 2
	run.Err, run.Spread = "stopped", []time.Duration{5 * time.Microsecond}
	run.Note, run.Done, run.Practice = "1 not sent: there is no target", 1, &replay.Practised{Charged: 2, Twice: 1}
	run.Held = []replay.Held{{Got: "false", Why: ".charges == 1 is false"}, {Got: "ok"}}
	require.NoError(t, f.SaveRun(t.Context(), run))
	second := replay.Run{ID: "run_2", Start: noon.Add(time.Minute)}
	require.NoError(t, f.SaveRun(t.Context(), second))
	runs, err := f.Runs(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, []replay.Run{second, run}, runs)
	require.False(t, runs[1].Holds())
	require.True(t, runs[0].Holds(), "nothing had to hold")
	runs, err = f.Runs(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, runs, 1)
	_, err = f.Run(t.Context(), "run_9")
	require.ErrorIs(t, err, store.ErrNotFound)
	require.Error(t, f.SaveRun(t.Context(), replay.Run{}), "it has no name")
}

// What was saved on the way may be old: the sums are those of the attempts.
func TestARunThatWasUnderWayIsEndedAtTheNextStart(t *testing.T) {
	t.Parallel()
	f := openWith(t, 2)
	run := replay.Run{ID: "run_1", Target: target, Start: noon, Scenario: hostileOne(), Spread: []time.Duration{1}}
	require.NoError(t, f.SaveRun(t.Context(), run))
	over := replay.Run{ID: "run_2", Start: noon.Add(-time.Hour), End: noon, Done: 1, Scenario: replay.Scenario{Waves: run.Scenario.Waves[:1]}, Skipped: 1}
	require.NoError(t, f.SaveRun(t.Context(), over))
	begin := func(wave, send int) replay.Attempt {
		s := run.Scenario.Waves[wave-1][send-1]
		a := replay.Attempt{
			Request: s.Request, Target: target, Run: "run_1", Replay: true, Place: replay.Place{Wave: wave, Send: send},
			Signing: s.Signing, Faults: s.Faults, Start: noon.Add(time.Duration(wave) * time.Second),
		}
		require.NoError(t, f.Begin(t.Context(), &a))
		return a
	}
	a := begin(1, 1)
	a.Took, a.Outcome.Failure = time.Second, replay.HungUp
	require.NoError(t, f.End(t.Context(), &a))
	begin(2, 1) // and its end is never seen
	a = begin(2, 2)
	a.Took, a.Outcome.Status = 500*time.Millisecond, 200
	require.NoError(t, f.End(t.Context(), &a))
	require.NoError(t, f.db.Close())

	f = openAt(t, f.path)
	got, err := f.Runs(t.Context(), 9)
	require.NoError(t, err)
	run.Sent, run.OK, run.Failed, run.Faulted, run.Skipped = 3, 1, 1, 1, 1
	run.Done, run.End, run.Err = 1, noon.Add(2500*time.Millisecond), "AnyHook ended before the run did"
	require.Equal(t, []replay.Run{run, over}, got)
	as, err := f.OfRun(t.Context(), "run_1")
	require.NoError(t, err)
	require.Equal(t, []replay.Failure{replay.HungUp, replay.Lost, ""}, []replay.Failure{as[0].Outcome.Failure, as[1].Outcome.Failure, as[2].Outcome.Failure})
	require.Equal(t, replay.Place{Wave: 2, Send: 1}, as[1].Place)
}

func TestARunThatAnotherAnyHookCarriesOutIsLeftAlone(t *testing.T) {
	t.Parallel()
	f := openWith(t, 1)
	run := replay.Run{ID: "run_1", Start: noon, Scenario: hostileOne()}
	require.NoError(t, f.SaveRun(t.Context(), run))
	db, err := store.View(t.Context(), f.path)
	require.NoError(t, err)
	defer db.Close()
	j, err := Open(t.Context(), db)
	require.NoError(t, err)
	got, err := j.Run(t.Context(), "run_1")
	require.NoError(t, err)
	require.Equal(t, run, got)
}

// A file of the version before has neither places nor faults.
func TestRunsOfBeforeComeBack(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/anyhook.db"
	db, err := store.Open(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, db.Migrate(t.Context(), "replay", steps[:2]))
	require.NoError(t, store.NewLog(db).Append(t.Context(), &capture.Request{
		ID: "req_1", Kind: capture.Delivery, At: noon, Head: capture.NewHead("POST", "/"), Method: "POST", Signature: capture.Signature{Status: capture.Unchecked},
	}))
	for _, statement := range []string{
		`INSERT INTO run (id, name, seed, target, start, finish, sent, ok, failed, skipped, err, spread, waves, done)
			VALUES ('run_1', 'twice', 0, '', 1, 2, 1, 1, 0, 0, '', '[]', '[[{"request":"req_1"}]]', 1)`,
		`INSERT INTO attempt (seq, target, n, run, replay, signing, start, ended, outcome) VALUES (1, 'http://h', 1, 'run_1', 1, '', 1, 1, '{"status":200}')`,
	} {
		require.NoError(t, db.Write(t.Context(), func(tx store.Tx) error { _, err := tx.Exec(statement); return err }))
	}
	require.NoError(t, db.Close())

	f := openAt(t, path)
	run, err := f.Run(t.Context(), "run_1")
	require.NoError(t, err)
	require.Equal(t, []replay.Wave{{{Request: "req_1"}}}, run.Scenario.Waves)
	require.True(t, run.Holds())
	as, err := f.OfRun(t.Context(), "run_1")
	require.NoError(t, err)
	require.Len(t, as, 1)
	require.Zero(t, as[0].Place)
	require.Nil(t, as[0].Faults)
}
