package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/doctor"
	"anyhook.net/desktop/replay"
)

func TestACommandWithoutASelectionDoesNothing(t *testing.T) {
	s := open(t, story.Day(now))
	s.press("twice")
	s.rest()
	require.Empty(t, s.desk.Sent())
}

func TestDetailsTellWhatHappened(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(3)
	require.Contains(t, s.words(), "Stripe sent invoice.paid about in_1QkAvYB7kZ2m")
	for tab, want := range map[string]string{"tab.signature": "Signed by a holder of the secret", "tab.headers": "Added by the tunnel", "tab.deliveries": "Answer"} {
		s.press(tab)
		s.until(tab, func() bool { return strings.Contains(s.words(), want) })
	}
	s.selectBack(8)
	s.press("tab.signature")
	s.until("why it failed", func() bool { return strings.Contains(s.words(), "No secret gives this signature") })
	require.Nil(t, s.buttonOrNil("Edit the endpoint"), "the endpoint does not mend a body that was written anew")

	s.desk.Finding = doctor.Finding{Cause: doctor.SecretSpace, Secret: 1, Status: capture.Valid}
	s.selectBack(7)
	s.selectBack(8)
	s.press("tab.signature")
	s.until("that the endpoint mends it", func() bool { return s.buttonOrNil("Edit the endpoint") != nil })
	test.Tap(s.button("Edit the endpoint"))
	s.until("the endpoint is open", func() bool { return s.screen == "endpoints" && strings.Contains(s.words(), "Signing secrets") })
}

func TestADetailFollowsWhatBecomesOfItsRequest(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(1)
	s.press("tab.deliveries")
	require.Contains(t, s.words(), "Nothing was sent")
	s.press("replay")
	s.until("the attempt is shown", func() bool { return len(s.inbox.detail.shown.Attempts) == 1 })
}

func TestSelectionStaysWhenMoreArrives(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(3, 5)
	before := s.inbox.table.Selected()
	for range 50 {
		require.NoError(t, s.desk.SendSample(t.Context(), "github", "push"))
	}
	s.until("all are there", func() bool { return s.inbox.model.Len() == int(s.desk.Status().Requests) })
	s.rest()
	require.Equal(t, before, s.inbox.table.Selected())
}

func TestAnyBodyOpensBesideTheWindow(t *testing.T) {
	for _, size := range []int{1 << 10, 100 << 10, 1 << 20, 25 << 20} {
		for _, body := range map[string]string{
			"one line":   `{"a":"` + strings.Repeat("x", size) + `"}`,
			"many lines": "[" + strings.TrimSuffix(strings.Repeat("{\"n\": 1152921506151679042},\n", size/28+1), ",\n") + "]",
		} {
			d := story.New(now)
			d.Add(&capture.Request{Kind: capture.Delivery, Endpoint: "default", At: noon, URL: "http://x/", Method: "POST", Body: []byte(body), Head: capture.NewHead("POST", "/")}, replay.Standing{})
			s := open(t, d)
			s.selectBack(0)
			var jobs []func()
			s.o.Run = func(job func()) { jobs = append(jobs, job) }
			s.press("tab.body")
			require.Contains(t, s.words(), "Reading…", "what is slow is not done on the goroutine that draws")
			s.o.Run = func(job func()) { go job() }
			for _, job := range jobs {
				go job()
			}
			s.until("it is shown", func() bool {
				return s.inbox.detail.bodies.as == view.Pretty && len(s.inbox.detail.bodies.content.Objects) == 1
			})
			s.Close()
		}
	}
}

func TestADetailSeesTheEndOfWhatIsUnderWay(t *testing.T) {
	d := story.Day(now)
	id := capture.ID("req_under_way")
	d.Add(&capture.Request{ID: id, Kind: capture.Delivery, Endpoint: "default", At: noon, URL: "http://x/", Method: "POST", Head: capture.NewHead("POST", "/")},
		replay.Standing{Progress: replay.Delivered, Attempts: 2, Status: 200}, replay.Attempt{Outcome: replay.Outcome{Status: 200}}, replay.Attempt{Replay: true})
	s := open(t, d)
	s.selectBack(0)
	require.True(t, s.inbox.detail.underWay())
	d.End(id) // its row looks as before
	s.until("the end is shown", func() bool { return !s.inbox.detail.underWay() })
}

func TestTwoAttemptsAreComparedWithWhatDiffersMarked(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(3)
	s.press("compare")
	s.until("they are beside each other", func() bool { return strings.Contains(s.words(), "Status line") })
	require.Contains(t, s.words(), "≠ Body")
	require.NotContains(t, s.words(), "≠ Time")
}
