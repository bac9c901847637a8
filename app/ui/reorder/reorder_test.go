package reorder

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
)

func show(t testing.TB, n int) (*List, fyne.Window) {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.NewTheme(look.Light))
	var items []Item
	for i := range n {
		items = append(items, Item{ID: int64(i), Mark: look.MarkOf("stripe"), Text: fmt.Sprintf("event %d", i), More: "in_1", Badges: []look.Badge{look.Again("2nd")}})
	}
	l := New(items...)
	w := test.NewTempWindow(t, l)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(300, l.height()*8))
	return l, w
}

func (l *List) press(row int, held fyne.KeyModifier) {
	l.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: l.middle(row)}, Button: desktop.MouseButtonPrimary, Modifier: held})
}

func (l *List) release(held fyne.KeyModifier) { l.MouseUp(&desktop.MouseEvent{Modifier: held}) }

func (l *List) middle(row int) fyne.Position {
	return fyne.NewPos(80, (float32(row)+0.5)*l.height()-l.offset)
}

func (l *List) over(y float32) {
	l.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(80, y)}})
}

func TestDragMovesTheWholeSelection(t *testing.T) {
	l, w := show(t, 7)
	var told [][]int64
	l.OnChange = func(order []int64) { told = append(told, order) }
	l.press(1, 0)
	l.release(0)
	l.press(4, fyne.KeyModifierShortcutDefault)
	l.release(fyne.KeyModifierShortcutDefault)
	l.press(4, 0)
	require.Equal(t, []int64{1, 4}, l.Selected(), "a press keeps what may be dragged")
	l.over(l.height() * 6)
	require.Equal(t, 6, l.gap)
	l.release(0)
	l.DragEnd()
	require.Equal(t, []int64{0, 2, 3, 5, 1, 4, 6}, l.Order())
	require.Equal(t, [][]int64{{0, 2, 3, 5, 1, 4, 6}}, told)
	require.Equal(t, []int64{1, 4}, l.Selected())
	l.press(4, 0)
	l.release(0)
	require.Equal(t, []int64{1}, l.Selected(), "a click without a drag selects it alone")
	require.Equal(t, fyne.Focusable(l), w.Canvas().Focused())
}

func TestEscapeCancelsADrag(t *testing.T) {
	l, _ := show(t, 7)
	l.OnChange = func([]int64) { t.Error("nothing changed") }
	l.press(1, 0)
	l.over(l.height() * 5)
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	l.over(l.height() * 4)
	l.DragEnd()
	l.press(2, 0)
	l.over(l.height()*2.4 + 1)
	l.DragEnd()
	require.Equal(t, []int64{0, 1, 2, 3, 4, 5, 6}, l.Order())
}

func TestDragScrollsAtTheEdges(t *testing.T) {
	l, _ := show(t, 100)
	l.press(0, 0)
	for range 300 {
		l.over(l.Size().Height - 2)
	}
	l.DragEnd()
	require.Equal(t, int64(0), l.Order()[99])
	l.press(99, 0)
	for range 300 {
		l.over(1)
	}
	l.DragEnd()
	require.Equal(t, int64(0), l.Order()[0])
	require.Zero(t, l.offset)
}

func TestKeysMoveTheSelection(t *testing.T) {
	l, w := show(t, 7)
	w.Canvas().Focus(l)
	held := fyne.KeyModifier(0)
	l.Mods = func() fyne.KeyModifier { return held }
	typed := func(names ...fyne.KeyName) {
		for _, n := range names {
			l.TypedKey(&fyne.KeyEvent{Name: n})
		}
	}
	alt := func(n fyne.KeyName) {
		l.TypedShortcut(&desktop.CustomShortcut{KeyName: n, Modifier: fyne.KeyModifierAlt})
	}
	typed(fyne.KeyDown, fyne.KeyDown, fyne.KeyDown)
	held = fyne.KeyModifierShift
	typed(fyne.KeyDown)
	held = 0
	require.Equal(t, []int64{2, 3}, l.Selected())
	alt(fyne.KeyUp)
	require.Equal(t, []int64{0, 2, 3, 1, 4, 5, 6}, l.Order())
	alt(fyne.KeyUp)
	alt(fyne.KeyUp)
	require.Equal(t, []int64{2, 3, 0, 1, 4, 5, 6}, l.Order())
	alt(fyne.KeyDown)
	require.Equal(t, []int64{0, 2, 3, 1, 4, 5, 6}, l.Order())
	require.Equal(t, 2, l.cursor, "the cursor goes along")
	typed(fyne.KeyEnd)
	require.Equal(t, []int64{6}, l.Selected())
	typed(fyne.KeyHome, fyne.KeySpace)
	require.Empty(t, l.Selected())
	l.TypedShortcut(&fyne.ShortcutSelectAll{})
	require.Len(t, l.Selected(), 7)
}

func TestDeleteAndDuplicateAskTheOwner(t *testing.T) {
	l, w := show(t, 5)
	w.Canvas().Focus(l)
	var deleted, doubled []int64
	active := int64(-1)
	l.OnDelete, l.OnDuplicate = func(ids []int64) { deleted = ids }, func(ids []int64) { doubled = ids }
	l.OnActivate = func(id int64) { active = id }
	l.Select(3, 1)
	l.TypedRune('d')
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Equal(t, []int64{1, 3}, doubled)
	require.Equal(t, []int64{1, 3}, deleted)
	require.Equal(t, int64(1), active)
	selected := 0
	l.OnSelect = func() { selected++ }
	l.SetItems(Item{ID: 0}, Item{ID: 3}, Item{ID: 9})
	require.Equal(t, []int64{3}, l.Selected())
	require.Equal(t, 1, selected)
	l.SetItems()
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	l.press(0, 0)
	l.over(10)
	l.DragEnd()
	require.Empty(t, l.Order())
}

func TestListRendersAsItIsDescribed(t *testing.T) {
	l, w := show(t, 3)
	w.Resize(fyne.NewSize(260, l.height()*3))
	l.press(1, 0)
	l.over(l.height() * 0.2)
	test.AssertRendersToMarkup(t, "list.xml", w.Canvas())
}

func BenchmarkDragStep(b *testing.B) {
	l, _ := show(b, 1000)
	l.press(1, 0)
	for b.Loop() {
		l.over(40)
	}
}
