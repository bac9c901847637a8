package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// menu offers what can be copied at the place of the pointer.
func (t *bodyTab) menu(at fyne.Position) {
	selected := fyne.NewMenuItem(text.T("body.copy.selection"), t.code.Copy)
	selected.Icon, selected.Disabled = theme.ContentCopyIcon(), len(t.code.Selected()) == 0
	path := fyne.NewMenuItem(view.CommandOf("copy-path").Title(), func() { t.copyAt(true) })
	value := fyne.NewMenuItem(view.CommandOf("copy-value").Title(), func() { t.copyAt(false) })
	path.Disabled, value.Disabled = t.json == nil, t.json == nil
	fold := fyne.NewMenuItem(text.T("body.fold"), func() { t.code.Fold() })
	fold.Disabled = t.json == nil
	all := fyne.NewMenuItem(text.T("body.copy"), t.copy)
	if c := fyne.CurrentApp().Driver().CanvasForObject(t.code); c != nil {
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", selected, path, value, fold, fyne.NewMenuItemSeparator(), all), c, at)
	}
}

// copyAt copies the path or the value of what stands at the caret.
func (t *bodyTab) copyAt(wantPath bool) {
	if t.json == nil {
		t.w.frame.Say(look.Message{Badge: look.Doubtful(""), Text: text.T("body.copy.nojson")})
		return
	}
	type found struct {
		path  string
		value []byte
		ok    bool
	}
	data, at := t.json, t.code.Offset()
	start(t.w, func(context.Context) (found, error) { // a body may be large
		path, value, ok := view.JSONAt(data, at)
		return found{path, value, ok}, nil
	}, func(f found, _ error) {
		switch {
		case !f.ok:
			t.w.frame.Say(look.Message{Badge: look.Doubtful(""), Text: text.T("body.copy.nojson")})
		case wantPath:
			t.w.copy(f.path, text.T("copied", view.Clean(f.path, 200)))
		default:
			t.w.copy(string(f.value), text.T("copied", view.Clean(f.path, 120)+" · "+text.Size(int64(len(f.value)))))
		}
	})
}
