package codeview

import (
	"fyne.io/fyne/v2"

	"anyhook.net/desktop/app/ui/look"
)

func ordered(a, b spot) (spot, spot) {
	if b.row < a.row || b.row == a.row && b.col < a.col {
		return b, a
	}
	return a, b
}

// at is the spot nearest to a place in the widget.
func (v *View) at(p fyne.Position) spot {
	v.metrics()
	i := v.top + int((max(0, p.Y)+v.frac)/v.cell.Height)
	v.rows.grow(i+1, 0)
	i = max(0, min(v.rows.n-1, i))
	return v.snap(spot{i, int((p.X-v.gutter()+v.left)/v.cell.Width + 0.5)})
}

// snap is the spot nearest to s that is not within a character.
func (v *View) snap(s spot) spot {
	r, ok := v.rows.at(s.row)
	if !ok {
		return spot{}
	}
	col := 0
	for _, sp := range v.rows.maker.spans(r) {
		n := bytesTo(sp.bytes, col, max(0, s.col))
		col += cellsIn(sp.bytes[:n], col)
		if n < len(sp.bytes) {
			break
		}
	}
	return spot{s.row, col}
}

// whole is a column beyond all.
const whole = 1 << 40

// take appends to out what row r shows between two columns.
func (v *View) take(out []byte, r row, from, to int) []byte {
	if from == 0 && to == whole {
		for _, sp := range v.rows.maker.spans(r) {
			out = append(out, sp.bytes...)
		}
		return out
	}
	col := 0
	for _, sp := range v.rows.maker.spans(r) {
		a, b := bytesTo(sp.bytes, col, from), bytesTo(sp.bytes, col, to)
		if b > a {
			out = append(out, sp.bytes[a:b]...)
		}
		if col += cellsIn(sp.bytes, col); col >= to {
			break
		}
	}
	return out
}

// Selected is what is selected: of text its very bytes, of JSON and numbers as
// they are shown.
func (v *View) Selected() []byte {
	a, b := ordered(v.mark, v.caret)
	if a == b {
		return nil
	}
	var out []byte
	v.rows.rows(a.row, func(i int, r row) bool {
		from, to := 0, whole
		if i == a.row {
			from = a.col
		}
		if i == b.row {
			to = b.col
		}
		out = v.take(out, r, from, to)
		if i < b.row {
			out = append(out, r.sep...)
		}
		return i < b.row
	})
	return out
}

// SelectAll selects everything.
func (v *View) SelectAll() {
	v.rows.all()
	v.mark, v.caret = spot{}, v.end()
	v.Refresh()
}

// end is the spot after the last character.
func (v *View) end() spot {
	v.rows.all()
	if r, ok := v.rows.at(v.rows.n - 1); ok {
		return spot{v.rows.n - 1, v.rows.cells(r)}
	}
	return spot{}
}

// Copy puts what is selected into the clipboard; nothing is selected, then
// nothing happens.
func (v *View) Copy() {
	if b := v.Selected(); len(b) > 0 {
		fyne.CurrentApp().Clipboard().SetContent(string(b))
	}
}

// word selects the token at s.
func (v *View) word(s spot) {
	r, ok := v.rows.at(s.row)
	if !ok {
		return
	}
	col := 0
	for _, sp := range v.rows.maker.spans(r) {
		n := cellsIn(sp.bytes, col)
		if s.col >= col && s.col < col+n {
			a, b := col, col+n
			if sp.kind == plain || sp.kind == text || sp.kind == key {
				a, b = wordIn(sp.bytes, col, s.col)
			}
			v.mark, v.caret = spot{s.row, a}, spot{s.row, b}
			break
		}
		col += n
	}
	v.Refresh()
}

// wordIn is the columns of the word around column at of b, which begins at col.
func wordIn(b []byte, col, at int) (from, to int) {
	from, to = at, at
	start, in := col, false
	for len(b) > 0 {
		size, cells, _ := unit(b, col)
		letter := b[0] >= 0x80 || b[0] == '_' || b[0] == '-' || b[0] >= '0' && b[0] <= '9' || b[0]|0x20 >= 'a' && b[0]|0x20 <= 'z'
		if letter && !in {
			start = col
		}
		if !letter && in && at < col {
			break
		}
		in = letter
		b, col = b[size:], col+cells
		if letter && start <= at {
			from, to = start, col
		}
	}
	if at >= to {
		return at, at + 1
	}
	return from, to
}

func (v *View) mods() fyne.KeyModifier {
	if v.Mods != nil {
		return v.Mods()
	}
	return look.Modifiers()
}

// move puts the caret at s; with extend the selection goes along.
func (v *View) move(s spot, extend bool) {
	v.rows.grow(s.row+1, 0)
	s.row = max(0, min(v.rows.n-1, s.row))
	v.caret = v.snap(s)
	if !extend {
		v.mark = v.caret
	}
	v.reveal(v.caret)
	v.Refresh()
}

// beside is the spot one character before or after s.
func (v *View) beside(s spot, by int) spot {
	for d := 1; d <= 8; d++ { // no character takes more than eight cells
		if next := v.snap(spot{s.row, s.col + by*d}); next.col != s.col && s.col+by*d >= 0 {
			return next
		}
	}
	if by < 0 && s.row > 0 {
		return v.snap(spot{s.row - 1, whole})
	}
	if v.rows.grow(s.row+2, 0); by > 0 && s.row+1 < v.rows.n {
		return spot{s.row + 1, 0}
	}
	return s
}
