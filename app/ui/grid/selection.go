package grid

import (
	"slices"

	"fyne.io/fyne/v2"
)

// A set is keys, ascending: a million of them are 8 MB, and cheap to look into.
type set []int64

func (s set) has(key int64) bool {
	_, ok := slices.BinarySearch(s, key)
	return ok
}

// toggled is s with key, if it was without, or the other way around.
func (s set) toggled(key int64) set {
	i, ok := slices.BinarySearch(s, key)
	if ok {
		return slices.Delete(slices.Clone(s), i, i+1)
	}
	return slices.Insert(slices.Clone(s), i, key)
}

// span is the keys of the rows from a to b, whichever comes first.
func (t *Table) span(a, b int) set {
	a, b = min(a, b), max(a, b)
	s := make(set, 0, b-a+1)
	for i := a; i <= b; i++ {
		s = append(s, t.Source.Key(i))
	}
	slices.Sort(s)
	return slices.Compact(s)
}

// Selected are the keys of the selected rows, ascending. All of them are rows
// that are there.
func (t *Table) Selected() []int64 { return slices.Clone(t.selected) }

// Count is how many rows are selected.
func (t *Table) Count() int { return len(t.selected) }

// Cursor is the key of the row with the focus ring, which the arrow keys move.
func (t *Table) Cursor() (key int64, ok bool) { return t.keys.cursor, t.cursor >= 0 }

// Select selects the rows with these keys, as far as they are there, and shows
// the first of them.
func (t *Table) Select(keys ...int64) {
	want, first := set(slices.Compact(slices.Sorted(slices.Values(keys)))), -1
	var s set
	for i := 0; i < t.n && len(s) < len(want); i++ {
		if k := t.Source.Key(i); want.has(k) {
			s = append(s, k)
			if first < 0 {
				first = i
			}
		}
	}
	slices.Sort(s)
	if first >= 0 {
		t.cursor, t.anchor = first, first
		t.ScrollTo(first)
	}
	t.choose(s)
}

// SelectAll selects every row.
func (t *Table) SelectAll() {
	if t.n > 0 {
		t.choose(t.span(0, t.n-1))
	}
}

// Pick selects as a click on a row with these keys held does: it alone; with
// Shift all from the last one picked; with Ctrl it as well, or no more.
func (t *Table) Pick(row int, held fyne.KeyModifier) {
	if t.n == 0 {
		return
	}
	row = max(0, min(t.n-1, row))
	if t.anchor < 0 {
		t.anchor = row
	}
	t.cursor = row
	var s set
	switch {
	case held&fyne.KeyModifierShift != 0:
		s = t.span(t.anchor, row)
	case held&fyne.KeyModifierShortcutDefault != 0:
		s = t.selected.toggled(t.Source.Key(row))
		t.anchor = row
	default:
		s = set{t.Source.Key(row)}
		t.anchor = row
	}
	t.ScrollTo(row)
	t.choose(s)
	if t.OnPick != nil {
		t.OnPick()
	}
}

func (t *Table) choose(s set) {
	changed := !slices.Equal(s, t.selected)
	t.selected = s
	t.keep()
	t.body.Refresh()
	if changed && t.OnSelect != nil {
		t.OnSelect()
	}
}

// keep remembers which rows the numbers stand for.
func (t *Table) keep() {
	key := func(i int) int64 {
		if i >= 0 && i < t.n && i < t.Source.Len() {
			return t.Source.Key(i)
		}
		return 0
	}
	t.keys = held{key(0), key(t.n - 1), key(t.at.row), key(t.cursor), key(t.anchor)}
}

// Changed has to be called after rows came, went or changed.
func (t *Table) Changed() {
	follow, before := t.AtNewest(), len(t.selected)
	old, n := t.n, t.Source.Len()
	shift, sure := t.shifted(old, n)
	t.n = n
	if sure {
		t.at.row += shift
		t.cursor, t.anchor = moveIf(t.cursor, shift), moveIf(t.anchor, shift)
	} else {
		t.find()
	}
	if t.hover >= n {
		t.hover = -1
	}
	t.moveTo(t.at)
	if follow {
		t.ToNewest()
	}
	t.draw()
	if len(t.selected) != before && t.OnSelect != nil {
		t.OnSelect()
	}
}

func moveIf(i, by int) int {
	if i < 0 {
		return i
	}
	return i + by
}

// shifted says by how many rows all old rows moved, if that is all that
// happened to the rows that matter.
func (t *Table) shifted(old, n int) (by int, sure bool) {
	if old == 0 || n < old {
		return 0, false
	}
	key := t.Source.Key
	switch {
	case key(0) == t.keys.first && key(old-1) == t.keys.last:
	case key(n-old) == t.keys.first && key(n-1) == t.keys.last:
		by = n - old
	default:
		return 0, false
	}
	same := func(i int, was int64) bool { return i < 0 || i >= old || key(i+by) == was }
	one := len(t.selected) == 0 || len(t.selected) == 1 && t.cursor >= 0 && t.selected[0] == t.keys.cursor
	return by, one && same(t.at.row, t.keys.top) && same(t.cursor, t.keys.cursor) && same(t.anchor, t.keys.anchor)
}

// find looks for the rows that matter among all, and forgets those that went.
func (t *Table) find() {
	was, top, cursor, anchor := t.keys, -1, -1, -1
	kept := make(set, 0, len(t.selected))
	for i := range t.n {
		k := t.Source.Key(i)
		if k == was.top && top < 0 {
			top = i
		}
		if k == was.cursor && t.cursor >= 0 {
			cursor = i
		}
		if k == was.anchor && t.anchor >= 0 {
			anchor = i
		}
		if len(t.selected) > 0 && t.selected.has(k) {
			kept = append(kept, k)
		}
	}
	slices.Sort(kept)
	t.selected, t.cursor, t.anchor = kept, cursor, anchor
	if top >= 0 {
		t.at.row = top
	}
}
