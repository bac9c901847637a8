package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// tell shows what a person has to know before anything else: the worst alone,
// or all.
func (b *bar) tell() {
	b.trouble.Objects = nil
	b.all = b.all && len(b.shown) > 1
	for i, n := range b.shown {
		if i > 0 && !b.all {
			break
		}
		closing := look.NewIconButton(theme.CancelIcon(), text.T("notice.close"), func() {
			b.w.notices.Close(n.ID)
			b.w.drawStatus()
		})
		var ways []fyne.CanvasObject
		if i == 0 && len(b.shown) > 1 {
			ways = append(ways, b.unfolding())
		}
		b.trouble.Add(b.w.notice(n, append(ways, closing)...))
		b.trouble.Add(widget.NewSeparator())
	}
	b.trouble.Refresh()
	b.box.Refresh()
	if b.w.bar == b {
		b.w.relay()
	}
}

// unfolding shows all notices, or the first alone again.
func (b *bar) unfolding() *look.Button {
	word := text.T("notice.more", text.Number(int64(len(b.shown)-1)))
	if b.all {
		word = text.T("notice.fewer")
	}
	more := look.NewButton(word, "", func() {
		b.all = !b.all
		b.tell()
	})
	more.Importance = widget.LowImportance
	return more
}

// notice draws a notice, with the buttons of its commands and others after them.
func (w *Window) notice(n view.Notice, more ...fyne.CanvasObject) fyne.CanvasObject {
	buttons := container.NewHBox()
	for _, id := range n.Commands {
		buttons.Add(w.button(id, text.T("notice."+id)))
	}
	for _, o := range more {
		buttons.Add(o)
	}
	return container.NewBorder(nil, nil,
		container.NewHBox(gap(4, 0), container.NewCenter(look.NewChip(badge(view.Mark{Tone: n.Tone})))), container.NewHBox(container.NewCenter(buttons), gap(2, 0)),
		container.New(centerLayout{}, look.NewText(n.Text, tones[n.Tone])))
}
