package ui

import (
	"context"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/tunnel"
)

func TestPanelsAreNoModalsAndEscapeClosesThem(t *testing.T) {
	s := open(t, story.Day(now))
	for _, id := range []string{"tunnel", "range", "failed", "import"} {
		s.press(id)
		require.NotNil(t, s.inbox.panel, id)
		require.Nil(t, s.win.Canvas().Overlays().Top(), id)
		s.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
		require.Nil(t, s.inbox.panel, id)
	}
}

func TestATimeRangeSaysWhatItWouldSend(t *testing.T) {
	s := open(t, story.Day(now))
	s.press("range")
	s.until("the count is there", func() bool { return strings.Contains(s.words(), "requests, oldest first") })
	require.Contains(t, s.words(), "11:00:07.000 UTC")
	test.Tap(s.button("Replay these"))
	s.until("they were sent", func() bool { return len(s.desk.Sent()) == 1 && !s.inbox.runs.running() })
}

func TestWhatLeavesThisMachineIsAskedOnceWithTheCount(t *testing.T) {
	d := story.Day(now)
	require.NoError(t, d.SaveEndpoint(t.Context(), "stripe", capture.Endpoint{Name: "stripe", Path: "/stripe", Provider: "stripe", Target: "https://staging.example.com/hook", AwayOK: true}))
	s := open(t, d)
	s.selectBack(3)
	s.press("twice")
	s.until("it asks", func() bool { return s.win.Canvas().Overlays().Top() != nil })
	require.Contains(t, s.words(), "2 deliveries go to another machine")
	require.Empty(t, d.Sent())
	test.Tap(s.button("Send"))
	s.until("it was sent", func() bool { return len(d.Sent()) == 1 })
}

func TestARunCanBeCancelled(t *testing.T) {
	d := story.Day(now)
	gate := make(chan struct{})
	d.Hold = func(ctx context.Context) {
		select {
		case <-gate:
		case <-ctx.Done():
		}
	}
	s := open(t, d)
	s.selectBack(0, 2, 3)
	s.press("replay")
	s.until("it runs", s.inbox.runs.running)
	gate <- struct{}{}
	s.until("one was sent", func() bool { return strings.Contains(s.words(), "1 of 3 sent") })
	s.press("cancel")
	s.until("it stopped", func() bool { return strings.Contains(s.words(), "1 of 3 sent · 1 taken · 0 failed · 2 not sent") })
}

func TestTheTunnelSaysWhatWentWrongAndTakesAToken(t *testing.T) {
	d := story.New(now)
	d.Set(func(s *view.Status) {
		s.Choice.Kind = "ngrok"
		s.Tunnel = tunnel.State{Phase: tunnel.Offline, Err: &tunnel.Error{Code: "ERR_NGROK_107", Msg: "authentication failed", Fatal: true, Advice: "token-invalid"}}
	})
	s := open(t, d)
	s.press("tunnel")
	require.Contains(t, s.words(), "ngrok does not know this authtoken")
	test.Tap(s.button("Use this"))
	require.Contains(t, s.words(), "Paste the authtoken first")
	for _, o := range test.LaidOutObjects(s.win.Content()) {
		if i, ok := o.(*look.Input); ok && i.PlaceHolder == "authtoken" {
			require.True(t, i.Password)
			i.SetText("2abc_secret")
		}
	}
	test.Tap(s.button("Use this"))
	s.until("the token is kept", func() bool { return d.Status().HasToken })
	require.NotContains(t, s.words(), "2abc_secret")
	test.Tap(s.button("Retry now"))
	require.Equal(t, 1, d.Calls("RetryTunnel"))
}

func TestThePublicURLIsTestedFromOutside(t *testing.T) {
	s := open(t, story.Day(now))
	s.press("tunnel")
	test.Tap(s.button("Test from outside"))
	s.until("it says so", func() bool { return strings.Contains(s.words(), "What is sent to the public URL arrives here.") })
	require.Equal(t, 1, s.desk.Calls("TestURL"))
	s.desk.Hold = func(ctx context.Context) { <-ctx.Done() }
	s.press("test-url")
	require.Contains(t, s.words(), "Asking for the public URL")
	test.Tap(s.button("Stop the test"))
	s.until("it stopped", func() bool { return strings.Contains(s.words(), "The test was stopped.") })
	s.desk.Hold, s.desk.Unreached = nil, &view.NotReached{URL: "https://x.example", LocalURL: "http://127.0.0.1:4080", Status: 404}
	s.press("test-url")
	s.until("it says why", func() bool {
		return strings.Contains(s.words(), "https://x.example answers 404, but what is sent there")
	})
}

func TestEndpointsAreEditedWithTheirMistakesNamed(t *testing.T) {
	s := open(t, story.Day(now))
	s.press("add-endpoint")
	s.until("the form is open", func() bool { return strings.Contains(s.words(), "Signing secrets") })
	require.True(t, s.button("Save").Disabled())
	for hint, value := range map[string]string{"": "linear", "/stripe": "/linear", "http://localhost:3000/webhooks": "https://example.com"} {
		s.fill(hint, value)
	}
	require.Contains(t, s.words(), "This is not your machine")
	s.fill("http://localhost:3000/webhooks", "4000/nothing")
	s.fill("http://localhost:3000/webhooks", "4000")
	require.False(t, s.button("Save").Disabled(), s.words())
	test.Tap(s.button("Save"))
	s.until("it is saved", func() bool {
		all, err := s.desk.Endpoints(t.Context())
		return err == nil && len(all) == 5 && all[4].Target == "http://localhost:4000"
	})
}

// fill writes into the first input with a hint.
func (s *stage) fill(hint, value string) {
	s.t.Helper()
	for _, o := range test.LaidOutObjects(s.win.Content()) {
		if i, ok := o.(*look.Input); ok && i.PlaceHolder == hint && i.Visible() {
			i.SetText(value)
			return
		}
	}
	s.t.Fatalf("there is no input %q", hint)
}

func TestTheFilterWaitsUntilTypingRests(t *testing.T) {
	s := open(t, story.Day(now))
	calls := s.desk.Calls("Match")
	for _, q := range []string{"i", "in", "invoice"} {
		s.inbox.filters.search.SetText(q)
	}
	s.until("it found", func() bool { return s.inbox.model.Len() == 2 })
	require.LessOrEqual(t, s.desk.Calls("Match")-calls, 3)
	s.press("clear-filter")
	s.until("all are back", func() bool { return s.inbox.model.Len() == int(s.desk.Status().Requests) })
}

func TestExportAndCurlWriteWhatIsSelected(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(3, 2)
	s.press("export")
	require.Contains(t, s.words(), "2 requests")
	dir := t.TempDir()
	for _, o := range test.LaidOutObjects(s.win.Content()) {
		if i, ok := o.(*look.Input); ok && strings.HasSuffix(i.Text, "anyhook-fixtures") {
			i.SetText(dir)
		}
	}
	test.Tap(s.button("Write the files"))
	s.until("they are written", func() bool { files, err := os.ReadDir(dir); return err == nil && len(files) == 2 })
	s.selectBack(3)
	s.press("curl")
	s.until("it is in the clipboard", func() bool {
		return strings.HasPrefix(fyne.CurrentApp().Clipboard().Content(), "# curl of req_")
	})
}
