package run

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// noted reads the notation, with small letters for ids.
func noted(t *testing.T, text string) replay.Scenario {
	t.Helper()
	waves, err := replay.ParseWaves(text, func(label string) (capture.ID, bool) { return capture.ID(label), true })
	require.NoError(t, err)
	return replay.Scenario{Name: "test", Waves: waves}
}

func (f *fakeSender) waits() (out []time.Duration) {
	for _, o := range f.orders {
		out = append(out, o.Wait)
	}
	return out
}

// A wait counts from the answers to the wave before, and passes as fast as the
// scenario says. Those of one wave that are longer count from the shortest.
func TestASendWaitsAfterTheAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var at []time.Duration
		f := &fakeSender{answer: func(int, replay.Order) (replay.Outcome, error) {
			at = append(at, time.Since(start))
			time.Sleep(time.Second)
			return replay.Outcome{Status: 200}, nil
		}}
		s := noted(t, "A~10s B C~20s|D~1m|E~30s F~24h G~2s..8s")
		s.Speed, s.Seed = 10, 7
		got, err := runner(f).Run(t.Context(), s, nil)
		require.NoError(t, err)
		requireAddsUp(t, got)
		second := time.Second
		random := s.Waves[4][0].Wait.At(7, replay.Place{Wave: 5, Send: 1}) / 10
		day := 8*second + 2*time.Hour + 24*time.Minute
		require.Equal(t, []time.Duration{second, 2 * second, 5 * second, 6 * second, 7 * second, day, day + second + random}, at)
		require.Equal(t, []time.Duration{0, 0, 0, 4 * second, second, 0, 0}, f.waits())
		require.Greater(t, random, 200*time.Millisecond)
	})
}

func TestAStoppedRunWaitsNoLonger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		f := &fakeSender{}
		start := time.Now()
		got, err := runner(f).Run(ctx, noted(t, "A B~1h C"), nil)
		require.NoError(t, err)
		require.Equal(t, "stopped", got.Err)
		require.Equal(t, []int{1, 2, 1}, []int{got.Sent, got.Skipped, got.Done})
		require.Equal(t, time.Minute, time.Since(start))
		requireAddsUp(t, got)
	})
}

func TestARetryIsSparedOnceItIsAcknowledged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeSender{answer: func(n int, _ replay.Order) (replay.Outcome, error) {
			return replay.Outcome{Status: map[int]int{2: 500}[n] + map[bool]int{true: 200}[n != 2]}, nil
		}}
		start := time.Now()
		got, err := runner(f).Run(t.Context(), noted(t, "A!lost B A#2?|B#2? A#3?~1h B#3?~1h A"), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"A", "B", "A+B", "A"}, f.sent)
		require.Equal(t, []int{5, 4, 1, 2}, []int{got.Sent, got.OK, got.Failed, got.Spared})
		require.Zero(t, time.Since(start), "nobody waits for what is not sent")
		require.Equal(t, []int{0, 0, 2, 2, 0}, []int{f.orders[0].Try, f.orders[1].Try, f.orders[2].Try, f.orders[3].Try, f.orders[4].Try})
		require.Equal(t, replay.Place{Wave: 3, Send: 2}, f.orders[3].Place)
		requireAddsUp(t, got)
	})
}

func TestSumsJudgeByWhatASendIsFor(t *testing.T) {
	t.Parallel()
	f := &fakeSender{answer: func(_ int, o replay.Order) (replay.Outcome, error) {
		switch {
		case replay.FaultOf(o.Faults, replay.HangUp) != nil:
			return replay.Outcome{Failure: replay.HungUp}, nil
		case o.Signing.Wrong():
			return replay.Outcome{Status: 401}, nil
		}
		return replay.Outcome{Status: 200}, nil
	}}
	got, err := runner(f).Run(t.Context(), noted(t, "A!hangup@2s A!stale A!lost A"), nil)
	require.NoError(t, err)
	require.Equal(t, []int{4, 3, 0, 1}, []int{got.Sent, got.OK, got.Failed, got.Faulted})
	requireAddsUp(t, got)
}

// A program is a handler that can be started and killed.
type program struct{ did []string }

func (p *program) on(r *Runner) {
	r.Start = func(context.Context) error { p.did = append(p.did, "start"); return nil }
	r.Kill = func() error { p.did = append(p.did, "kill"); return nil }
}

func TestTheHandlerIsStartedAgainAfterItWasKilled(t *testing.T) {
	t.Parallel()
	var p program
	f := &fakeSender{answer: func(n int, o replay.Order) (replay.Outcome, error) {
		p.did = append(p.did, string(o.Request.ID))
		if o.Kill != nil {
			o.Kill()
			return replay.Outcome{Failure: replay.Killed}, nil
		}
		return replay.Outcome{Status: 200, Timing: replay.Timing{Written: time.Second, FirstByte: time.Second + time.Duration(n)*time.Millisecond}}, nil
	}}
	r := runner(f)
	s := noted(t, "A!kill@50% B C D E!kill@50% F|G!kill@head A")
	_, err := r.Run(t.Context(), s, nil)
	require.ErrorIs(t, err, ErrNoCommand)
	require.Empty(t, f.sent)

	p.on(r)
	got, err := r.Run(t.Context(), s, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"start", "A", "kill", "start", "B", "C", "D", "E", "kill", "start", "F", "G", "kill", "start", "A"}, p.did)
	require.Equal(t, []int{8, 5, 3}, []int{got.Sent, got.OK, got.Faulted})
	require.Equal(t, "the handler was killed as soon as the request was out: nothing before it told how long it takes", got.Note)
	require.Equal(t, replay.Fault{Kind: replay.Kill, Share: 50, After: 1500 * time.Microsecond}, f.orders[4].Faults[0], "half of what B, C and D took mostly")
	require.Zero(t, s.Waves[4][0].Faults[0].After, "the scenario is left alone")
	requireAddsUp(t, got)
}

func TestAHandlerThatCannotBeKilledOrStartedEndsTheRun(t *testing.T) {
	t.Parallel()
	trouble := errors.New("no such program")
	for name, change := range map[string]func(*Runner, *program){
		"not started at first": func(r *Runner, _ *program) { r.Start = func(context.Context) error { return trouble } },
		"not started again": func(r *Runner, p *program) {
			r.Start = func(context.Context) error {
				if len(p.did) > 0 {
					return trouble
				}
				return nil
			}
		},
		"not killed": func(r *Runner, _ *program) { r.Kill = func() error { return trouble } },
	} {
		var p program
		f := &fakeSender{answer: func(_ int, o replay.Order) (replay.Outcome, error) {
			p.did = append(p.did, "sent")
			o.Kill()
			return replay.Outcome{Failure: replay.Killed}, nil
		}}
		r := runner(f)
		p.on(r)
		change(r, &p)
		got, err := r.Run(t.Context(), noted(t, "A!kill A!kill"), nil)
		require.ErrorIs(t, err, trouble, name)
		require.Contains(t, got.Err, "no such program", name)
		require.LessOrEqual(t, got.Sent, 1, name)
		requireAddsUp(t, got)
	}
}

func TestWhatHasToHoldIsLookedAtUntilItDoes(t *testing.T) {
	t.Parallel()
	s := noted(t, "A")
	s.Hold = []replay.Expect{{URL: "one"}, {URL: "two"}}
	for tries, want := range map[int]struct {
		held []replay.Held
		took time.Duration
	}{
		1:   {[]replay.Held{{Got: "one"}, {Got: "two"}}, 0},
		4:   {[]replay.Held{{Got: "one"}, {Got: "two"}}, 300 * time.Millisecond},
		999: {[]replay.Held{{Got: "one"}, {Got: "two", Why: "not yet"}}, 1900 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			looks := 0
			r := runner(&fakeSender{})
			r.Look = func(_ context.Context, e replay.Expect) replay.Held {
				h := replay.Held{Got: e.URL}
				if e.URL == "two" {
					if looks++; looks < tries {
						h.Why = "not yet"
					}
				}
				return h
			}
			start := time.Now()
			got, err := r.Run(t.Context(), s, nil)
			require.NoError(t, err)
			require.Equal(t, want.held, got.Held)
			require.Equal(t, tries < 999, got.Holds())
			require.Equal(t, want.took, time.Since(start))
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := runner(&fakeSender{answer: func(int, replay.Order) (replay.Outcome, error) { cancel(); return replay.Outcome{Status: 200}, nil }})
	r.Look = func(context.Context, replay.Expect) replay.Held { t.Error("it was stopped"); return replay.Held{} }
	got, err := r.Run(ctx, s, nil)
	require.NoError(t, err)
	require.Nil(t, got.Held)
	require.False(t, got.Holds())
}

func TestARunIsWrittenDownAtItsStartAndOnceASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeSender{answer: func(int, replay.Order) (replay.Outcome, error) {
			time.Sleep(100 * time.Millisecond)
			return replay.Outcome{Status: 200}, nil
		}}
		r := runner(f)
		var done []int
		r.Save = func(_ context.Context, r replay.Run) error {
			require.True(t, r.End.IsZero())
			done = append(done, r.Done)
			return nil
		}
		_, err := r.Run(t.Context(), noted(t, longNotation(35)), nil)
		require.NoError(t, err)
		require.Equal(t, []int{0, 10, 20, 30}, done)

		full := errors.New("disk full")
		r.Save = func(context.Context, replay.Run) error { return full }
		f.sent = nil
		got, err := r.Run(t.Context(), noted(t, "A"), nil)
		require.ErrorIs(t, err, full)
		require.Empty(t, f.sent)
		requireAddsUp(t, got)
	})
}

func longNotation(n int) (s string) {
	for range n {
		s += "A "
	}
	return s
}
