// Package grid is a table for any number of rows: only the visible ones exist.
//
// A row has a key, which is what is selected: when rows come or go, the
// selection, the cursor and what is in sight stay with their rows. The table
// goes along with new rows only while it shows the newest.
//
// A position is a row and the pixels of it that are scrolled away. Pixels from
// the first row would not do: float32 cannot tell row 430,000 from the next.
package grid

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/ui/look"
)

// A Source has the rows. All its methods have to be fast, for they are called
// while drawing; call [Table.Changed] whenever they would answer differently.
type Source interface {
	Len() int
	// Key tells row i, 0 ≤ i < Len, from all others, for as long as it is there.
	Key(i int) int64
	// Row fills cells, which come empty, one for each column. It returns false
	// while the row is still being fetched.
	Row(i int, cells []Cell) bool
}

// A Cell is what one column shows of one row: from left to right mark, text,
// more, badges. What has no room ends in ….
type Cell struct {
	Mark   look.Mark
	Text   string
	Tone   look.Tone // of Text
	Bold   bool
	More   string // after Text, muted
	Badges []look.Badge
}

// A Table is the widget. Set its fields before it is shown.
type Table struct {
	widget.BaseWidget
	Source     Source
	NewestLast bool              // the newest row is the last, not the first
	Empty      fyne.CanvasObject // shown while there are no rows; may be nil

	OnSelect   func()                  // the selection changed
	OnPick     func()                  // a row was picked by hand, also if the selection is as before
	OnEscape   func() bool             // hears Escape before the selection does, and reports whether it had a use for it
	OnActivate func(key int64)         // Enter or a double click
	OnMenu     func(at fyne.Position)  // a menu for the selection is wanted, at a place in the window
	OnCopy     func()                  // Ctrl+C
	OnDelete   func()                  // Delete
	OnHeader   func(column string)     // a click on a header; set Column.Order and SetColumns
	OnWidths   func()                  // a width was changed by hand; see Widths
	Mods       func() fyne.KeyModifier // keys held down; nil asks the desktop

	columns []Column
	widths  []float32 // as drawn

	n        int // rows, as of the last Changed
	at       place
	selected set
	cursor   int  // row, or -1
	anchor   int  // the other end of a range
	keys     held // what the rows at, cursor and anchor were
	hover    int  // row under the pointer, or -1
	rowH     float32
	focused  bool

	header *header
	body   *body
	bar    *bar
	empty  *fyne.Container
}

// held are the keys by which rows are found again.
type held struct{ first, last, top, cursor, anchor int64 }

// New makes a table.
func New(s Source, columns ...Column) *Table {
	t := &Table{Source: s, columns: columns, hover: -1, cursor: -1, anchor: -1}
	t.header = &header{t: t, drag: -1, over: -1}
	t.header.ExtendBaseWidget(t.header)
	t.body = &body{t: t}
	t.body.ExtendBaseWidget(t.body)
	t.bar = &bar{t: t}
	t.bar.ExtendBaseWidget(t.bar)
	t.empty = container.NewStack()
	t.ExtendBaseWidget(t)
	t.Changed()
	return t
}

// Columns are the columns as they were given.
func (t *Table) Columns() []Column { return t.columns }

// SetColumns replaces them.
func (t *Table) SetColumns(columns ...Column) {
	t.columns = columns
	t.Refresh()
}

// Widths are the widths of the columns by their ids, to be kept for the next start.
func (t *Table) Widths() map[string]float32 {
	out := map[string]float32{}
	for _, c := range t.columns {
		out[c.ID] = c.Width
	}
	return out
}

// SetWidths applies what [Table.Widths] returned; unknown ids do nothing.
func (t *Table) SetWidths(w map[string]float32) {
	for i, c := range t.columns {
		if width, ok := w[c.ID]; ok {
			t.columns[i].Width = max(c.least(), width)
		}
	}
	t.Refresh()
}

// InSight is the range of rows that is shown, from first up to but without end.
func (t *Table) InSight() (first, end int) {
	return t.at.row, min(t.n, t.at.row+int(t.body.Size().Height/t.height())+2)
}

func (t *Table) height() float32 {
	if t.rowH == 0 {
		t.rowH = look.RowHeight()
	}
	return t.rowH
}

// CreateRenderer implements fyne.Widget.
func (t *Table) CreateRenderer() fyne.WidgetRenderer {
	return &tableRenderer{t: t, objs: []fyne.CanvasObject{t.body, t.header, t.bar, t.empty}}
}

type tableRenderer struct {
	t    *Table
	objs []fyne.CanvasObject
}

func (r *tableRenderer) MinSize() fyne.Size           { return fyne.NewSize(160, 100) }
func (r *tableRenderer) Objects() []fyne.CanvasObject { return r.objs }
func (r *tableRenderer) Destroy()                     {}

func (r *tableRenderer) Layout(s fyne.Size) {
	t, h := r.t, r.t.height()
	follow := t.NewestLast && t.AtNewest()
	s = s.Max(fyne.NewSize(barWidth, h)) // also where a window has no room at all
	t.widths = arrange(grown(t.columns), s.Width-barWidth)
	t.header.Resize(fyne.NewSize(s.Width, h))
	t.body.Move(fyne.NewPos(0, h))
	t.body.Resize(fyne.NewSize(s.Width, s.Height-h))
	t.bar.Move(fyne.NewPos(s.Width-barWidth, h))
	t.bar.Resize(fyne.NewSize(barWidth, s.Height-h))
	t.empty.Move(fyne.NewPos(0, h))
	t.empty.Resize(fyne.NewSize(s.Width, s.Height-h))
	t.moveTo(t.at)
	if follow {
		t.ToNewest()
	}
	t.draw()
}

func (r *tableRenderer) Refresh() {
	r.t.rowH = 0 // the text may have another size now
	r.Layout(r.t.Size())
}

// draw shows the current state in all parts.
func (t *Table) draw() {
	t.empty.Objects = nil
	if t.n == 0 && t.Empty != nil {
		t.empty.Objects = []fyne.CanvasObject{t.Empty}
	}
	t.empty.Refresh()
	t.header.Refresh()
	t.body.Refresh()
	t.bar.Refresh()
}
