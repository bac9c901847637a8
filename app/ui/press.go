package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/ui/look"
)

// A press is a quiet button with any content on it.
type press struct {
	look.Button
	content fyne.CanvasObject
}

// newPress makes one; tip says what it does.
func newPress(content fyne.CanvasObject, tip string, do func()) *press {
	p := &press{content: content}
	p.Tip, p.OnTapped, p.Importance = tip, do, widget.LowImportance
	p.ExtendBaseWidget(p)
	return p
}

// CreateRenderer implements fyne.Widget.
func (p *press) CreateRenderer() fyne.WidgetRenderer {
	back := p.Button.CreateRenderer()
	return &pressRenderer{back, container.NewPadded(p.content)}
}

// Cursor implements desktop.Cursorable.
func (p *press) Cursor() desktop.Cursor { return desktop.PointerCursor }

type pressRenderer struct {
	fyne.WidgetRenderer
	content fyne.CanvasObject
}

func (r *pressRenderer) MinSize() fyne.Size { return r.content.MinSize() }
func (r *pressRenderer) Layout(s fyne.Size) {
	r.WidgetRenderer.Layout(s)
	r.content.Resize(s)
}

func (r *pressRenderer) Objects() []fyne.CanvasObject {
	return append(r.WidgetRenderer.Objects(), r.content)
}
