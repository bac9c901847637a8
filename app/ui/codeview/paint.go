package codeview

import (
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"anyhook.net/desktop/app/ui/look"
)

// CreateRenderer implements fyne.Widget.
func (v *View) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{v: v}
	r.Refresh()
	return r
}

// renderer draws the rows in sight with objects that are used again.
type renderer struct {
	v     *View
	texts []*canvas.Text
	rects []*canvas.Rectangle
	nt    int
	nr    int
	objs  []fyne.CanvasObject
	ink   map[kind]color.Color
	odd   color.Color
}

// IsClip makes the drivers cut off what reaches over the edge.
func (r *renderer) IsClip()                      {}
func (r *renderer) Layout(fyne.Size)             { r.Refresh() }
func (r *renderer) MinSize() fyne.Size           { return fyne.NewSize(120, 60) }
func (r *renderer) Objects() []fyne.CanvasObject { return r.objs }
func (r *renderer) Destroy()                     {}

func (r *renderer) colors() {
	r.odd = look.Color(look.ColorEscape)
	r.ink = map[kind]color.Color{
		plain: look.Color(theme.ColorNameForeground), key: look.Color(look.ColorKey), text: look.Color(look.ColorString),
		number: look.Color(look.ColorNumber), word: look.Color(look.ColorWord), punct: look.Color(look.ColorPunct), faint: look.Color(look.ColorPunct),
	}
}

func (r *renderer) text(s string, x, y float32, c color.Color) {
	if r.nt == len(r.texts) {
		t := canvas.NewText("", color.Transparent)
		t.TextStyle.Monospace = true
		r.texts = append(r.texts, t)
	}
	t := r.texts[r.nt]
	r.nt++
	t.Text, t.Color, t.TextSize = s, c, r.v.textSize
	t.Move(fyne.NewPos(x, y))
	t.Resize(fyne.NewSize(1, r.v.cell.Height))
	r.objs = append(r.objs, t)
}

func (r *renderer) rect(x, y, w, h float32, c color.Color) *canvas.Rectangle {
	if r.nr == len(r.rects) {
		r.rects = append(r.rects, canvas.NewRectangle(color.Transparent))
	}
	o := r.rects[r.nr]
	r.nr++
	o.FillColor, o.StrokeWidth, o.CornerRadius = c, 0, 0
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
	r.objs = append(r.objs, o)
	return o
}

// Refresh draws what is in sight.
func (r *renderer) Refresh() {
	v, size := r.v, r.v.Size()
	v.metrics()
	r.colors()
	r.objs, r.nt, r.nr = r.objs[:0], 0, 0
	r.rect(0, 0, size.Width, size.Height, look.Color(look.ColorSurface))
	y := -v.frac
	v.rows.rows(v.top, func(i int, w row) bool {
		if y >= size.Height {
			return false
		}
		r.row(i, w, y)
		y += v.cell.Height
		return true
	})
	r.bars()
	if v.focused {
		ring := r.rect(1, 1, size.Width-2, size.Height-2, color.Transparent)
		ring.StrokeColor, ring.StrokeWidth, ring.CornerRadius = look.Color(theme.ColorNamePrimary), 1, 3
	}
	canvas.Refresh(v)
}

func (r *renderer) bars() {
	c, size := look.Color(theme.ColorNameScrollBar), r.v.Size()
	if y, length := r.v.thumbDown(); length > 0 {
		r.rect(size.Width-7, y+1, 5, length-2, c).CornerRadius = 2.5
	}
	if x, length := r.v.thumbAcross(); r.v.across() && length > 0 {
		r.rect(x+1, size.Height-7, length-2, 5, c).CornerRadius = 2.5
	}
}

// row draws row i at height y: what is behind the text, the text, and the
// gutter over both.
func (r *renderer) row(i int, w row, y float32) {
	v := r.v
	cw, ch, gutter := v.cell.Width, v.cell.Height, v.gutter()
	left := gutter - v.left
	spans := v.rows.maker.spans(w)
	if v.marked[w.line] {
		r.rect(0, y, v.Size().Width, ch, look.Color(look.ColorWarnSoft))
	}
	r.behind(i, w, spans, y)
	col := 0
	for _, s := range spans {
		col = r.span(s, col, left, y)
	}
	v.widest = max(v.widest, col)
	if v.focused && v.caret.row == i && v.caret == v.mark {
		r.rect(left+float32(v.caret.col)*cw, y+1, 1.5, ch-2, look.Color(theme.ColorNamePrimary))
	}
	if !v.rows.maker.numbered() {
		return
	}
	if v.left > 0 {
		r.rect(0, y, gutter-cw/2, ch, look.Color(look.ColorSurface))
	}
	if v.marked[w.line] && !w.cont {
		r.text("≠", cw/2, y, look.Color(look.ColorWarn))
	}
	if _, folded, ok := v.bracket(w); ok {
		sign := "▾"
		if folded {
			sign = "▸"
		}
		r.text(sign, gutter-1.5*cw, y, r.ink[faint])
	}
	if !w.cont {
		n := strconv.Itoa(w.line)
		r.text(n, gutter-cw*float32(len(n)+2), y, r.ink[faint])
	}
}

// behind draws the selection and what was found.
func (r *renderer) behind(i int, w row, spans []span, y float32) {
	v := r.v
	cw, ch := v.cell.Width, v.cell.Height
	left := v.gutter() - v.left
	if a, b := ordered(v.mark, v.caret); a != b && i >= a.row && i <= b.row {
		from, to := 0, 1
		for _, s := range spans {
			to += cellsIn(s.bytes, to-1)
		}
		if i == a.row {
			from = a.col
		}
		if i == b.row {
			to = b.col
		}
		if to > from {
			r.rect(left+float32(from)*cw, y, float32(to-from)*cw, ch, look.Color(theme.ColorNameSelection))
		}
	}
	for n := v.find.from(w.off); n < len(v.find.at) && v.find.at[n] < w.end; n++ {
		for _, c := range v.columns(w, v.find.at[n], v.find.at[n]+len(v.find.query)) {
			box := r.rect(left+float32(c.from)*cw, y+1, float32(c.to-c.from)*cw, ch-2, look.Color(look.ColorFound))
			box.CornerRadius = 2
			if n == v.find.here {
				box.FillColor, box.StrokeColor, box.StrokeWidth = look.Color(look.ColorFoundHere), look.Color(theme.ColorNamePrimary), 1
			}
		}
	}
}

// span draws s from column col on, as far as it is in sight, and returns the
// column after it. ASCII is drawn in one piece, everything else one by one, for
// only then each stands in its own cells.
func (r *renderer) span(s span, col int, left, y float32) int {
	cw, b := r.v.cell.Width, s.bytes
	first := int(r.v.left/cw) - 2
	last := first + int(r.v.Size().Width/cw) + 4
	for len(b) > 0 {
		n := ascii(b)
		if n > 0 && n < len(b) {
			if _, cells, _ := unit(b[n:], col+n); cells == 0 { // a mark stands on the last letter
				n--
			}
		}
		if n > 0 {
			from, to := max(0, min(n, first-col)), max(0, min(n, last-col))
			for from < to && b[from] == ' ' { // spaces at the edge are not as wide as a cell
				from++
			}
			if from < to {
				r.text(string(b[from:to]), left+float32(col+from)*cw, y, r.ink[s.kind])
			}
			b, col = b[n:], col+n
			continue
		}
		size, cells, odd := unit(b, col)
		n = size
		for marks := 0; !odd && n < len(b); marks++ { // what stands on it, but no tower
			more, none, bad := unit(b[n:], col+cells)
			if none != 0 || bad {
				break
			}
			if n += more; marks < 3 {
				size = n
			}
		}
		if x := left + float32(col)*cw; col+cells > first && col < last && b[0] != '\t' {
			if odd {
				r.rect(x+0.5, y+1, float32(cells)*cw-1, r.v.cell.Height-2, look.Color(look.ColorBadSoft)).CornerRadius = 3
				r.text(standIn(b), x, y, r.odd)
			} else {
				r.text(string(b[:size]), x, y, r.ink[s.kind])
			}
		}
		b, col = b[n:], col+cells
	}
	return col
}

// ascii is how many bytes of b from its start are printable ASCII.
func ascii(b []byte) int {
	for i, c := range b {
		if c < 0x20 || c >= 0x7f {
			return i
		}
	}
	return len(b)
}
