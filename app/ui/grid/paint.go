package grid

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"anyhook.net/desktop/app/ui/look"
)

const (
	pad      = 8 // left and right in a cell
	gap      = 6 // between the parts of a cell
	markSide = 16
)

// CreateRenderer implements fyne.Widget.
func (b *body) CreateRenderer() fyne.WidgetRenderer {
	b.r = &bodyRenderer{b: b, ring: canvas.NewRectangle(color.Transparent)}
	b.r.Refresh()
	return b.r
}

// bodyRenderer draws the rows in sight with objects that are used again: row i
// always with the same, so that a step of scrolling changes one row's alone.
type bodyRenderer struct {
	b     *body
	rows  []*rowView
	cells []Cell
	ring  *canvas.Rectangle
	objs  []fyne.CanvasObject
	paint brush
}

// brush is what one drawing needs of the theme, asked for once.
type brush struct {
	text, muted                      color.Color
	selected, hover, stripe, surface color.Color
	size                             float32
}

type rowView struct {
	row   int
	back  *canvas.Rectangle
	cells []*cellView
}

type cellView struct {
	text, more *fitted
	stamp      *look.Stamp
	pills      []*look.Pill
}

// fitted is a text that remembers how it was cut to fit.
type fitted struct {
	*canvas.Text
	whole string
	width float32
	used  float32 // what it needs of width
}

func newFitted() *fitted { return &fitted{Text: canvas.NewText("", color.Transparent)} }

func (f *fitted) fit(s string, width, size float32, style fyne.TextStyle) {
	if f.whole == s && f.width == width && f.TextSize == size && f.TextStyle == style {
		return
	}
	f.whole, f.width, f.TextSize, f.TextStyle = s, width, size, style
	f.Text.Text = look.Ellipsis(s, width, size, style)
	f.used = look.Text(f.Text.Text, size, style).Width
}

// IsClip makes the drivers cut off what reaches over the edge.
func (r *bodyRenderer) IsClip()                      {}
func (r *bodyRenderer) Layout(fyne.Size)             { r.Refresh() }
func (r *bodyRenderer) MinSize() fyne.Size           { return fyne.NewSize(10, 10) }
func (r *bodyRenderer) Objects() []fyne.CanvasObject { return r.objs }
func (r *bodyRenderer) Destroy()                     {}

// Refresh draws what is in sight.
func (r *bodyRenderer) Refresh() {
	t, size := r.b.t, r.b.Size()
	h := t.height()
	r.paint = brush{
		look.Color(theme.ColorNameForeground), look.Color(look.ColorMuted), look.Color(theme.ColorNameSelection), look.Color(look.ColorRowHover),
		look.Color(look.ColorStripe), look.Color(look.ColorSurface), look.Size(theme.SizeNameText),
	}
	need := int(max(0, size.Height)/h) + 2 // a window may give less than nothing while it opens
	if len(r.rows) != need {
		r.rows = make([]*rowView, need)
	}
	r.objs = r.objs[:0]
	r.ring.StrokeWidth = 0
	rows := min(t.n, t.Source.Len()) // it may have shrunk, and not told yet
	for i, y := t.at.row, -t.at.frac; i < rows && y < size.Height; i, y = i+1, y+h {
		v := r.rows[i%need]
		if v == nil || len(v.cells) != len(t.columns) {
			v = &rowView{back: canvas.NewRectangle(color.Transparent), cells: make([]*cellView, len(t.columns))}
			r.rows[i%need] = v
		}
		v.row = i
		r.drawRow(v, y, size.Width)
		if t.focused && i == t.cursor {
			r.ring.Move(fyne.NewPos(1, y+1))
			r.ring.Resize(fyne.NewSize(size.Width-2, h-2))
			r.ring.StrokeWidth = 1.5
		}
	}
	if t.focused && r.ring.StrokeWidth == 0 { // so that one sees where the keys go
		r.ring.Move(fyne.NewPos(1, 1))
		r.ring.Resize(size.SubtractWidthHeight(2, 2))
		r.ring.StrokeWidth = 1.5
	}
	r.ring.StrokeColor, r.ring.CornerRadius = look.Color(theme.ColorNamePrimary), 3
	r.objs = append(r.objs, r.ring)
	canvas.Refresh(r.b)
}

func (r *bodyRenderer) background(row int) color.Color {
	t := r.b.t
	switch {
	case len(t.selected) > 0 && t.selected.has(t.Source.Key(row)):
		return r.paint.selected
	case row == t.hover:
		return r.paint.hover
	case !t.NewestLast && (t.n-row)%2 == 0, t.NewestLast && row%2 == 1: // from the oldest row, so that stripes do not flicker when rows come
		return r.paint.stripe
	default:
		return r.paint.surface
	}
}

// repaint shows that the pointer came to or left a row.
func (r *bodyRenderer) repaint(row int) {
	for _, v := range r.rows {
		if v != nil && v.row == row && row >= 0 && row < min(r.b.t.n, r.b.t.Source.Len()) {
			v.back.FillColor = r.background(row)
			v.back.Refresh()
		}
	}
}

func (r *bodyRenderer) drawRow(v *rowView, y, width float32) {
	t := r.b.t
	r.cells = append(r.cells[:0], make([]Cell, len(t.columns))...)
	if !t.Source.Row(v.row, r.cells) && len(r.cells) > 0 {
		clear(r.cells)
		r.cells[0] = Cell{Text: "…", Tone: look.Muted}
	}
	v.back.FillColor = r.background(v.row)
	v.back.Move(fyne.NewPos(0, y))
	v.back.Resize(fyne.NewSize(width, t.height()))
	r.objs = append(r.objs, v.back)
	x := float32(0)
	for i := range t.columns {
		if x >= width || i >= len(t.widths) {
			break
		}
		if v.cells[i] == nil {
			v.cells[i] = &cellView{text: newFitted(), more: newFitted(), stamp: look.NewStamp()}
		}
		r.drawCell(v.cells[i], r.cells[i], t.columns[i], box{x + pad, y, t.widths[i] - 2*pad})
		x += t.widths[i]
	}
}

// leastMore is the room in which a cut text still says something.
const leastMore = 28

// badges sets the pills, with their words or with symbols alone, and returns the room they need.
func (v *cellView) badges(all []look.Badge, words bool) float32 {
	need := float32(0)
	for i, b := range all {
		if !words && b.Symbol != "" {
			b.Word = ""
		}
		v.pills[i].Set(b)
		need += v.pills[i].Size().Width + gap
	}
	return need
}

// box is the room that is left in a cell.
type box struct{ x, y, w float32 }

func (r *bodyRenderer) drawCell(v *cellView, c Cell, col Column, b box) {
	h := r.b.t.height()
	if c.Mark.Letters != "" && b.w >= markSide {
		r.objs = v.stamp.Place(r.objs, c.Mark, fyne.NewPos(b.x, b.y+(h-markSide)/2), markSide)
		b.x, b.w = b.x+markSide+gap, b.w-markSide-gap
	}
	for len(v.pills) < len(c.Badges) {
		v.pills = append(v.pills, look.NewPill())
	}
	badges, most := v.badges(c.Badges, true), b.w*0.7
	if c.Text == "" {
		most = b.w + gap
	}
	if badges > most { // their symbols say it, too
		badges = v.badges(c.Badges, false)
	}
	room := b.w - min(badges, b.w*0.7) // a text is more than its badges, but not without them
	if c.Text == "" {
		room = 0
	}
	v.text.fit(c.Text, room, r.paint.size, fyne.TextStyle{Bold: c.Bold, Monospace: col.Mono})
	v.text.Color = r.paint.text
	if c.Tone != look.Plain {
		v.text.Color = c.Tone.Color()
	}
	b = r.put(v.text, b, col.Right)
	if c.More != "" && b.w-badges > leastMore {
		v.more.fit(c.More, b.w-badges, r.paint.size, fyne.TextStyle{})
		v.more.Color = r.paint.muted
		b = r.put(v.more, b, false)
	}
	for i := range c.Badges {
		if w := v.pills[i].Size().Width; w <= b.w+1 {
			r.objs = v.pills[i].Place(r.objs, b.x, b.y, h)
			b.x, b.w = b.x+w+gap, b.w-w-gap
		}
	}
}

// put places a text at the left or right of b, and returns what is left.
func (r *bodyRenderer) put(f *fitted, b box, right bool) box {
	if f.Text.Text == "" {
		return b
	}
	x := b.x
	if right {
		x += b.w - f.used
	}
	f.Move(fyne.NewPos(x, b.y))
	f.Resize(fyne.NewSize(f.used, r.b.t.height()))
	r.objs = append(r.objs, f.Text)
	return box{b.x + f.used + gap, b.y, b.w - f.used - gap}
}
