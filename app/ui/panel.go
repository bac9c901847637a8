package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
)

// A panel stands where the detail is, for a question that is no danger: it is
// no modal, and the list can be used beside it. Escape closes it.
type panel struct {
	name   string
	box    fyne.CanvasObject
	focus  fyne.Focusable // gets the keyboard; may be nil
	redraw func()         // follows the status; may be nil
}

// open shows a panel with a title above its content; opening it again closes it.
func (x *inbox) openPanel(p *panel, title string, content fyne.CanvasObject) {
	if x.panel != nil && x.panel.name == p.name {
		x.closePanel()
		return
	}
	x.w.show("inbox")
	closing := look.NewIconButton(theme.CancelIcon(), text.T("panel.close"), x.closePanel)
	head := container.NewBorder(nil, widget.NewSeparator(), nil, closing, heading(title))
	p.box = container.NewPadded(container.NewBorder(head, nil, nil, nil, content))
	x.panel = p
	x.side.Objects = []fyne.CanvasObject{p.box}
	x.side.Refresh()
	x.welcome()
	if p.focus != nil {
		x.w.win.Canvas().Focus(p.focus)
	}
}

// closePanel shows the detail again.
func (x *inbox) closePanel() {
	if x.panel == nil {
		return
	}
	x.panel = nil
	x.side.Objects = []fyne.CanvasObject{x.detail.box}
	x.side.Refresh()
	x.welcome()
	look.Focus(x.table)
}

// input is an input of a panel: Escape closes it.
func (x *inbox) input(hint, value string) *look.Input {
	i := look.NewInput(hint)
	i.OnEscape = x.closePanel
	i.SetText(value)
	return i
}

// pressed does a job that a button starts. Until it ended, the button stops it.
func (w *Window) pressed(b *look.Button, job func(context.Context) error, done func()) {
	ctx, stop := context.WithCancel(w.ctx)
	word, again := b.Text, b.OnTapped
	b.OnTapped = stop
	b.SetText(text.T("job.stop"))
	start(w, func(context.Context) (struct{}, error) { return struct{}{}, job(ctx) }, func(_ struct{}, err error) {
		stopped := ctx.Err() != nil
		stop()
		b.OnTapped = again
		b.SetText(word)
		switch {
		case stopped && err != nil:
			w.frame.Say(look.Message{Badge: look.Doubtful(""), Text: text.T("job.stopped")})
		case err != nil:
			w.fail(err)
		default:
			done()
		}
	})
}
