// Package reorder is a list whose rows are put in order by hand: dragged, with
// a ghost at the pointer and a bar where they would go, or moved with Alt and
// the arrow keys. The order itself is the pure [Move].
package reorder

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/ui/look"
)

// An Item is a row. ID tells it from all others.
type Item struct {
	ID     int64
	Mark   look.Mark
	Text   string
	More   string // after Text, muted
	Badges []look.Badge
}

// A List is the widget. It changes the order of its items itself and then calls
// OnChange; to add, copy or delete is up to the owner, who answers with SetItems.
type List struct {
	widget.BaseWidget
	OnChange    func(order []int64)     // the ids, in their new order
	OnDelete    func(ids []int64)       // Delete
	OnDuplicate func(ids []int64)       // D
	OnSelect    func()                  // the selection changed
	OnActivate  func(id int64)          // Enter or a double click
	Chip        func(n int) string      // names what is dragged when it is several: "3 requests"
	Mods        func() fyne.KeyModifier // keys held down; nil asks the desktop
	items       []Item
	selected    map[int64]bool
	cursor      int
	anchor      int
	offset      float32
	focused     bool
	armed       int // row that was pressed, or -1
	dragging    bool
	pointer     fyne.Position
	gap         int // the index before which a drop would go
}

// New makes a list.
func New(items ...Item) *List {
	l := &List{items: items, selected: map[int64]bool{}, armed: -1}
	l.ExtendBaseWidget(l)
	return l
}

// SetItems shows other items. A selected one that is still there stays selected.
func (l *List) SetItems(items ...Item) {
	cursor := int64(-1)
	if l.cursor < len(l.items) {
		cursor = l.items[l.cursor].ID
	}
	l.items = items
	there := map[int64]bool{}
	for i, it := range items {
		if l.selected[it.ID] {
			there[it.ID] = true
		}
		if it.ID == cursor {
			l.cursor = i
		}
	}
	changed := len(there) != len(l.selected)
	l.selected = there
	l.cursor = max(0, min(l.cursor, len(items)-1))
	l.anchor = l.cursor
	l.dragging, l.armed = false, -1
	l.scroll(0)
	if changed {
		l.told()
	}
}

// Items are the items in their order.
func (l *List) Items() []Item { return slices.Clone(l.items) }

// Order is the ids of the items in their order.
func (l *List) Order() []int64 { return ids(l.items) }

// Selected is the ids of the selected items, in their order.
func (l *List) Selected() []int64 {
	return ids(slices.DeleteFunc(slices.Clone(l.items), func(it Item) bool { return !l.selected[it.ID] }))
}

// Select selects these items alone.
func (l *List) Select(which ...int64) {
	l.selected = map[int64]bool{}
	for i, it := range l.items {
		if slices.Contains(which, it.ID) {
			if len(l.selected) == 0 {
				l.cursor, l.anchor = i, i
			}
			l.selected[it.ID] = true
		}
	}
	l.reveal()
	l.told()
}

func ids(items []Item) []int64 {
	out := make([]int64, len(items))
	for i, it := range items {
		out[i] = it.ID
	}
	return out
}

func (l *List) chosen(i int) bool { return l.selected[l.items[i].ID] }

func (l *List) told() {
	l.Refresh()
	if l.OnSelect != nil {
		l.OnSelect()
	}
}

// Pick selects as a click on row i with these keys held does.
func (l *List) Pick(i int, held fyne.KeyModifier) {
	if len(l.items) == 0 {
		return
	}
	i = max(0, min(len(l.items)-1, i))
	switch id := l.items[i].ID; {
	case held&fyne.KeyModifierShift != 0:
		l.selected = map[int64]bool{}
		for k := min(l.anchor, i); k <= max(l.anchor, i); k++ {
			l.selected[l.items[k].ID] = true
		}
	case held&fyne.KeyModifierShortcutDefault != 0:
		if l.selected[id] {
			delete(l.selected, id)
		} else {
			l.selected[id] = true
		}
		l.anchor = i
	default:
		l.selected = map[int64]bool{id: true}
		l.anchor = i
	}
	l.cursor = i
	l.reveal()
	l.told()
}

// Nudge moves the selected items one place up (-1) or down (1).
func (l *List) Nudge(by int) {
	if to, ok := step(len(l.items), l.chosen, by); ok {
		l.move(to)
	}
}

// move puts the selected items before row to.
func (l *List) move(to int) {
	next := Move(l.items, l.chosen, to)
	same := slices.Equal(ids(next), ids(l.items))
	if l.cursor < len(l.items) {
		at := l.items[l.cursor].ID
		l.cursor = max(0, slices.IndexFunc(next, func(it Item) bool { return it.ID == at }))
		l.anchor = l.cursor
	}
	l.items = next
	l.reveal()
	l.Refresh()
	if !same && l.OnChange != nil {
		l.OnChange(l.Order())
	}
}

func (l *List) height() float32 { return look.RowHeight() + 4 }

func (l *List) reveal() {
	h := l.height()
	y := float32(l.cursor) * h
	if y < l.offset {
		l.offset = y
	} else if y+h > l.offset+l.Size().Height {
		l.offset = y + h - l.Size().Height
	}
	l.offset = max(0, l.offset)
}

func (l *List) scroll(dy float32) {
	l.offset = max(0, min(l.offset+dy, float32(len(l.items))*l.height()-l.Size().Height))
	l.Refresh()
}
