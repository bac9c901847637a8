package view_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func planner(d view.Desk) view.Planner { return view.Planner{Desk: d, Clock: clockAt(noon)} }

// order lists the waves as the seqs of their sends.
func order(s replay.Scenario) string {
	var b strings.Builder
	for _, w := range s.Waves {
		for _, send := range w {
			b.WriteString(strings.TrimLeft(strings.TrimPrefix(string(send.Request), "req_"), "0"))
		}
		b.WriteString("|")
	}
	return b.String()
}

func TestPlansLayOutTheWaves(t *testing.T) {
	t.Parallel()
	d := many(5)
	for way, want := range map[view.Way]string{
		view.AsReceived: "1|2|3|", view.Twice: "1|1|2|2|3|3|", view.AtOnce: "1111|2222|3333|", view.Reversed: "3|2|1|", view.Ordered: "2|3|1|",
	} {
		p, err := planner(d).Plan(t.Context(), way, []capture.Seq{2, 3, 1}, 4)
		require.NoError(t, err)
		require.Equal(t, want, order(p.Scenario), way)
	}
}

func TestAPlanTellsWhatWillProbablyHappen(t *testing.T) {
	t.Parallel()
	d := story.Day(func() time.Time { return noon })
	last, err := d.Last(t.Context())
	require.NoError(t, err)
	subscription := last - 10 // deleted 22 minutes ago
	p := planner(d)
	plan, err := p.Plan(t.Context(), view.AsReceived, []capture.Seq{subscription}, 0)
	require.NoError(t, err)
	require.Contains(t, plan.Notes[0].Text, "1,320 s old: most SDKs reject after 300 s")
	plan, err = p.Plan(t.Context(), view.Resigned, []capture.Seq{subscription}, 0)
	require.NoError(t, err)
	require.Empty(t, plan.Notes, "re-signed it is fresh")
	require.Equal(t, replay.Fresh, plan.Scenario.Waves[0][0].Signing)
	plan, err = p.Plan(t.Context(), view.Resigned, []capture.Seq{last - 1, last - 7}, 0) // slack without a secret, a browser
	require.NoError(t, err)
	require.Len(t, plan.Scenario.Waves, 1)
	require.Contains(t, plan.Notes[0].Text, "only whole webhooks")
	require.Contains(t, plan.Notes[1].Text, "no target")
	require.Len(t, plan.Notes, 2, "what is valid without a secret of the endpoint is a sample, which has one of its own")
	d.Add(&capture.Request{Kind: capture.Delivery, Endpoint: "slack", At: noon, Provider: "slack", Method: "POST", Head: capture.NewHead("POST", "/"), Signature: capture.Signature{Status: capture.Unchecked}}, replay.Standing{})
	plan, err = p.Plan(t.Context(), view.Resigned, []capture.Seq{last + 1}, 0)
	require.NoError(t, err)
	require.Contains(t, plan.Notes[1].Text, "no secret")
	require.Equal(t, []string{"endpoints"}, plan.Notes[1].Commands)
}

func TestWhatLeavesThisMachineIsCounted(t *testing.T) {
	t.Parallel()
	d := many(2)
	require.NoError(t, d.SaveEndpoint(t.Context(), "default", capture.Endpoint{Name: "", Path: "/", Target: "https://staging.example.com/hooks"}))
	plan, err := planner(d).Plan(t.Context(), view.Twice, []capture.Seq{1, 2}, 0)
	require.NoError(t, err)
	require.Equal(t, 4, plan.Away)
}

func TestATimeRangeIsCountedExactlyWithBothEdges(t *testing.T) {
	t.Parallel()
	d := story.New(func() time.Time { return noon })
	start := time.Date(2026, 11, 30, 11, 58, 0, 0, time.UTC)
	for i := range 250 {
		at := start.Add(time.Duration(i) * time.Second)
		if i == 31 {
			at = start.Add(30 * time.Second) // two share one moment at the edge
		}
		d.Add(&capture.Request{Kind: capture.Delivery, At: at, URL: "http://x/"}, replay.Standing{})
	}
	taipei := time.FixedZone("Asia/Taipei", 8*3600)
	p := view.Planner{Desk: d, Clock: view.Clock{Now: func() time.Time { return noon }, Zone: taipei}}
	r, err := p.Clock.ParseRange("19:58:30", "2026-11-30 20:00:30")
	require.NoError(t, err)
	preview, err := p.Preview(t.Context(), r)
	require.NoError(t, err)
	require.Len(t, preview.Seqs, 120, "from with, until without")
	require.Equal(t, capture.Seq(31), preview.Seqs[0])
	require.Equal(t, capture.Seq(32), preview.Seqs[1], "ties in arrival order")
	require.Equal(t, "120 requests, oldest first", preview.Count)
	require.Contains(t, preview.Edges[0], "19:58:30.000 +08:00 · 11:58:30.000 UTC")
	require.Contains(t, preview.Edges[1], "20:00:30.000 +08:00 · 12:00:30.000 UTC")
	none, err := p.Preview(t.Context(), view.Range{Since: noon.Add(time.Hour), Until: noon.Add(2 * time.Hour)})
	require.NoError(t, err)
	require.Equal(t, "No webhook arrived between these times", none.Count)
}

func TestTimesAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	c := view.Clock{Now: func() time.Time { return noon }, Zone: time.FixedZone("CST", 8*3600)}
	for s, want := range map[string]time.Time{
		"now": noon, "10m": noon.Add(-10 * time.Minute), "3d": noon.Add(-72 * time.Hour), "19:58:30": noon.Add(-90 * time.Second),
		"2026-11-30 20:00": noon, "2026-11-30T12:00:00Z": noon, "2026-11-30": noon.Add(-20 * time.Hour),
	} {
		got, err := c.Parse(s)
		require.NoError(t, err, s)
		require.True(t, want.Equal(got), "%s: %s", s, got)
	}
	for _, s := range []string{"", "yesterday", "-5m", "25:00", "1hd"} {
		_, err := c.Parse(s)
		require.Error(t, err, s)
	}
	_, err := c.ParseRange("now", "10m")
	require.Error(t, err, "the wrong way round")
}

func TestTheLongNightOfDaylightSavingIsWhole(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	c := view.Clock{Now: func() time.Time { return noon }, Zone: berlin}
	r, err := c.ParseRange("2026-10-25", "2026-10-26")
	require.NoError(t, err)
	require.Equal(t, 25*time.Hour, r.Until.Sub(r.Since))
}

func TestSumsOfARunAddUp(t *testing.T) {
	t.Parallel()
	d := many(10)
	n := 0
	d.Answer = func(replay.Send) replay.Outcome {
		if n++; n%2 == 0 {
			return replay.Outcome{Status: 500}
		}
		return replay.Outcome{Status: 200}
	}
	runs := &view.Runs{Desk: d, Changed: func() {}}
	plan, err := planner(d).Plan(t.Context(), view.AsReceived, []capture.Seq{1, 2, 3, 4}, 0)
	require.NoError(t, err)
	done, err := runs.Do(t.Context(), plan, "")
	require.NoError(t, err)
	require.Equal(t, 4, done.OK+done.Failed)
	v := runs.All()[0]
	require.Equal(t, "4 of 4 sent · 2 taken · 2 failed", v.Text)
	require.Equal(t, view.Mark{Tone: view.Bad, Text: "some failed"}, v.Verdict)
	require.InDelta(t, 1, v.Fraction, 0.001)
}

func TestARunThatIsCancelledSaysWhatWasNotSent(t *testing.T) {
	t.Parallel()
	d := many(10)
	runs := &view.Runs{Desk: d, Changed: func() {}}
	n := 0
	d.Hold = func(context.Context) {
		if n++; n == 3 {
			runs.Cancel()
		}
	}
	plan, err := planner(d).Plan(t.Context(), view.AsReceived, []capture.Seq{1, 2, 3, 4, 5}, 0)
	require.NoError(t, err)
	_, err = runs.Do(t.Context(), plan, "")
	require.ErrorIs(t, err, context.Canceled)
	v := runs.All()[0]
	require.Equal(t, "2 of 5 sent · 2 taken · 0 failed · 3 not sent", v.Text)
	require.Equal(t, "stopped", v.Verdict.Text)
	runs.Dismiss()
	require.Empty(t, runs.All())
}

// A command that asks first ends in an ellipsis; a run that it led to asks nothing.
func TestARunIsCalledByWhatItDoes(t *testing.T) {
	t.Parallel()
	d := story.Day(func() time.Time { return noon })
	p := view.Planner{Desk: d, Clock: clockAt(noon)}
	last := d.Status().Requests
	for _, way := range []view.Way{view.AsReceived, view.Resigned, view.Twice, view.AtOnce, view.Reversed, view.Ordered, view.OfRange, view.OfFailed} {
		plan, err := p.Plan(t.Context(), way, []capture.Seq{last, last - 2}, 2)
		require.NoError(t, err)
		require.NotContains(t, plan.Title, "…", way)
	}
}

func TestAttemptsThatAllWentWellSaySo(t *testing.T) {
	t.Parallel()
	d := story.Day(func() time.Time { return noon })
	last := d.Status().Requests
	sums, err := d.Summaries(t.Context(), []capture.Seq{last})
	require.NoError(t, err)
	_, err = d.Replay(t.Context(), replay.Scenario{Waves: []replay.Wave{{{Request: sums[0].ID}}}}, "", func(replay.Run) {})
	require.NoError(t, err)
	v, err := view.LoadDetail(t.Context(), d, clockAt(noon), sums[0].ID)
	require.NoError(t, err)
	require.Equal(t, "http://localhost:3000/webhooks took it with 200: 2 attempts, none failed.", v.Sentences[2])
}
