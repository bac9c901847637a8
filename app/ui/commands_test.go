package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/grid"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
)

// Pressed with nothing selected, these once said nothing at all.
func TestACommandThatMakesNoSenseNowSaysWhatItLacks(t *testing.T) {
	s := open(t, story.Day(now))
	s.desk.Set(func(st *view.Status) { st.PublicURL = "" })
	s.until("the window knows", func() bool { return s.last.PublicURL == "" })
	for _, c := range view.Commands {
		if c.Needs == view.Nothing {
			continue
		}
		s.press(c.ID)
		said := s.frame.Said()[0]
		require.True(t, strings.HasPrefix(said, c.Title()+": "), said)
	}
	s.press("at-once")
	require.Equal(t, "Twice at once: Select a request first.", s.frame.Said()[0])
	require.Empty(t, s.desk.Sent())
	s.selectBack(3)
	s.press("reverse")
	require.Equal(t, "Reverse: Select two requests or more first, with Shift or Ctrl.", s.frame.Said()[0])
	require.Equal(t, "Select two requests or more first, with Shift or Ctrl.", s.inbox.actions.buttons["reverse"].Tip)
	s.selectBack(3, 2)
	s.press("curl")
	require.Equal(t, "Copy as curl: Select a single request first.", s.frame.Said()[0])
	require.Contains(t, s.inbox.actions.buttons["reverse"].Tip, "Ctrl+B")
}

func TestMenusShowWhatMakesSenseNow(t *testing.T) {
	s := open(t, story.Day(now))
	off := func() map[string]bool {
		out := map[string]bool{}
		for _, m := range s.win.MainMenu().Items {
			for _, i := range m.Items {
				out[i.Label] = i.Disabled
			}
		}
		return out
	}
	require.True(t, off()["Twice"])
	require.True(t, off()["Cancel the run"])
	require.False(t, off()["Send a sample…"])
	s.selectBack(3)
	require.False(t, off()["Twice"])
	require.True(t, off()["Reverse"])
	s.selectBack(3, 2)
	require.False(t, off()["Reverse"])
	require.True(t, off()["Copy as curl"])
}

func TestTheHelpHasEveryCommandWithItsKey(t *testing.T) {
	s := open(t, story.Day(now))
	for _, lang := range []string{"en", "zh-TW"} {
		s.setLanguage(lang)
		s.press("help")
		require.Equal(t, "help", s.screen)
		table := tableIn(s.center)
		listed := map[string]string{}
		for i := range table.Source.Len() {
			listed[cellText(table, i, 1)] = cellText(table, i, 2)
		}
		require.Len(t, listed, len(view.Commands))
		for _, c := range view.Commands {
			require.Equal(t, c.Key.String(), listed[c.Title()], c.ID)
		}
		require.Contains(t, s.words(), text.T("settings.version", "0.1.0"))
		require.Contains(t, s.words(), "https://anyhook.net")
	}
	require.Contains(t, s.changelog(), "繁體中文", "what is new is told in the language in use")
	s.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Equal(t, "inbox", s.screen)
}

func TestEnterInTheHelpCarriesTheCommandOut(t *testing.T) {
	s := open(t, story.Day(now))
	s.press("help")
	table := tableIn(s.center)
	for i := range table.Source.Len() {
		if cellText(table, i, 1) == "Settings" {
			table.OnActivate(table.Source.Key(i))
		}
	}
	require.Equal(t, "settings", s.screen)
}

func TestThePaletteListsWhatMakesNoSenseNowLastAndSaysWhy(t *testing.T) {
	s := open(t, story.Day(now))
	s.press("palette")
	test.Type(s.win.Canvas().Focused(), "twice at")
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Equal(t, "Twice at once: Select a request first.", s.frame.Said()[0])
}

func TestTheInboxIsClearedAndBroughtBack(t *testing.T) {
	s := open(t, story.Day(now))
	all := s.inbox.model.Len()
	s.selectBack(3)
	s.press("clear")
	require.Zero(t, s.inbox.model.Len())
	require.Zero(t, s.inbox.table.Count())
	require.Contains(t, s.words(), "The inbox was cleared")
	s.press("clear")
	require.Equal(t, "The inbox is empty already.", s.frame.Said()[0])
	s.sendSample("stripe", "invoice.paid")
	s.until("what arrives is shown", func() bool { return s.inbox.model.Len() == 1 })
	s.press("unclear")
	s.until("all are back", func() bool { return s.inbox.model.Len() == all+1 })
	require.Equal(t, "Show what was cleared: Nothing was cleared away.", func() string { s.press("unclear"); return s.frame.Said()[0] }())
}

// cellText is the text of a cell.
func cellText(t *grid.Table, row, column int) string {
	cells := make([]grid.Cell, len(t.Columns()))
	t.Source.Row(row, cells)
	return cells[column].Text
}
