package grid

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
)

func TestATableWithoutRoomDrawsNothingAndLives(t *testing.T) {
	test.NewTempApp(t)
	for _, size := range []fyne.Size{{}, fyne.NewSize(-40, -200), fyne.NewSize(300, 10), fyne.NewSize(3, 300)} {
		for _, n := range []int{0, 1, 1000} {
			table := New(descending(n), Column{ID: "a", Width: 80}, Column{ID: "b", Width: 80}, Column{ID: "c", Width: 80, Weight: 1})
			test.NewTempWindow(t, table)
			table.Resize(size)
			table.ScrollBy(50)
			table.body.Resize(size)
			table.body.Refresh()
			table.bar.Resize(size)
			table.ScrollTo(n - 1)
			table.Resize(fyne.NewSize(300, 200))
			require.Equal(t, n > 0, len(table.body.r.objs) > 1, "and draws when there is room")
		}
	}
}

// A badge that has no room for its word still says with its symbol what it is.
func TestBadgesKeepTheirSymbolsWhereRoomIsShort(t *testing.T) {
	test.NewTempApp(t)
	v := &cellView{pills: []*look.Pill{look.NewPill(), look.NewPill()}}
	all := []look.Badge{look.Replayed("replayed 12×"), look.Late("late")}
	require.Less(t, v.badges(all, false), v.badges(all, true)/2)
	require.Equal(t, "late", all[1].Word, "the badges themselves stay as they are")
}

func TestTheLastOfAMillionRowsIsReachedExactly(t *testing.T) {
	tb, w := show(t, descending(1_000_000), small)
	w.Canvas().Focus(tb)
	tb.keysTyped(fyne.KeyEnd)
	require.Equal(t, []int64{1}, tb.Selected())
	bottom := float32(999_999-tb.at.row+1)*tb.height() - tb.at.frac
	require.InDelta(t, tb.body.Size().Height, bottom, 0.01)
	before := tb.at
	tb.ScrollBy(-1)
	require.InDelta(t, -1, float32(tb.at.row-before.row)*tb.height()+tb.at.frac-before.frac, 0.01, "one pixel is one pixel")
	tb.TypedShortcut(&fyne.ShortcutSelectAll{})
	require.Equal(t, 1_000_000, tb.Count())
}

func TestScrollBarIsDraggedToBothEnds(t *testing.T) {
	tb, _ := show(t, descending(1_000_000), small)
	height := tb.bar.Size().Height
	tb.bar.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(3, 5)}})
	require.Zero(t, tb.at, "to take hold is not to move")
	tb.bar.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(3, height*2)}})
	_, end := tb.InSight()
	require.Equal(t, 1_000_000, end)
	tb.bar.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(3, -10)}})
	require.Zero(t, tb.at)
	tb.bar.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(3, height/2)}})
	require.InDelta(t, 500_000, tb.at.row, 1000)
	y, _ := tb.bar.thumb()
	require.InDelta(t, height/2-14, y, 1)
}

func TestWheelAndHover(t *testing.T) {
	tb, w := show(t, descending(1000), small)
	test.Scroll(w.Canvas(), fyne.NewPos(50, 100), 0, -300)
	require.Equal(t, int(300/tb.height()), tb.at.row)
	test.MoveMouse(w.Canvas(), fyne.NewPos(50, 100))
	require.Equal(t, tb.body.rowAt(100-tb.height()), tb.hover)
	test.MoveMouse(w.Canvas(), fyne.NewPos(50, 5))
	require.Equal(t, -1, tb.hover)
}

func TestEmptyTableShowsWhatToDo(t *testing.T) {
	src := &rows{}
	tb, w := show(t, src, small)
	tapped := 0
	tb.Empty = widget.NewButton("Send a sample", func() { tapped++ })
	tb.Changed()
	test.TapCanvas(w.Canvas(), fyne.NewPos(200, 150))
	require.Equal(t, 1, tapped)
	tb.keysTyped(fyne.KeyDown, fyne.KeyEnd, fyne.KeyReturn, fyne.KeySpace, desktop.KeyMenu)
	src.keys = []int64{1}
	tb.Changed()
	test.TapCanvas(w.Canvas(), fyne.NewPos(200, 150))
	require.Equal(t, 1, tapped)
}
