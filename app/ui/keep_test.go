package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
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
