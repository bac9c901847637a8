// Package codeview shows bodies and headers: any size, at once, for only what
// is in sight is laid out.
//
// What is shown is what is there. Every byte has its place: a character that
// cannot be seen or would turn the text around is shown as <U+202E>, a byte
// that is not UTF-8 as \xFF, and both are copied as the bytes that they are.
// Everything is written from left to right, one character after another, so
// that no text can pretend to be another.
//
// Text stands in cells of one width; ideographs and emoji take two.
package codeview

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/ui/look"
)

// lineLimit is the longest row where lines are not wrapped: a picture of more
// text in one piece would be too wide to draw.
const lineLimit = 2000

// A View is the widget. It keeps the bytes it is given, which must not change.
type View struct {
	widget.BaseWidget
	OnMenu  func(at fyne.Position)  // a menu for the place of the caret is wanted
	OnFound func()                  // Found would answer differently now
	Mods    func() fyne.KeyModifier // keys held down; nil asks the desktop

	rows  *index
	make  func(limit int) maker // makes it again for another width
	wrap  bool
	limit int

	top      int
	frac     float32
	left     float32
	widest   int // cells of the widest row seen
	caret    spot
	mark     spot // the other end of the selection
	cell     fyne.Size
	textSize float32
	digits   int // of line numbers
	focused  bool
	drag     int // what is being dragged
	grip     float32
	find     find
	marked   map[int]bool // lines, by their numbers
	folds    map[int]fold // of JSON, by the offsets of their brackets; nil for what has none
}

// A spot is between two characters.
type spot struct{ row, col int }

// New makes a view of nothing.
func New() *View {
	v := &View{}
	v.ShowText(nil)
	v.ExtendBaseWidget(v)
	return v
}

// ShowText shows b line by line.
func (v *View) ShowText(b []byte) {
	v.show(func(limit int) maker { return plainMaker{b: b, limit: limit} })
}

// ShowHead shows a request line and header fields as they came.
func (v *View) ShowHead(b []byte) {
	v.show(func(limit int) maker { return plainMaker{b: b, limit: limit, head: true} })
}

// ShowJSON shows b indented. It need not be JSON: nothing of it is lost, and
// no number, string, repeated key or order changes.
func (v *View) ShowJSON(b []byte) {
	folds := map[int]fold{}
	v.show(func(limit int) maker {
		m := newJSON(b, limit)
		m.folds = folds
		return m
	})
	v.folds = folds
	v.Refresh()
}

// ShowHex shows the bytes of b as numbers.
func (v *View) ShowHex(b []byte) {
	v.show(func(int) maker { return hexMaker{b} })
}

func (v *View) show(m func(limit int) maker) {
	v.make = m
	v.count()
	v.limit = v.fitting()
	v.rows = newIndex(m(v.limit))
	v.top, v.frac, v.left, v.widest = 0, 0, 0, 0
	v.caret, v.mark, v.marked, v.folds = spot{}, spot{}, nil, nil
	v.search()
	v.Refresh()
}

// Mark marks lines, by their numbers from 1, until something else is shown.
func (v *View) Mark(lines map[int]bool) {
	v.marked = lines
	v.Refresh()
}

// SetWrap says whether lines that are too long go on in the next row, or
// reach out of sight to the right.
func (v *View) SetWrap(wrap bool) {
	v.wrap = wrap
	v.refit()
}

// Wrap says whether long lines are wrapped.
func (v *View) Wrap() bool { return v.wrap }

// fitting is how many cells a row may have.
func (v *View) fitting() int {
	if !v.wrap {
		return lineLimit
	}
	v.metrics()
	return max(20, int((v.Size().Width-v.gutter()-barWidth-2)/v.cell.Width))
}

// refit makes the rows again if another number of cells fits now. What is at
// the top stays there; the selection goes, for its rows do.
func (v *View) refit() {
	limit := v.fitting()
	if limit == v.limit {
		return
	}
	off := 0
	if r, ok := v.rows.at(v.top); ok {
		off = r.off
	}
	v.limit = limit
	v.rows = newIndex(v.make(limit))
	v.top, v.frac, v.left, v.widest = v.rows.rowOf(off), 0, 0, 0
	v.caret, v.mark = spot{v.top, 0}, spot{v.top, 0}
	v.Refresh()
}

func (v *View) metrics() {
	if size := look.Size(theme.SizeNameText); v.cell.Width == 0 || size != v.textSize {
		m := look.Text("MMMMMMMMMM", size, fyne.TextStyle{Monospace: true})
		v.cell, v.textSize = fyne.NewSize(m.Width/10, float32(math.Ceil(float64(m.Height)))+3), size
	}
}

// count guesses from the first rows how many digits line numbers will have.
// There is room for one more, so that the text need not move later.
func (v *View) count() {
	first := newIndex(v.make(lineLimit))
	first.grow(200, 0)
	lines := float64(first.end.line)
	if !first.done {
		lines *= float64(len(first.maker.source())) / float64(max(1, first.end.off))
	}
	v.digits = 3
	for n := 1000.0; n <= lines; n *= 10 {
		v.digits++
	}
	if !first.maker.numbered() {
		v.digits = -2
	}
}

// gutter is the room for line numbers.
func (v *View) gutter() float32 { return float32(v.digits+3) * v.cell.Width }

// page is how many rows are in sight as a whole.
func (v *View) page() int {
	v.metrics()
	return max(1, int(v.Size().Height/v.cell.Height))
}

// scrollTo makes row the top one, and frac pixels of it are above; as far as
// there are rows to fill the view.
func (v *View) scrollTo(row int, frac float32) {
	v.metrics()
	h := v.cell.Height
	whole := float32(math.Floor(float64(frac / h)))
	row, frac = row+int(whole), frac-whole*h
	if row < 0 {
		row, frac = 0, 0
	}
	height := v.Size().Height
	v.rows.grow(row+int(height/h)+2, 0)
	if v.rows.done {
		rows := height / h
		last, part := v.rows.n-int(math.Ceil(float64(rows))), float32(math.Ceil(float64(rows))-float64(rows))*h
		if last < 0 {
			last, part = 0, 0
		}
		if row > last || row == last && frac > part {
			row, frac = last, part
		}
	}
	v.top, v.frac = row, frac
}

// ScrollBy moves the view.
func (v *View) ScrollBy(dx, dy float32) {
	v.scrollTo(v.top, v.frac+dy)
	v.left = max(0, min(v.left+dx, float32(v.widest+2)*v.cell.Width+v.gutter()+barWidth-v.Size().Width))
	v.Refresh()
}

// reveal scrolls no further than needed for s to be in sight.
func (v *View) reveal(s spot) {
	v.metrics()
	switch n := v.page(); {
	case s.row < v.top || s.row == v.top && v.frac > 0:
		v.scrollTo(s.row, 0)
	case s.row >= v.top+n:
		v.scrollTo(s.row+1, -v.Size().Height)
	}
	x, room := float32(s.col)*v.cell.Width, v.Size().Width-v.gutter()-barWidth-2*v.cell.Width
	v.widest = max(v.widest, s.col)
	if x < v.left {
		v.left = max(0, x-room/4)
	} else if x > v.left+room {
		v.left = x - room*3/4
	}
}

// MinSize implements fyne.Widget.
func (v *View) MinSize() fyne.Size { return fyne.NewSize(120, 60) }

// Resize implements fyne.CanvasObject.
func (v *View) Resize(s fyne.Size) {
	v.BaseWidget.Resize(s)
	v.refit()
	v.scrollTo(v.top, v.frac)
	v.Refresh()
}
