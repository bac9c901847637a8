package grid

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/ui/look"
)

// body has the rows, and hears the pointer.
type body struct {
	widget.BaseWidget
	t *Table
	r *bodyRenderer
}

// rowAt is the row at height y, or -1.
func (b *body) rowAt(y float32) int {
	if i := b.t.at.row + int((y+b.t.at.frac)/b.t.height()); y >= 0 && i < b.t.n {
		return i
	}
	return -1
}

// Scrolled implements fyne.Scrollable.
func (b *body) Scrolled(e *fyne.ScrollEvent) { b.t.ScrollBy(-e.Scrolled.DY) }

// MouseDown implements desktop.Mouseable. It selects, for a tap comes late
// where a double tap means something too.
func (b *body) MouseDown(e *desktop.MouseEvent) {
	look.Focus(b.t)
	row := b.rowAt(e.Position.Y)
	switch {
	case row < 0:
		if e.Modifier == 0 {
			b.t.choose(nil)
		}
	case e.Button == desktop.MouseButtonSecondary:
		if !b.t.selected.has(b.t.Source.Key(row)) {
			b.t.Pick(row, 0)
		}
	default:
		b.t.Pick(row, e.Modifier)
	}
}

// MouseUp implements desktop.Mouseable.
func (b *body) MouseUp(*desktop.MouseEvent) {}

// MouseIn implements desktop.Hoverable.
func (b *body) MouseIn(e *desktop.MouseEvent) { b.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (b *body) MouseMoved(e *desktop.MouseEvent) { b.hover(b.rowAt(e.Position.Y)) }

// MouseOut implements desktop.Hoverable.
func (b *body) MouseOut() { b.hover(-1) }

func (b *body) hover(row int) {
	old := b.t.hover
	if b.t.hover = row; old != row && b.r != nil {
		b.r.repaint(old)
		b.r.repaint(row)
	}
}

// Tapped implements fyne.Tappable, without which there is no double tap.
func (b *body) Tapped(*fyne.PointEvent) {}

// TappedSecondary implements fyne.SecondaryTappable.
func (b *body) TappedSecondary(e *fyne.PointEvent) {
	if b.rowAt(e.Position.Y) >= 0 && b.t.OnMenu != nil {
		b.t.OnMenu(e.AbsolutePosition)
	}
}

// DoubleTapped implements fyne.DoubleTappable.
func (b *body) DoubleTapped(e *fyne.PointEvent) {
	if row := b.rowAt(e.Position.Y); row >= 0 && b.t.OnActivate != nil {
		b.t.OnActivate(b.t.Source.Key(row))
	}
}
