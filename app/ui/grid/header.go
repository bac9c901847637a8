package grid

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/ui/look"
)

// header has the titles, and its edges are dragged.
type header struct {
	widget.BaseWidget
	t    *Table
	drag int // column whose right edge is dragged, or -1
	over int // … is under the pointer
}

// edge is the column whose right edge is near x, or -1. The last has none: it
// is the window's.
func (h *header) edge(x float32) int {
	at := float32(0)
	for i, w := range h.t.widths[:max(0, len(h.t.widths)-1)] {
		if at += w; x > at-5 && x < at+5 {
			return i
		}
	}
	return -1
}

// Cursor implements desktop.Cursorable.
func (h *header) Cursor() desktop.Cursor {
	if h.over >= 0 || h.drag >= 0 {
		return desktop.HResizeCursor
	}
	return desktop.DefaultCursor
}

// MouseIn implements desktop.Hoverable.
func (h *header) MouseIn(e *desktop.MouseEvent) { h.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (h *header) MouseMoved(e *desktop.MouseEvent) { h.over = h.edge(e.Position.X) }

// MouseOut implements desktop.Hoverable.
func (h *header) MouseOut() { h.over = -1 }

// MouseDown implements desktop.Mouseable. A drag begins where the button went
// down, which the first drag event no longer knows.
func (h *header) MouseDown(e *desktop.MouseEvent) { h.drag = h.edge(e.Position.X) }

// MouseUp implements desktop.Mouseable.
func (h *header) MouseUp(*desktop.MouseEvent) {}

// Dragged implements fyne.Draggable.
func (h *header) Dragged(e *fyne.DragEvent) {
	if h.drag < 0 || h.drag >= len(h.t.widths) {
		return
	}
	drag(grown(h.t.columns), h.t.widths, h.drag, e.Dragged.DX)
	for i, w := range h.t.widths {
		h.t.columns[i].Width = w / look.Scale()
	}
	h.Refresh()
	h.t.body.Refresh()
}

// DragEnd implements fyne.Draggable.
func (h *header) DragEnd() {
	if h.drag >= 0 && h.t.OnWidths != nil {
		h.t.OnWidths()
	}
	h.drag = -1
}

// Tapped implements fyne.Tappable.
func (h *header) Tapped(e *fyne.PointEvent) {
	h.drag = -1
	at := float32(0)
	for i, w := range h.t.widths {
		if at += w; e.Position.X < at {
			if h.edge(e.Position.X) < 0 && h.t.OnHeader != nil {
				h.t.OnHeader(h.t.columns[i].ID)
			}
			return
		}
	}
}

// CreateRenderer implements fyne.Widget.
func (h *header) CreateRenderer() fyne.WidgetRenderer {
	r := &headerRenderer{h: h, back: canvas.NewRectangle(color.Transparent), line: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type headerRenderer struct {
	h          *header
	back, line *canvas.Rectangle
	titles     []*fitted
	edges      []*canvas.Rectangle
	objs       []fyne.CanvasObject
}

func (r *headerRenderer) Layout(fyne.Size)             { r.Refresh() }
func (r *headerRenderer) MinSize() fyne.Size           { return fyne.NewSize(10, r.h.t.height()) }
func (r *headerRenderer) Objects() []fyne.CanvasObject { return r.objs }
func (r *headerRenderer) Destroy()                     {}
func (r *headerRenderer) IsClip()                      {}

var arrows = map[int]string{1: " ▴", -1: " ▾"}

func (r *headerRenderer) Refresh() {
	t, size := r.h.t, r.h.Size()
	r.back.FillColor = look.Color(theme.ColorNameHeaderBackground)
	r.back.Resize(size)
	r.line.FillColor = look.Color(theme.ColorNameSeparator)
	r.line.Move(fyne.NewPos(0, size.Height-1))
	r.line.Resize(fyne.NewSize(size.Width, 1))
	r.objs = append(r.objs[:0], r.back, r.line)
	x, muted := float32(0), look.Color(look.ColorMuted)
	for i, c := range t.columns {
		if i >= len(t.widths) {
			break
		}
		if i >= len(r.titles) {
			r.titles = append(r.titles, newFitted())
			r.edges = append(r.edges, canvas.NewRectangle(color.Transparent))
		}
		title, w := r.titles[i], t.widths[i]
		title.fit(c.Title+arrows[c.Order], w-2*pad, look.Size(theme.SizeNameCaptionText), fyne.TextStyle{Bold: true})
		title.Color = muted
		at := x + pad
		if c.Right {
			at = x + w - pad - title.used
		}
		title.Move(fyne.NewPos(at, 0))
		title.Resize(fyne.NewSize(title.used, size.Height))
		x += w
		r.objs = append(r.objs, title.Text)
		if i < len(t.widths)-1 {
			r.edges[i].FillColor = r.line.FillColor
			r.edges[i].Move(fyne.NewPos(x-1, 7))
			r.edges[i].Resize(fyne.NewSize(1, size.Height-14))
			r.objs = append(r.objs, r.edges[i])
		}
	}
	canvas.Refresh(r.h)
}
