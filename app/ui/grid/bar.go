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

const barWidth = 10

// bar is the scroll bar. It thinks in rows, as the table does.
type bar struct {
	widget.BaseWidget
	t     *Table
	grip  float32 // where in the thumb it is held
	hover bool
}

// thumb is where the thumb is and how long; no length means all is in sight.
func (b *bar) thumb() (y, length float32) {
	t, height := b.t, b.Size().Height
	rows := height / t.height()
	if t.n == 0 || rows >= float32(t.n) {
		return 0, 0
	}
	length = max(28, height*rows/float32(t.n))
	return float32(t.at.share(t.n, t.height(), height)) * (height - length), length
}

// MouseDown implements desktop.Mouseable.
func (b *bar) MouseDown(e *desktop.MouseEvent) {
	y, length := b.thumb()
	b.grip = e.Position.Y - y
	if b.grip < 0 || b.grip > length { // beside it: it comes
		b.grip = length / 2
		b.to(e.Position.Y)
	}
}

// MouseUp implements desktop.Mouseable.
func (b *bar) MouseUp(*desktop.MouseEvent) {}

// MouseIn implements desktop.Hoverable.
func (b *bar) MouseIn(*desktop.MouseEvent) { b.hover = true; b.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (b *bar) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (b *bar) MouseOut() { b.hover = false; b.Refresh() }

// Dragged implements fyne.Draggable.
func (b *bar) Dragged(e *fyne.DragEvent) { b.to(e.Position.Y) }

// DragEnd implements fyne.Draggable.
func (b *bar) DragEnd() {}

// Scrolled implements fyne.Scrollable.
func (b *bar) Scrolled(e *fyne.ScrollEvent) { b.t.ScrollBy(-e.Scrolled.DY) }

func (b *bar) to(y float32) {
	_, length := b.thumb()
	if height := b.Size().Height; length > 0 && height > length {
		b.t.moveTo(atShare(float64(y-b.grip)/float64(height-length), b.t.n, b.t.height(), height))
		b.t.body.Refresh()
		b.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (b *bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{b: b, thumb: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type barRenderer struct {
	b     *bar
	thumb *canvas.Rectangle
}

func (r *barRenderer) Layout(fyne.Size)             { r.Refresh() }
func (r *barRenderer) MinSize() fyne.Size           { return fyne.NewSize(barWidth, 10) }
func (r *barRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.thumb} }
func (r *barRenderer) Destroy()                     {}

func (r *barRenderer) Refresh() {
	y, length := r.b.thumb()
	width := float32(5)
	if r.b.hover {
		width = 8
	}
	r.thumb.FillColor, r.thumb.CornerRadius = look.Color(theme.ColorNameScrollBar), width/2
	r.thumb.Move(fyne.NewPos(barWidth-width-1, y+1))
	r.thumb.Resize(fyne.NewSize(width, max(0, length-2)))
	canvas.Refresh(r.b)
}
