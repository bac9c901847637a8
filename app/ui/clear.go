package ui

import (
	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
)

// clear takes what is in the list out of sight, which can be undone.
func (w *Window) clear() {
	w.show("inbox")
	n := w.inbox.model.Clear()
	if n == 0 {
		w.say(text.T("inbox.clear.nothing"))
		return
	}
	w.inbox.table.Select()
	w.inbox.draw()
	w.drawCommands()
	w.frame.Say(look.Message{Badge: look.Valid(""), Text: text.N("inbox.cleared", n), Action: text.T("undo"), Do: w.unclear})
}

// unclear shows again what was cleared.
func (w *Window) unclear() {
	w.show("inbox")
	w.inbox.model.Unclear()
	w.inbox.draw()
	w.drawCommands()
}
