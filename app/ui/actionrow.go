package ui

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// actionIDs are the commands of the row for a selection, in order.
var actionIDs = []string{"replay", "resign", "twice", "at-once", "reverse", "reorder", "export"}

// An actionRow offers what can be done to the selection.
type actionRow struct {
	w       *Window
	box     *fyne.Container
	count   *widget.Label
	buttons map[string]*look.Button
}

func newActionRow(w *Window) *actionRow {
	a := &actionRow{w: w, buttons: map[string]*look.Button{}, count: widget.NewLabel("")}
	row := container.NewHBox(gap(4, 0), a.count)
	for _, id := range actionIDs {
		b := w.button(id, text.T("action."+id))
		a.buttons[id] = b
		row.Add(b)
	}
	a.buttons["replay"].Importance = widget.HighImportance
	more := look.NewIconButton(theme.MoreVerticalIcon(), text.T("action.more"), nil)
	more.OnTapped = func() {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(more)
		m := w.rowMenu()
		widget.ShowPopUpMenuAtPosition(m, w.win.Canvas(), at.AddXY(0, -widget.NewMenu(m).MinSize().Height))
	}
	row.Add(more)
	a.box = container.NewVBox(widget.NewSeparator(), container.NewPadded(row))
	a.box.Hide()
	return a
}

// draw follows the selection.
func (a *actionRow) draw() {
	s := a.w.situation()
	setText(a.count, text.N("action.selected", int64(s.Selected)))
	for id, b := range a.buttons {
		c := view.CommandOf(id)
		enable(b, s.Can(c))
		b.Tip = cmp.Or(s.Missing(c), a.w.tip(id))
	}
	if visible(a.box, s.Selected > 0) {
		relay(a.w.inbox.foot, a.w.inbox.box)
	}
}
