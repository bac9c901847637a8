package view_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/plan"
)

// Each run shows what the practice handler made of it when it ended; those
// that had nothing to do with it show nothing, whatever the shop does later.
func TestOldRunsSayWhatWasFoundAtTheTime(t *testing.T) {
	t.Parallel()
	d := story.New(func() time.Time { return noon })
	runs := &view.Runs{Desk: d, Changed: func() {}}
	do := func(found *replay.Practised) {
		d.Practised = found
		_, err := runs.Do(t.Context(), view.Plan{}, "")
		require.NoError(t, err)
	}
	require.NoError(t, d.Practice(t.Context(), true))
	do(&replay.Practised{Charged: 1, Twice: 1})
	do(nil)
	do(&replay.Practised{Charged: 2})
	said := func() (out [][]view.Notice) {
		for _, r := range runs.All() {
			out = append(out, r.Notices)
		}
		return out
	}
	good := view.Mark{Tone: view.Good, Text: "The practice handler charged no event twice"}
	twice := view.Mark{Tone: view.Bad, Text: "The practice handler charged 1 event twice"}
	shop := []string{"shop"}
	require.Equal(t, [][]view.Notice{{{Mark: good, Commands: shop}}, nil, {{Mark: twice, Commands: shop}}}, said())

	d.Set(func(s *view.Status) { s.Charged, s.Twice = 9, 9 })
	require.Equal(t, [][]view.Notice{{{Mark: good, Commands: shop}}, nil, {{Mark: twice, Commands: shop}}}, said())
	require.NoError(t, d.Practice(t.Context(), false))
	require.Equal(t, [][]view.Notice{{{Mark: good}}, nil, {{Mark: twice}}}, said(), "there is no shop to open any more")
}

// The sums add up, and the word for the whole is no false one.
func TestARunSaysWhatBecameOfAllItsSends(t *testing.T) {
	t.Parallel()
	for verdict, want := range map[string]struct {
		run  replay.Run
		text string
	}{
		"all taken":           {replay.Run{Sent: 2, OK: 2}, "2 of 2 sent · 2 taken · 0 failed"},
		"some failed":         {replay.Run{Sent: 1, Failed: 1, Skipped: 1}, "1 of 2 sent · 0 taken · 1 failed · 1 not sent"},
		"not all sent":        {replay.Run{Sent: 1, OK: 1, Skipped: 1}, "1 of 2 sent · 1 taken · 0 failed · 1 not sent"},
		"stopped":             {replay.Run{Sent: 1, OK: 1, Skipped: 1, Err: replay.Stopped}, "1 of 2 sent · 1 taken · 0 failed · 1 not sent"},
		"stopped by an error": {replay.Run{Skipped: 2, Err: "disk full"}, "0 of 2 sent · 0 taken · 0 failed · 2 not sent · disk full"},
	} {
		runs := &view.Runs{Desk: ends{story.New(func() time.Time { return noon }), want.run}, Changed: func() {}}
		_, err := runs.Do(t.Context(), view.Plan{Scenario: plan.Once([]capture.ID{"a", "b"}, replay.AsReceived)}, "")
		require.NoError(t, err)
		require.Equal(t, verdict, runs.All()[0].Verdict.Text)
		require.Equal(t, want.text, runs.All()[0].Text)
	}
}

// ends is a desk whose replays end as they are told to.
type ends struct {
	*story.Desk
	run replay.Run
}

func (d ends) Replay(context.Context, replay.Scenario, string, func(replay.Run)) (replay.Run, error) {
	return d.run, nil
}
