package reorder

import (
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"anyhook.net/desktop/app/ui/look"
)

const (
	gripAt   = 10 // the six dots that say it can be dragged
	textAt   = 60
	markSide = 16
	gap      = 6
)

// CreateRenderer implements fyne.Widget.
func (l *List) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{l: l, bar: canvas.NewRectangle(color.Transparent), ghost: canvas.NewRectangle(color.Transparent), name: newText(), back: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type renderer struct {
	l           *List
	rows        []*rowView
	back        *canvas.Rectangle
	bar, ghost  *canvas.Rectangle
	name        *canvas.Text
	objs        []fyne.CanvasObject
	ink, muted  color.Color
	size, width float32
}

type rowView struct {
	back               *canvas.Rectangle
	dots               [6]*canvas.Circle
	number, text, more *canvas.Text
	stamp              *look.Stamp
	pills              []*look.Pill
}

func newText() *canvas.Text { return canvas.NewText("", color.Transparent) }

func newRow() *rowView {
	v := &rowView{back: canvas.NewRectangle(color.Transparent), number: newText(), text: newText(), more: newText(), stamp: look.NewStamp()}
	for i := range v.dots {
		v.dots[i] = canvas.NewCircle(color.Transparent)
	}
	return v
}

// IsClip makes the drivers cut off what reaches over the edge.
func (r *renderer) IsClip()                      {}
func (r *renderer) Destroy()                     {}
func (r *renderer) Layout(fyne.Size)             { r.Refresh() }
func (r *renderer) Objects() []fyne.CanvasObject { return r.objs }
func (r *renderer) MinSize() fyne.Size           { return fyne.NewSize(200, 3*r.l.height()) }

// Refresh draws the rows in sight.
func (r *renderer) Refresh() {
	l, h := r.l, r.l.height()
	size := l.Size()
	r.ink, r.muted, r.size, r.width = look.Color(theme.ColorNameForeground), look.Color(look.ColorMuted), look.Size(theme.SizeNameText), size.Width
	r.back.FillColor = look.Color(look.ColorSurface)
	r.back.Resize(size)
	r.objs = append(r.objs[:0], r.back)
	for n, i := 0, int(l.offset/h); i < len(l.items) && float32(i)*h-l.offset < size.Height; n, i = n+1, i+1 {
		if n == len(r.rows) {
			r.rows = append(r.rows, newRow())
		}
		r.row(r.rows[n], i, float32(i)*h-l.offset)
	}
	if l.dragging {
		r.drag()
	}
	canvas.Refresh(l)
}

func (r *renderer) place(t *canvas.Text, s string, c color.Color, x, y float32) float32 {
	t.Text, t.Color, t.TextSize = s, c, r.size
	w := look.Text(s, r.size, t.TextStyle).Width
	t.Move(fyne.NewPos(x, y))
	t.Resize(fyne.NewSize(w, r.l.height()))
	r.objs = append(r.objs, t)
	return x + w + gap
}

func (r *renderer) row(v *rowView, i int, y float32) {
	l, it, h := r.l, r.l.items[i], r.l.height()
	chosen := l.selected[it.ID]
	v.back.FillColor, v.back.StrokeWidth, v.back.CornerRadius = color.Transparent, 0, 4
	if chosen {
		v.back.FillColor = look.Color(theme.ColorNameSelection)
	}
	if l.focused && i == l.cursor {
		v.back.StrokeColor, v.back.StrokeWidth = look.Color(theme.ColorNamePrimary), 1.5
	}
	v.back.Move(fyne.NewPos(2, y+1))
	v.back.Resize(fyne.NewSize(r.width-4, h-2))
	r.objs = append(r.objs, v.back)
	for k, d := range v.dots {
		d.FillColor = r.muted
		d.Move(fyne.NewPos(gripAt+float32(k%2)*5, y+h/2-6.5+float32(k/2)*5))
		d.Resize(fyne.NewSquareSize(2.5))
		r.objs = append(r.objs, d)
	}
	ink := r.ink
	if l.dragging && chosen { // it is at the pointer now
		ink = r.muted
	}
	n := strconv.Itoa(i + 1)
	r.place(v.number, n, r.muted, textAt-2*gap-look.Text(n, r.size, v.number.TextStyle).Width, y)
	x := float32(textAt)
	if it.Mark.Letters != "" {
		r.objs = v.stamp.Place(r.objs, it.Mark, fyne.NewPos(x, y+(h-markSide)/2), markSide)
		x += markSide + gap
	}
	badges := float32(0)
	for k, b := range it.Badges {
		if k == len(v.pills) {
			v.pills = append(v.pills, look.NewPill())
		}
		v.pills[k].Set(b)
		badges += v.pills[k].Size().Width + gap
	}
	x = r.place(v.text, look.Ellipsis(it.Text, r.width-x-badges-2*gap, r.size, v.text.TextStyle), ink, x, y)
	if it.More != "" {
		x = r.place(v.more, look.Ellipsis(it.More, r.width-x-badges-gap, r.size, v.more.TextStyle), r.muted, x, y)
	}
	for k := range it.Badges {
		r.objs = v.pills[k].Place(r.objs, x, y, h)
		x += v.pills[k].Size().Width + gap
	}
}

// drag draws the bar where a drop would go, and what is dragged at the pointer.
func (r *renderer) drag() {
	l := r.l
	y := float32(l.gap)*l.height() - l.offset
	primary := look.Color(theme.ColorNamePrimary)
	r.bar.FillColor, r.bar.CornerRadius = primary, 1.5
	r.bar.Move(fyne.NewPos(4, max(0, min(y-1.5, l.Size().Height-3))))
	r.bar.Resize(fyne.NewSize(r.width-8, 3))
	name := ""
	if which := l.Selected(); len(which) > 1 && l.Chip != nil {
		name = l.Chip(len(which))
	} else {
		for _, it := range l.items {
			if l.selected[it.ID] {
				name = it.Text
				break
			}
		}
	}
	name = look.Ellipsis(name, 220, r.size, fyne.TextStyle{})
	need := look.Text(name, r.size, fyne.TextStyle{})
	at := fyne.NewPos(min(l.pointer.X+14, r.width-need.Width-24), l.pointer.Y-10)
	r.ghost.FillColor, r.ghost.CornerRadius = primary, 6
	r.ghost.Shadow = canvas.Shadow{Color: look.Color(theme.ColorNameShadow), BlurRadius: 8, Offset: fyne.NewPos(0, 2)}
	r.ghost.Move(at)
	r.ghost.Resize(need.AddWidthHeight(16, 8))
	r.name.Text, r.name.TextSize, r.name.Color = name, r.size, look.Color(theme.ColorNameForegroundOnPrimary)
	r.name.Move(at.AddXY(8, 4))
	r.name.Resize(need)
	r.objs = append(r.objs, r.bar, r.ghost, r.name)
}
