package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func clockAt(t time.Time) view.Clock {
	return view.Clock{Now: func() time.Time { return t }, Zone: time.UTC}
}

func TestOutcomesInWords(t *testing.T) {
	t.Parallel()
	delivery := capture.Summary{Kind: capture.Delivery, Answered: 200}
	for name, c := range map[string]struct {
		sum  capture.Summary
		st   replay.Standing
		want string
		tone view.Tone
	}{
		"taken at once":          {delivery, replay.Standing{Progress: replay.Delivered, Attempts: 1, Status: 200}, "200", view.Good},
		"taken on the second":    {delivery, replay.Standing{Progress: replay.Delivered, Attempts: 2, Status: 200}, "200 · 2 tries", view.Good},
		"waits for the handler":  {delivery, replay.Standing{Progress: replay.Queued, Attempts: 1, Failure: replay.Refused}, "refused · waiting", view.Warn},
		"due again":              {delivery, replay.Standing{Progress: replay.Retrying, Attempts: 1, Status: 500, Due: noon.Add(90 * time.Second)}, "500 · again in 1 min", view.Warn},
		"not tried yet":          {delivery, replay.Standing{Progress: replay.Queued}, "waiting", view.Busy},
		"gave up":                {delivery, replay.Standing{Progress: replay.GaveUp, Attempts: 3, Failure: replay.Timeout}, "timeout · 3 tries", view.Bad},
		"refused signature":      {capture.Summary{Kind: capture.Delivery, Answered: 401}, replay.Standing{Progress: replay.Kept}, "answered 401", view.Muted},
		"no target":              {delivery, replay.Standing{Progress: replay.Kept}, "not forwarded", view.Muted},
		"a redirect is no taker": {delivery, replay.Standing{Progress: replay.GaveUp, Attempts: 1, Status: 302}, "302", view.Bad},
		"taken, body broke off":  {delivery, replay.Standing{Progress: replay.Delivered, Attempts: 1, Status: 200, Failure: replay.Cut}, "200", view.Good},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := view.Outcome(c.sum, c.st, clockAt(noon))
			require.Equal(t, c.want, m.Text)
			require.Equal(t, c.tone, m.Tone)
		})
	}
}

func TestARowSaysWhatCannotBeToldByColourAlone(t *testing.T) {
	t.Parallel()
	s := capture.Summary{Seq: 41, Kind: capture.Delivery, At: noon, Provider: "hubspot", Signature: capture.Valid, Read: true, Events: 87, Type: "deal.propertyChange", Object: "deal 1", Seen: 2, Late: true, Answered: 200}
	r := view.NewRow(s, replay.Standing{Replays: 3, Attempts: 4, Status: 200}, clockAt(noon), func(string) string { return "HubSpot" })
	require.Equal(t, "41", r.Number)
	require.Equal(t, "12:00:00", r.Time)
	require.Equal(t, "deal.propertyChange ×87", r.What)
	require.Equal(t, "valid", r.Signature.Text)
	var words []string
	for _, b := range r.Badges {
		words = append(words, b.Text)
	}
	require.Equal(t, []string{"2nd", "late", "replayed 3×"}, words)
}

func TestTextFromOutsideCannotTurnTheWindowAround(t *testing.T) {
	t.Parallel()
	require.Equal(t, `a\u202eb c\u001b[31m`, view.Clean("a\u202eb\nc\x1b[31m", 100))
	require.Equal(t, "漢字…", view.Clean("漢字漢字", 2))
}

func TestTimesCanBeLocalUTCAndRelative(t *testing.T) {
	t.Parallel()
	taipei := time.FixedZone("CST", 8*3600)
	c := view.Clock{Now: func() time.Time { return noon }, Zone: taipei}
	at := noon.Add(-5 * time.Minute)
	require.Equal(t, "19:55:00.000", c.Write(at))
	require.Equal(t, "11-29 19:55:00.000", c.Write(at.Add(-24*time.Hour)))
	c.Mode = view.UTC
	require.Equal(t, "2026-11-30 11:55:00.000 UTC", c.Write(at))
	c.Mode = view.Relative
	require.Equal(t, "5 min ago", c.Write(at))
	require.Empty(t, c.Write(time.Time{}))
	require.Equal(t, "2026-11-30 19:55:00.000 +08:00 · 11:55:00.000 UTC", c.Both(at))
}

func TestWhatWasReadFromAFileSaysSoAndCanBeReplayed(t *testing.T) {
	t.Parallel()
	s := capture.Summary{Seq: 1, Kind: capture.Imported, Provider: "stripe", Type: "invoice.paid", Signature: capture.Valid, Read: true, At: noon}
	row := view.NewRow(s, replay.Standing{}, clockAt(noon), func(n string) string { return n })
	require.Equal(t, []view.Mark{{Tone: view.Muted, Text: "imported", Sign: view.SignImported}}, row.Badges)
	require.Equal(t, "valid", row.Signature.Text)
	require.Equal(t, "not forwarded", row.Outcome.Text)
	require.True(t, view.Replayable(s))
	require.Contains(t, view.KindChoices(), view.Choice{Value: "imported", Name: "imported"})

	d := story.New(func() time.Time { return noon })
	d.Add(&capture.Request{
		Kind: capture.Imported, Endpoint: "default", At: noon, URL: "http://x/", Method: "POST", Head: capture.NewHead("POST", "/"), Provider: "stripe",
		Signature: capture.Signature{Status: capture.Valid}, Events: []capture.Event{{Type: "invoice.paid"}},
	}, replay.Standing{})
	detail, err := view.LoadDetail(t.Context(), d, clockAt(noon), "req_000001")
	require.NoError(t, err)
	require.Contains(t, detail.Sentences[0], "Read from a file: Stripe sent invoice.paid")
	require.Equal(t, "The signature is valid.", detail.Sentences[1])
	require.Contains(t, detail.Sentences[2], "only replayed by hand")
	p := view.Planner{Desk: d, Clock: clockAt(noon)}
	plan, err := p.Plan(t.Context(), view.AsReceived, []capture.Seq{1}, 0)
	require.NoError(t, err)
	require.Equal(t, 1, plan.Scenario.Sends())
}

// What was made here is marked, has no verdict, and leads to what it was made from.
func TestWhatWasMadeHereLeadsToWhatItWasMadeFrom(t *testing.T) {
	t.Parallel()
	desk := story.New(func() time.Time { return noon })
	r := &capture.Request{
		Kind: capture.Delivery, Endpoint: "default", At: noon, URL: "http://x/", Method: "POST", Head: capture.NewHead("POST", "/"), Provider: "stripe",
		Signature: capture.Signature{Status: capture.Valid}, Events: []capture.Event{{Type: "invoice.paid", Object: "in_1"}}, Answered: 200,
	}
	desk.Add(r, replay.Standing{})
	made, err := capture.EditOf(r).Make()
	require.NoError(t, err)
	ids, err := desk.Make(t.Context(), []*capture.Request{made})
	require.NoError(t, err)
	clock := clockAt(noon)
	d, err := view.LoadDetail(t.Context(), desk, clock, ids[0])
	require.NoError(t, err)
	require.Equal(t, &view.Link{Seq: 1, Text: "#1 invoice.paid"}, d.From)
	require.Equal(t, []view.Mark{{Tone: view.Busy, Text: "made here", Sign: view.SignMade}}, d.Marks)
	require.Contains(t, d.Sentences[0], "Made here from #1 invoice.paid")
	require.Contains(t, d.Sentences[2], "only goes out when you send it")
	require.Contains(t, d.Signature.Reason, "made here")
	d, err = view.LoadDetail(t.Context(), desk, clock, r.ID)
	require.NoError(t, err)
	require.Nil(t, d.From)
	require.Equal(t, []view.Link{{Seq: 2, Text: "#2 invoice.paid"}}, d.Made)
}
