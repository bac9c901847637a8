package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// failing adds a request whose only attempt failed.
func failing(d *story.Desk) capture.Seq {
	d.Add(&capture.Request{Kind: capture.Delivery, Endpoint: "stripe", At: noon, Provider: "stripe", Answered: 200, URL: "http://x/stripe"},
		replay.Standing{Progress: replay.GaveUp, Tries: 1, Attempts: 1, Status: 500},
		replay.Attempt{Target: "http://localhost:3000", Start: noon, Took: 1, Outcome: replay.Outcome{Status: 500}})
	return d.Status().Requests
}

// take has a request delivered, as somebody else would.
func (s *stage) take(seq capture.Seq) {
	s.t.Helper()
	sums, err := s.desk.Summaries(s.t.Context(), []capture.Seq{seq})
	require.NoError(s.t, err)
	_, err = s.desk.Replay(s.t.Context(), replay.Scenario{Waves: []replay.Wave{{{Request: sums[0].ID}}}}, "", func(replay.Run) {})
	require.NoError(s.t, err)
}

// What is failed was counted when the panel opened; some of it may have been
// taken until the button is pressed.
func TestReplayAllFailedLooksAgainWhenItIsPressed(t *testing.T) {
	d := story.New(now)
	taken, still := failing(d), failing(d)
	s := open(t, d)
	s.press("failed")
	s.until("it is counted", func() bool { return strings.Contains(s.words(), "2 requests whose last attempt failed") })
	s.take(taken)
	later := failing(d) // nobody was told of it
	test.Tap(s.button("Replay these"))
	s.until("it was sent", func() bool { return len(d.Sent()) == 2 && !s.inbox.runs.running() })
	require.Greater(t, later, still)
	sums, err := d.Summaries(t.Context(), []capture.Seq{still})
	require.NoError(t, err)
	require.Equal(t, []replay.Wave{{{Request: sums[0].ID}}}, d.Sent()[1].Waves, "neither what was taken meanwhile nor what was not counted")
}

func TestReplayAllFailedSaysWhenNothingIsLeft(t *testing.T) {
	d := story.New(now)
	seq := failing(d)
	s := open(t, d)
	s.press("failed")
	s.until("it is counted", func() bool { return strings.Contains(s.words(), "1 request whose last attempt failed") })
	s.take(seq)
	test.Tap(s.button("Replay these"))
	s.until("it says so", func() bool { return len(s.frame.Said()) > 0 })
	require.Equal(t, "Nothing is left to replay: all was taken meanwhile.", s.frame.Said()[0])
	require.Len(t, d.Sent(), 1, "and sends nothing")
}
