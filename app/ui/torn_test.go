package ui

import (
	"encoding/json"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view/story"
)

func TestADetailInItsOwnWindowStaysWithItsRequest(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(3)
	s.press("tear")
	require.Len(t, s.torn, 1)
	own := s.torn[0]
	s.until("it is shown", func() bool { return own.detail.shown != nil && own.detail.shown.Request.Seq == s.back(3) })
	s.selectBack(8)
	require.Equal(t, s.back(3), own.detail.seq)
	test.Tap(own.detail.buttons["signature"])
	require.Equal(t, "signature", own.detail.tab)
	require.NotEqual(t, "signature", s.inbox.detail.tab, "each has its own tab")
	s.press("language")
	s.until("it speaks Chinese, too", func() bool { return own.detail.shown != nil && own.detail.buttons["body"].Text == "主體" })
	require.Equal(t, "signature", own.detail.tab)
	own.win.Close()
	require.Empty(t, s.torn)
}

func TestTwoAttemptsStandSideBySide(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(1)
	s.press("compare")
	require.Equal(t, []string{"There are not two attempts to compare yet"}, s.frame.Said())
	s.press("twice")
	s.until("there are two", func() bool { return len(s.inbox.detail.shown.Attempts) == 2 })
	s.press("compare")
	require.Equal(t, 2, s.inbox.detail.sends.table.Count())
	require.Contains(t, s.words(), "Status line")
	require.Contains(t, strings.ReplaceAll(s.words(), "\n", " "), "Content-Type application/json application/json")
}

func TestPathAndValueOfJSONAreCopiedFromTheBody(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(3)
	s.press("tab.body")
	s.until("it is shown", func() bool { return s.inbox.detail.bodies.json != nil })
	s.press("copy-path")
	s.until("the path is copied", func() bool { return fyne.CurrentApp().Clipboard().Content() == "$" })
	s.inbox.detail.bodies.code.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	for range 4 {
		s.inbox.detail.bodies.code.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	}
	s.press("copy-path")
	s.until("the path is copied", func() bool { return strings.HasPrefix(fyne.CurrentApp().Clipboard().Content(), "$.") })
	path := fyne.CurrentApp().Clipboard().Content()
	s.press("copy-value")
	s.until("the value is copied", func() bool { return fyne.CurrentApp().Clipboard().Content() != path })
	require.True(t, json.Valid([]byte(fyne.CurrentApp().Clipboard().Content())))
}
