package session

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/plan"
	"anyhook.net/desktop/replay/run"
)

// script is a scenario of the requests as A, B, C in the notation.
func script(t *testing.T, text string, rs ...*capture.Request) replay.Scenario {
	t.Helper()
	ids := map[string]capture.ID{}
	for i, r := range rs {
		ids[replay.Label(i)] = r.ID
	}
	waves, err := replay.ParseWaves(text, func(label string) (capture.ID, bool) { id, ok := ids[label]; return id, ok })
	require.NoError(t, err)
	return replay.Scenario{Name: text, Seed: 7, Speed: 1000, Waves: waves}
}

func TestAScenarioIsKeptAndCarriedOutAgain(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t)
	rs := d.added(2, time.Now())
	sc := script(t, "B~10s..20s A!fresh A? B?", rs...)
	sc.Waves[1][0].Signing = replay.AsReceived // there is no secret
	require.NoError(t, d.SaveScenario(t.Context(), "", sc))
	require.Error(t, d.SaveScenario(t.Context(), "", sc), "there is one of that name")
	require.Error(t, d.SaveScenario(t.Context(), "", replay.Scenario{Name: "empty", Waves: []replay.Wave{{}}}))
	kept, err := d.Scenarios(t.Context())
	require.NoError(t, err)
	require.Equal(t, []replay.Scenario{sc}, kept)

	for range 2 {
		got, err := d.Replay(t.Context(), kept[0], h.url, nil)
		require.NoError(t, err)
		require.Equal(t, []int{2, 2, 2}, []int{got.Sent, got.OK, got.Spared})
	}
	require.Equal(t, []string{"1", "0", "1", "0"}, bodies(h.all()))
	runs, err := d.PastRuns(t.Context(), 9)
	require.NoError(t, err)
	require.Len(t, runs, 2)
	require.Equal(t, sc, runs[0].Scenario)
	as, err := d.RunAttempts(t.Context(), runs[0].ID)
	require.NoError(t, err)
	require.Len(t, as, 2)
	require.NoError(t, d.DeleteScenario(t.Context(), sc.Name))
	kept, err = d.Scenarios(t.Context())
	require.NoError(t, err)
	require.Empty(t, kept)
}

// The state of the handler is what counts where its answers look well.
func TestAGreenAnswerDoesNotHideThatNothingWasDone(t *testing.T) {
	t.Parallel()
	state := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"done":0,"marked":true}`))
	}))
	t.Cleanup(state.Close)
	marked := false
	h := handle(t, func(heard) string {
		if !marked {
			marked = true
			return strings.Replace(ok200, "200 OK", "500 Internal Server Error", 1)
		}
		return ok200 // it sees its mark, and does nothing
	})
	d := begin(t)
	sc := script(t, "A A?", d.added(1, time.Now())...)
	sc.Hold = []replay.Expect{{URL: state.URL + "/state", JQ: ".done == 1"}, {URL: state.URL + "/state", Text: "marked"}}
	got, err := d.Replay(t.Context(), sc, h.url, nil)
	require.NoError(t, err)
	require.Equal(t, []int{2, 1, 1}, []int{got.Sent, got.OK, got.Failed})
	require.False(t, got.Holds())
	require.Equal(t, []replay.Held{
		{Got: `{"done":0,"marked":true}`, Why: ".done == 1 is false"}, {Got: `{"done":0,"marked":true}`},
	}, got.Held)
	runs, err := d.PastRuns(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, got.Held, runs[0].Held)
}

func TestNobodyLooksAtAnotherMachineUnasked(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	look := func(d *desk, url string) replay.Held {
		sc := script(t, "A", d.added(1, time.Now())...)
		sc.Hold = []replay.Expect{{URL: url}}
		got, err := d.Replay(t.Context(), sc, h.url, nil)
		require.NoError(t, err)
		return got.Held[0]
	}
	d := begin(t)
	require.Contains(t, look(d, "http://192.0.2.1/state").Why, "192.0.2.1")
	require.Contains(t, look(d, "http://192.0.2.1/state").Why, replay.SaysUnconfirmed)
	require.Contains(t, look(d, d.localURL+"/state").Why, replay.SaysOwnPort)
	require.False(t, d.confirmed("http://192.0.2.1/state"))
	require.NoError(t, d.SaveEndpoint(t.Context(), "", capture.Endpoint{Name: "far", Path: "/far", Target: "http://192.0.2.1:3000/x", AwayOK: true}))
	require.True(t, d.confirmed("http://192.0.2.1/state"))
	require.False(t, d.confirmed("http://192.0.2.2/state"))
}

func TestAScenarioThatCannotBeCarriedOutSendsNothing(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t)
	r := d.added(1, time.Now())[0]
	_, err := d.Replay(t.Context(), script(t, "A A!kill", r), h.url, nil)
	require.ErrorIs(t, err, run.ErrNoCommand)
	sc := script(t, "A", r)
	sc.Hold = []replay.Expect{{URL: h.url, JQ: ".a |"}}
	_, err = d.Replay(t.Context(), sc, h.url, nil)
	require.ErrorContains(t, err, "expectation 1: jq: ")
	sc.Hold = nil
	sc.Waves[0][0].Signing = "sideways"
	_, err = d.Replay(t.Context(), sc, h.url, nil)
	require.ErrorContains(t, err, "sideways")
	require.Empty(t, h.all())
	runs, err := d.PastRuns(t.Context(), 9)
	require.NoError(t, err)
	require.Empty(t, runs)
}

// What a stopped run did not get to is sent later, with the waits that it would have had.
func TestAStoppedScenarioGoesOnWithItsWaits(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t)
	rs := d.added(3, time.Now())
	sc := script(t, "A B C A? B~1s..50s?", rs...)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	got, err := d.Replay(ctx, sc, h.url, func(r replay.Run) {
		if r.Sent == 1 {
			stop()
		}
	})
	require.NoError(t, err)
	require.Equal(t, replay.Stopped, got.Err)
	as, err := d.RunAttempts(t.Context(), got.ID)
	require.NoError(t, err)
	rest := plan.Rest(got.Scenario, got.Done, as...)
	again := d.replayed(rest, h.url)
	require.Equal(t, rest.Sends(), again.OK+again.Spared)
	sent := bodies(h.all())
	require.Equal(t, []string{"0", "1", "2"}, sent[len(sent)-3:], "nothing is missing, and a retry is spared")
}
