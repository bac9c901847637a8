package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
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

// The names of facts and fields stand in a column, so that their values do.
func TestNamesLeaveTheirValuesInOneColumn(t *testing.T) {
	open(t, story.New(now))
	t.Cleanup(func() { text.Use("en") })
	for _, l := range text.Langs() {
		text.Use(l.Tag)
		for _, key := range []string{
			"fact.id", "fact.arrived", "fact.url", "fact.peer", "fact.endpoint", "fact.body", "fact.framing", "fact.key", "fact.group", "fact.occurred", "fact.try", "fact.dedupe", "fact.note",
			"signature.fact.scheme", "signature.fact.header", "signature.fact.secret", "signature.fact.at", "signature.fact.age", "signature.fact.hashed", "signature.fact.url", "signature.fact.now",
			"settings.data", "settings.size", "settings.secrets", "settings.listen", "settings.maxbody", "tunnel.url.public", "tunnel.url.local", "deliveries.target",
		} {
			require.LessOrEqual(t, widget.NewLabel(text.T(key)).MinSize().Width, float32(128), "%s in %s: %s", key, l.Name, text.T(key))
		}
		for _, key := range []string{
			"endpoint.name", "endpoint.path", "column.provider", "endpoint.target.url", "endpoint.timeout", "endpoint.parallel", "endpoint.deadline", "endpoint.fixed.status",
			"endpoint.fixed.body", "endpoint.fixed.delay", "endpoint.fixed.times", "range.from", "range.to", "copies.count", "settings.language", "settings.theme", "settings.scale", "settings.density", "settings.times",
		} {
			require.LessOrEqual(t, widget.NewLabel(text.T(key)).MinSize().Width, float32(150), "%s in %s: %s", key, l.Name, text.T(key))
		}
	}
}
