package grid

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
)

// rows is a source: its keys in the order of the rows.
type rows struct{ keys []int64 }

func (r *rows) Len() int        { return len(r.keys) }
func (r *rows) Key(i int) int64 { return r.keys[i] }
func (r *rows) Row(i int, c []Cell) bool {
	if r.keys[i] == 13 { // is still being fetched
		return false
	}
	c[0] = Cell{Text: fmt.Sprint(r.keys[i])}
	c[1] = Cell{Mark: look.MarkOf("stripe"), Text: "stripe"}
	c[2] = Cell{Text: "invoice.paid", More: "in_1Q", Badges: []look.Badge{look.Again("2nd")}}
	return true
}

// descending is n rows, newest first; its keys are n to 1.
func descending(n int) *rows {
	r := &rows{make([]int64, n)}
	for i := range r.keys {
		r.keys[i] = int64(n - i)
	}
	return r
}

func show(t testing.TB, s Source, size fyne.Size) (*Table, fyne.Window) {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.NewTheme(look.Light))
	tb := New(s, Column{ID: "n", Title: "#", Width: 60, Right: true}, Column{ID: "provider", Title: "Provider", Width: 100},
		Column{ID: "type", Title: "Type", Width: 80, Weight: 1})
	w := test.NewTempWindow(t, tb)
	w.SetPadded(false)
	w.Resize(size)
	return tb, w
}

var small = fyne.NewSize(400, 300)

func (t *Table) press(row int, button desktop.MouseButton, held fyne.KeyModifier) {
	y := float32(row-t.at.row)*t.height() - t.at.frac + 3
	t.body.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(20, y)}, Button: button, Modifier: held})
}

func (t *Table) keysTyped(names ...fyne.KeyName) {
	for _, n := range names {
		t.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

func TestPointerSelectsAsEverywhere(t *testing.T) {
	tb, w := show(t, descending(1000), small)
	const ctrl, shift = fyne.KeyModifierShortcutDefault, fyne.KeyModifierShift
	tb.press(1, desktop.MouseButtonPrimary, 0)
	require.Equal(t, []int64{999}, tb.Selected())
	require.Equal(t, fyne.Focusable(tb), w.Canvas().Focused())
	tb.press(3, desktop.MouseButtonPrimary, shift)
	require.Equal(t, []int64{997, 998, 999}, tb.Selected())
	tb.press(0, desktop.MouseButtonPrimary, shift)
	require.Equal(t, []int64{999, 1000}, tb.Selected(), "a range turns around where it began")
	tb.press(5, desktop.MouseButtonPrimary, ctrl)
	tb.press(0, desktop.MouseButtonPrimary, ctrl)
	require.Equal(t, []int64{995, 999}, tb.Selected())
	tb.press(5, desktop.MouseButtonSecondary, 0)
	require.Equal(t, []int64{995, 999}, tb.Selected(), "a menu is for all that is selected")
	tb.press(6, desktop.MouseButtonSecondary, 0)
	require.Equal(t, []int64{994}, tb.Selected())
}

func TestPointerOpensMenuAndActivates(t *testing.T) {
	tb, _ := show(t, descending(1000), small)
	var at fyne.Position
	active := int64(0)
	tb.OnMenu, tb.OnActivate = func(p fyne.Position) { at = p }, func(k int64) { active = k }
	y := tb.height()*2 + 5
	test.TapSecondaryAt(tb.body, fyne.NewPos(30, y))
	require.Equal(t, fyne.NewPos(30, y+tb.height()), at)
	tb.body.DoubleTapped(&fyne.PointEvent{Position: fyne.NewPos(30, y)})
	require.Equal(t, int64(998), active)
}

func TestKeysDoEverything(t *testing.T) {
	tb, w := show(t, descending(1000), small)
	w.Canvas().Focus(tb)
	held := fyne.KeyModifier(0)
	tb.Mods = func() fyne.KeyModifier { return held }
	tb.keysTyped(fyne.KeyDown, fyne.KeyDown)
	require.Equal(t, []int64{999}, tb.Selected())
	held = fyne.KeyModifierShift
	tb.keysTyped(fyne.KeyDown, fyne.KeyDown, fyne.KeyUp)
	require.Equal(t, []int64{998, 999}, tb.Selected())
	held = 0
	tb.keysTyped(fyne.KeyEnd)
	require.Equal(t, []int64{1}, tb.Selected())
	first, end := tb.InSight()
	require.Equal(t, 1000, end)
	require.Positive(t, first)
	tb.keysTyped(fyne.KeyPageUp)
	page := tb.Selected()[0] - 1
	require.InDelta(t, small.Height/tb.height(), page, 3)
	held = fyne.KeyModifierShift
	tb.keysTyped(fyne.KeyHome)
	require.Len(t, tb.Selected(), 1000-int(page))
	held = 0
	active, menus, deleted, copied := int64(0), 0, 0, 0
	tb.OnActivate, tb.OnMenu = func(k int64) { active = k }, func(fyne.Position) { menus++ }
	tb.OnDelete, tb.OnCopy = func() { deleted++ }, func() { copied++ }
	tb.keysTyped(fyne.KeyReturn, desktop.KeyMenu, fyne.KeyDelete)
	held = fyne.KeyModifierShift
	tb.keysTyped(fyne.KeyF10)
	held = 0
	tb.TypedShortcut(&fyne.ShortcutCopy{})
	require.Equal(t, []int{1000, 2, 1, 1}, []int{int(active), menus, deleted, copied})
	tb.TypedShortcut(&fyne.ShortcutSelectAll{})
	require.Equal(t, 1000, tb.Count())
	tb.keysTyped(fyne.KeyEscape)
	require.Zero(t, tb.Count())
	tb.keysTyped(fyne.KeySpace)
	require.Equal(t, []int64{1000}, tb.Selected())
}

func TestWhatTheTableHasNoUseForGoesToTheWindow(t *testing.T) {
	tb, w := show(t, descending(10), small)
	w.Canvas().Focus(tb)
	var got []string
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { got = append(got, string(e.Name)) })
	w.Canvas().SetOnTypedRune(func(r rune) { got = append(got, string(r)) })
	tb.keysTyped(fyne.KeyF5, fyne.KeyDelete, fyne.KeyDown)
	tb.TypedRune('r')
	require.Equal(t, []string{"F5", "Delete", "r"}, got)
}

func TestSelectionStaysWithItsRows(t *testing.T) {
	tests := []struct {
		name string
		then []int64
		want []int64
	}{
		{"rows come before", []int64{12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, []int64{7, 9}},
		{"rows come after", []int64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1}, []int64{7, 9}},
		{"rows come between", []int64{10, 9, 50, 8, 7, 6, 5, 4, 3, 2, 1}, []int64{7, 9}},
		{"a selected row goes", []int64{10, 8, 7, 6, 5, 4, 3, 2, 1}, []int64{7}},
		{"a selected row goes and another comes", []int64{10, 60, 8, 7, 6, 5, 4, 3, 2, 1}, []int64{7}},
		{"the order turns around", []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []int64{7, 9}},
		{"all go", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := descending(10)
			tb, _ := show(t, src, small)
			tb.Select(9, 7, 99)
			require.Equal(t, []int64{7, 9}, tb.Selected())
			src.keys = tt.then
			tb.Changed()
			require.ElementsMatch(t, tt.want, tb.Selected())
			if i := slices.Index(tt.then, 9); i >= 0 {
				require.Equal(t, i, tb.cursor)
			} else {
				require.Equal(t, -1, tb.cursor)
			}
		})
	}
}

func TestTableFollowsOnlyWhileItShowsTheNewest(t *testing.T) {
	for _, last := range []bool{false, true} {
		src := descending(500)
		if last {
			slices.Reverse(src.keys)
		}
		tb, _ := show(t, src, small)
		tb.NewestLast = last
		tb.ToNewest()
		add := func() {
			next := slices.Max(src.keys) + 1
			if last {
				src.keys = append(src.keys, next)
			} else {
				src.keys = slices.Insert(src.keys, 0, next)
			}
			tb.Changed()
		}
		newestSeen := func() bool {
			first, end := tb.InSight()
			return slices.Contains(src.keys[first:end], slices.Max(src.keys))
		}
		add()
		require.True(t, newestSeen())
		dy := float32(100)
		if last {
			dy = -dy
		}
		tb.ScrollBy(dy)
		at, top := tb.at, src.keys[tb.at.row]
		for range 100 {
			add()
		}
		require.Equal(t, top, src.keys[tb.at.row], "what is read stays where it is")
		require.InDelta(t, at.frac, tb.at.frac, 0)
		require.False(t, newestSeen())
		tb.ToNewest()
		add()
		require.True(t, newestSeen())
	}
}

// The model is the same table without cleverness: every change is a scan.
func TestManyChangesAgreeWithAModel(t *testing.T) {
	src := descending(30)
	tb, _ := show(t, src, small)
	rnd := rand.New(rand.NewPCG(1, 2))
	next, selected := int64(100), []int64{}
	for range 2000 {
		switch rnd.IntN(6) {
		case 0:
			src.keys = slices.Insert(src.keys, 0, next)
			next++
		case 1:
			src.keys = append(src.keys, next)
			next++
		case 2:
			if i := rnd.IntN(len(src.keys) + 1); i < len(src.keys) {
				src.keys = slices.Delete(src.keys, i, i+1)
			}
		case 3:
			i := rnd.IntN(len(src.keys) + 1)
			src.keys = slices.Insert(src.keys, i, next)
			next++
		case 4:
			if tb.n > 0 && rnd.IntN(2) == 0 {
				tb.Pick(rnd.IntN(tb.n), 0)
			} else if tb.n > 0 {
				tb.Pick(rnd.IntN(tb.n), fyne.KeyModifierShortcutDefault)
			}
			selected = tb.Selected()
		case 5:
			tb.ScrollBy(float32(rnd.IntN(400) - 200))
		}
		tb.Changed()
		selected = slices.DeleteFunc(selected, func(k int64) bool { return !slices.Contains(src.keys, k) })
		require.ElementsMatch(t, selected, tb.Selected())
		if key, ok := tb.Cursor(); ok {
			require.Equal(t, key, src.keys[tb.cursor])
		}
	}
}

func TestTableRendersAsItIsDescribed(t *testing.T) {
	tb, w := show(t, &rows{[]int64{14, 13, 12}}, fyne.NewSize(400, 140))
	tb.Select(12)
	test.AssertRendersToMarkup(t, "table.xml", w.Canvas())
}
