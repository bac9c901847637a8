package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/replay"
)

// signings is the choice of what signature sends carry.
func (w *Window) signings(to *replay.Signing) fyne.CanvasObject {
	names := make([]string, len(replay.Signings))
	for i, s := range replay.Signings {
		names[i] = view.SigningWord(s)
	}
	return field(text.T("tab.signature"), choose(names, slices.Index(replay.Signings, *to), func(i int) { *to = replay.Signings[i] }), nil)
}

// openWrong sends what is selected with a signature that a handler ought to refuse.
func (w *Window) openWrong() {
	seqs := w.inbox.seqs()
	box := container.NewVBox(muted(text.T("wrong.text")))
	for _, s := range replay.Signings {
		if !s.Wrong() {
			continue
		}
		send := look.NewButton(view.SigningWord(s), "", func() {
			w.inbox.closePanel()
			w.replaySigned(view.AsReceived, seqs, 0, s)
		})
		send.Alignment = widget.ButtonAlignLeading
		box.Add(send)
		box.Add(muted(text.T("wrong." + string(s))))
	}
	w.inbox.openPanel(&panel{name: "wrong"}, text.T("cmd.wrong"), scroll(box))
}
