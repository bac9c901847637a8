package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
)

func TestTheWindowIsAsItWasLeft(t *testing.T) {
	d := story.Day(now)
	s := open(t, d)
	high := look.RowHeight()
	s.press("density")
	require.Less(t, look.RowHeight(), high)
	s.inbox.split.SetOffset(0.45)
	s.inbox.table.SetWidths(map[string]float32{"time": 140})
	s.inbox.table.OnWidths()
	s.press("times")
	s.Close()

	s = open(t, d)
	require.Less(t, look.RowHeight(), high)
	require.InDelta(t, 0.45, s.inbox.split.Offset, 0.001)
	require.InDelta(t, 140, s.inbox.table.Widths()["time"], 0.1)
	require.Equal(t, "UTC", s.clock.Mode.Name())
	s.press("density")
	require.InDelta(t, high, look.RowHeight(), 0.1)
	s.press("endpoints")
	s.splits["endpoints.split"].SetOffset(0.3)
	s.press("inbox")
	s.press("endpoints")
	require.InDelta(t, 0.3, s.splits["endpoints.split"].Offset, 0.001)
	require.NotEqual(t, fyne.Size{}, s.splits["endpoints.split"].Size())
	text.Use("en")
}

func TestAFilterIsSavedUsedAndForgotten(t *testing.T) {
	d := story.Day(now)
	s := open(t, d)
	s.press("save-filter")
	require.Equal(t, []string{"Set a filter first: there is nothing to save"}, s.frame.Said())
	s.inbox.filters.set(view.Chips{Provider: "stripe"})
	s.press("save-filter")
	require.Contains(t, s.words(), "It is offered under")
	test.Tap(s.button("Save"))
	s.Close()

	s = open(t, d)
	s.press("filters")
	require.Positive(t, s.height("Stripe"))
	s.inbox.filters.set(view.SavedFilters(s.pref("filters"))[0].Chips)
	require.Equal(t, view.Chips{Provider: "stripe"}, s.inbox.filters.chips)
	s.forgetFilter(view.SavedFilters(s.pref("filters"))[0])
	require.Empty(t, view.SavedFilters(s.pref("filters")))
	test.Tap(s.button("Undo"))
	require.Len(t, view.SavedFilters(s.pref("filters")), 1, "and back")
}
