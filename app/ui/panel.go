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
// no modal, and the list can be used beside it. Escape closes it, and so does a
// row that is picked: its detail is wanted then.
type panel struct {
	name   string
	box    fyne.CanvasObject
	focus  fyne.Focusable // gets the keyboard; may be nil
	redraw func()         // follows the status; may be nil
	stays  bool           // when a row is picked: it holds work that would be lost
	before fyne.Focusable // had the keyboard
}

// open shows a panel with a title above its content; opening it again closes it.
func (x *inbox) openPanel(p *panel, title string, content fyne.CanvasObject) {
	if x.panel != nil && x.panel.name == p.name {
		x.closePanel()
		return
	}
	c := x.w.win.Canvas()
	switch {
	case x.panel != nil:
		p.before = x.panel.before
	case x.w.screen == "inbox":
		p.before = c.Focused()
	}
	x.w.show("inbox")
	closing := look.NewIconButton(theme.CancelIcon(), text.T("panel.close"), x.closePanel)
	head := container.NewBorder(nil, widget.NewSeparator(), nil, closing, heading(title))
	p.box = container.NewPadded(container.NewBorder(head, nil, nil, nil, content))
	x.panel = p
	x.table.OnPick, x.table.OnEscape = x.picked, x.escape
	x.side.Objects = []fyne.CanvasObject{p.box}
	x.side.Refresh()
	x.welcome()
	if p.focus != nil {
		c.Focus(p.focus)
	}
}

// closePanel shows the detail again, and gives the keyboard back to who had it.
func (x *inbox) closePanel() {
	if x.panel == nil {
		return
	}
	before := x.panel.before
	x.uncover()
	if o, ok := before.(fyne.CanvasObject); ok && o.Visible() && fyne.CurrentApp().Driver().CanvasForObject(o) == x.w.win.Canvas() {
		x.w.win.Canvas().Focus(before)
		return
	}
	look.Focus(x.table)
}

// uncover shows the detail again; the keyboard stays where it is.
func (x *inbox) uncover() {
	x.panel = nil
	x.table.OnPick, x.table.OnEscape = nil, nil
	x.side.Objects = []fyne.CanvasObject{x.detail.box}
	x.side.Refresh()
	x.welcome()
}

// picked uncovers the detail of a row that was picked.
func (x *inbox) picked() {
	if !x.panel.stays && x.table.Count() == 1 {
		x.uncover()
	}
}

// escape closes the panel, and reports whether there was one.
func (x *inbox) escape() bool {
	open := x.panel != nil
	x.closePanel()
	return open
}

// escape leaves what is on top: the panel, the settings, or the help.
func (w *Window) escape() {
	switch w.screen {
	case "inbox":
		w.inbox.escape()
	case "settings", "help":
		w.show("inbox")
	}
}

// hearEscape listens to Escape, which all that can have the keyboard passes on.
func (w *Window) hearEscape() {
	c := w.win.Canvas()
	c.SetOnTypedKey(func(e *fyne.KeyEvent) {
		if e.Name == fyne.KeyEscape && c.Overlays().Top() == nil {
			w.escape()
		}
	})
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
