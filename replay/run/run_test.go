package run

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A fakeSender notes what it is to send.
type fakeSender struct {
	sent   []string // "a" for a send, "a+a" for a wave
	signed []replay.Signing
	orders []replay.Order // without their requests
	answer func(n int, o replay.Order) (replay.Outcome, error)
	n      int
}

func (f *fakeSender) one(o replay.Order) (replay.Attempt, error) {
	f.n++
	noted := o
	noted.Request = nil // not to be held
	f.signed, f.orders = append(f.signed, o.Signing), append(f.orders, noted)
	out, err := replay.Outcome{Status: 200}, error(nil)
	if f.answer != nil {
		out, err = f.answer(f.n, o)
	}
	return replay.Attempt{Request: o.Request.ID, Run: o.Run, Replay: o.Replay, Place: o.Place, Signing: o.Signing, Faults: o.Faults, Outcome: out}, err
}

func (f *fakeSender) Send(_ context.Context, o replay.Order) (replay.Attempt, error) {
	f.sent = append(f.sent, string(o.Request.ID))
	return f.one(o)
}

func (f *fakeSender) AtOnce(_ context.Context, os []replay.Order) (as []replay.Attempt, _ time.Duration, err error) {
	var names []string
	for _, o := range os {
		names = append(names, string(o.Request.ID))
		a, e := f.one(o)
		as, err = append(as, a), errors.Join(err, e)
	}
	f.sent = append(f.sent, strings.Join(names, "+"))
	return as, 250 * time.Microsecond, err
}

func runner(f *fakeSender) *Runner {
	return &Runner{
		Sender: f,
		Request: func(_ context.Context, id capture.ID) (*capture.Request, error) {
			if strings.HasPrefix(string(id), "gone") {
				return nil, nil
			}
			return &capture.Request{ID: id}, nil
		},
		Target: func(r *capture.Request) (replay.Target, bool) {
			return replay.Target{URL: "http://localhost:3000"}, !strings.HasPrefix(string(r.ID), "nowhere")
		},
		Now: time.Now, NewID: func() replay.RunID { return "run_1" },
	}
}

// waves reads "a b+b c": sends apart, and sends of one wave.
func waves(s string) replay.Scenario {
	out := replay.Scenario{Name: "test"}
	for w := range strings.FieldsSeq(s) {
		var wave replay.Wave
		for id := range strings.SplitSeq(w, "+") {
			wave = append(wave, replay.Send{Request: capture.ID(id), Signing: replay.Fresh})
		}
		out.Waves = append(out.Waves, wave)
	}
	return out
}

func requireAddsUp(t *testing.T, r replay.Run) {
	t.Helper()
	require.Equal(t, r.Scenario.Sends(), r.Sent+r.Skipped+r.Spared)
	require.Equal(t, r.Sent, r.OK+r.Failed+r.Faulted)
	require.False(t, r.End.IsZero())
}

func TestWavesGoOneAfterTheOther(t *testing.T) {
	t.Parallel()
	f := &fakeSender{answer: func(n int, _ replay.Order) (replay.Outcome, error) {
		return replay.Outcome{Status: []int{200, 500}[n%2]}, nil
	}}
	var seen []int
	r := runner(f)
	r.To = "http://localhost:4000"
	got, err := r.Run(t.Context(), waves("b a+a c"), func(r replay.Run) { seen = append(seen, r.Sent) })
	require.NoError(t, err)
	require.Equal(t, []string{"b", "a+a", "c"}, f.sent)
	require.Equal(t, slices.Repeat([]replay.Signing{replay.Fresh}, 4), f.signed)
	require.Equal(t, []int{0, 1, 2, 3, 4}, seen)
	require.Equal(t, []time.Duration{250 * time.Microsecond}, got.Spread)
	require.Equal(t, "http://localhost:4000", got.Target)
	require.Equal(t, 2, got.OK)
	require.Equal(t, 3, got.Done)
	require.Empty(t, got.Err)
	requireAddsUp(t, got)
}

func TestWhatCannotBeSentIsSkippedAndSaid(t *testing.T) {
	t.Parallel()
	f := &fakeSender{}
	got, err := runner(f).Run(t.Context(), waves("a gone1 nowhere1 b+gone2+b nowhere2+nowhere2 c"), nil)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b+b", "c"}, f.sent)
	require.Equal(t, 5, got.Skipped)
	require.Equal(t, "the request is gone (2); there is no target (3)", got.Note)
	require.Empty(t, got.Err)
	require.Equal(t, 6, got.Done)
	requireAddsUp(t, got)
}

// What AnyHook holds back was not sent, whatever it was asked for.
func TestWhatIsBlockedIsNotSent(t *testing.T) {
	t.Parallel()
	f := &fakeSender{answer: func(n int, _ replay.Order) (replay.Outcome, error) {
		if n == 1 {
			return replay.Outcome{Status: 500}, nil
		}
		return replay.Outcome{Failure: replay.Blocked, Detail: "not sent: 192.0.2.1 is not this machine"}, nil
	}}
	var seen []int
	got, err := runner(f).Run(t.Context(), waves("a b c+c"), func(r replay.Run) { seen = append(seen, r.Sent, r.Skipped) })
	require.NoError(t, err)
	require.Equal(t, []int{1, 0, 1, 3}, []int{got.Sent, got.OK, got.Failed, got.Skipped})
	require.Equal(t, []int{0, 0, 1, 0, 1, 1, 1, 2, 1, 3}, seen)
	require.Equal(t, "192.0.2.1 is not this machine", got.Note)
	require.Equal(t, 3, got.Done)
	requireAddsUp(t, got)
}

func TestStoppedRunSaysWhereItWas(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	f := &fakeSender{answer: func(n int, _ replay.Order) (replay.Outcome, error) {
		if n == 3 {
			cancel()
			return replay.Outcome{Failure: replay.Canceled}, nil
		}
		return replay.Outcome{Status: 200}, nil
	}}
	got, err := runner(f).Run(ctx, waves("a b c d e"), nil)
	require.NoError(t, err)
	require.Equal(t, "stopped", got.Err)
	require.Equal(t, []int{3, 2, 1, 2, 2}, []int{got.Sent, got.OK, got.Failed, got.Skipped, got.Done})
	require.Empty(t, got.Note)
	requireAddsUp(t, got)

	got, err = runner(f).Run(ctx, waves("a b"), nil)
	require.NoError(t, err)
	require.Equal(t, 2, got.Skipped)
	requireAddsUp(t, got)
}

func TestTroubleOfAnyHookStopsTheRun(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	for name, outcome := range map[string]replay.Outcome{"could not begin": {}, "could not be noted": {Status: 200}} {
		f := &fakeSender{answer: func(n int, _ replay.Order) (replay.Outcome, error) {
			if n == 2 {
				return outcome, full
			}
			return replay.Outcome{Status: 200}, nil
		}}
		for _, scenario := range []string{"a b c", "a+b c"} {
			f.n = 0
			got, err := runner(f).Run(t.Context(), waves(scenario), nil)
			require.ErrorIs(t, err, full, name)
			require.Contains(t, got.Err, "disk full")
			require.Equal(t, 1+min(outcome.Status, 1), got.Sent)
			requireAddsUp(t, got)
		}
	}
	r := runner(&fakeSender{})
	r.Request = func(context.Context, capture.ID) (*capture.Request, error) { return nil, full }
	got, err := r.Run(t.Context(), waves("a"), nil)
	require.ErrorIs(t, err, full)
	requireAddsUp(t, got)

	got, err = runner(&fakeSender{}).Run(t.Context(), waves(strings.Repeat("a+", 99)+"a"), nil)
	require.ErrorContains(t, err, "wave 1: 100 sends: want 1 to 64")
	require.Empty(t, got.ID, "nothing was sent")
}

func TestEveryPressGivesADelivery(t *testing.T) {
	t.Parallel()
	f := &fakeSender{}
	for range 4 {
		got, err := runner(f).Run(t.Context(), waves("a"), nil)
		require.NoError(t, err)
		require.Equal(t, 1, got.OK)
	}
	require.Equal(t, []string{"a", "a", "a", "a"}, f.sent)
}

// Ten thousand requests with a megabyte each are never in memory together.
func TestLongRunKeepsOneRequestAtATime(t *testing.T) {
	t.Parallel()
	const sends = 10_000
	var s replay.Scenario
	for i := range sends {
		s.Waves = append(s.Waves, replay.Wave{{Request: capture.ID(fmt.Sprint(i))}})
	}
	r := runner(&fakeSender{})
	alive, most := 0, 0
	dropped := make(chan struct{}, sends)
	r.Request = func(_ context.Context, id capture.ID) (*capture.Request, error) {
		for len(dropped) > 0 {
			<-dropped
			alive--
		}
		alive++
		if most = max(most, alive); alive > 200 {
			runtime.GC()
		}
		req := &capture.Request{ID: id, Body: make([]byte, 1<<10)}
		runtime.AddCleanup(req, func(struct{}) { dropped <- struct{}{} }, struct{}{})
		return req, nil
	}
	for range 2 { // the same order, the same count, each time
		f := &fakeSender{}
		r.Sender = f
		got, err := r.Run(t.Context(), s, nil)
		require.NoError(t, err)
		require.Equal(t, sends, got.OK)
		requireAddsUp(t, got)
		for i, id := range f.sent {
			require.Equal(t, fmt.Sprint(i), id)
		}
	}
	require.Less(t, most, sends/4)
}
