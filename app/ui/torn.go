package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

// A torn is a detail in a window of its own, which stays with its request
// whatever is selected in the list.
type torn struct {
	win    fyne.Window
	detail *detail
}

// tearOff opens the selected request in a window of its own.
func (w *Window) tearOff() {
	seqs := w.inbox.seqs()
	if len(seqs) != 1 {
		return
	}
	t := &torn{win: fyne.CurrentApp().NewWindow(text.T("torn.title", text.Number(int64(seqs[0]))))}
	t.win.SetPadded(false)
	t.win.Resize(fyne.NewSize(720, 640))
	t.win.SetOnClosed(func() { w.torn = slices.DeleteFunc(w.torn, func(o *torn) bool { return o == t }) })
	w.torn = append(w.torn, t)
	t.fill(w, seqs[0], w.inbox.detail.tab)
	for i, name := range tabs {
		key := view.CommandOf("tab." + tabs[i]).Key
		t.win.Canvas().AddShortcut(shortcut(key), func(fyne.Shortcut) { t.detail.turn(name) })
	}
	t.win.Canvas().AddShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyW, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) { t.win.Close() })
	t.win.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		if e.Name == fyne.KeyEscape {
			t.win.Close()
		}
	})
	t.win.Show()
}

// fill shows a request; it is done again for another language or theme.
func (t *torn) fill(w *Window, seq capture.Seq, tab string) {
	t.detail = newDetail(w)
	t.detail.tab = tab
	t.detail.tear.Hide()
	t.win.SetContent(look.NewFrame(w.ui, container.NewStack(t.detail.box)))
	t.detail.open(seq)
}

// redrawTorn fills all windows of details again.
func (w *Window) redrawTorn() {
	for _, t := range w.torn {
		t.fill(w, t.detail.seq, t.detail.tab)
	}
}

// closeTorn closes them.
func (w *Window) closeTorn() {
	for _, t := range slices.Clone(w.torn) {
		t.win.Close()
	}
}
