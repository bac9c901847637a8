package grid

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"anyhook.net/desktop/app/ui/look"
)

// FocusGained implements fyne.Focusable.
func (t *Table) FocusGained() {
	t.focused = true
	t.body.Refresh()
}

// FocusLost implements fyne.Focusable.
func (t *Table) FocusLost() {
	t.focused = false
	t.body.Refresh()
}

// TypedRune implements fyne.Focusable. What is typed is for the window.
func (t *Table) TypedRune(r rune) { look.PassRune(t, r) }

func (t *Table) mods() fyne.KeyModifier {
	if t.Mods != nil {
		return t.Mods()
	}
	return look.Modifiers()
}

// TypedKey implements fyne.Focusable.
func (t *Table) TypedKey(e *fyne.KeyEvent) {
	page := max(1, int(t.body.Size().Height/t.height())-1)
	shift := t.mods() & fyne.KeyModifierShift
	switch e.Name {
	case fyne.KeyDown:
		t.Pick(t.cursor+1, shift)
	case fyne.KeyUp:
		t.Pick(t.cursor-1, shift)
	case fyne.KeyPageDown:
		t.Pick(t.cursor+page, shift)
	case fyne.KeyPageUp:
		t.Pick(t.cursor-page, shift)
	case fyne.KeyHome:
		t.Pick(0, shift)
	case fyne.KeyEnd:
		t.Pick(t.n-1, shift)
	case fyne.KeySpace:
		if t.cursor >= 0 {
			t.Pick(t.cursor, fyne.KeyModifierShortcutDefault)
		}
	case fyne.KeyEscape:
		t.escape(e)
	default:
		t.do(e)
	}
}

// escape takes the selection away, unless there is something before it to leave.
func (t *Table) escape(e *fyne.KeyEvent) {
	if t.OnEscape != nil && t.OnEscape() {
		return
	}
	if len(t.selected) == 0 {
		look.PassKey(t, e)
	}
	t.choose(nil)
}

// do is what keys do that do not move.
func (t *Table) do(e *fyne.KeyEvent) {
	switch {
	case (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && t.OnActivate != nil:
		if t.cursor >= 0 {
			t.OnActivate(t.keys.cursor)
		}
	case e.Name == fyne.KeyDelete && t.OnDelete != nil:
		if len(t.selected) > 0 {
			t.OnDelete()
		}
	case e.Name == desktop.KeyMenu && t.OnMenu != nil, e.Name == fyne.KeyF10 && t.OnMenu != nil && t.mods()&fyne.KeyModifierShift != 0:
		t.menuAtCursor()
	default:
		look.PassKey(t, e)
	}
}

func (t *Table) menuAtCursor() {
	if len(t.selected) == 0 {
		return
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(t.body)
	if t.cursor >= 0 {
		t.ScrollTo(t.cursor)
		at = at.AddXY(24, float32(t.cursor-t.at.row+1)*t.height()-t.at.frac)
	}
	t.OnMenu(at)
}

// TypedShortcut implements fyne.Shortcutable.
func (t *Table) TypedShortcut(s fyne.Shortcut) {
	switch s.(type) {
	case *fyne.ShortcutSelectAll:
		t.SelectAll()
	case *fyne.ShortcutCopy:
		if t.OnCopy != nil && len(t.selected) > 0 {
			t.OnCopy()
		}
	default:
		look.PassShortcut(t, s)
	}
}
