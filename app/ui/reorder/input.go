package reorder

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"anyhook.net/desktop/app/ui/look"
)

func (l *List) rowAt(y float32) int {
	if i := int((y + l.offset) / l.height()); y >= 0 && i < len(l.items) {
		return i
	}
	return -1
}

// Scrolled implements fyne.Scrollable.
func (l *List) Scrolled(e *fyne.ScrollEvent) { l.scroll(-e.Scrolled.DY) }

// MouseDown implements desktop.Mouseable. A press on one of several selected
// rows keeps them all, for they may be dragged.
func (l *List) MouseDown(e *desktop.MouseEvent) {
	look.Focus(l)
	i := l.rowAt(e.Position.Y)
	l.armed = -1
	if e.Button != desktop.MouseButtonPrimary || i < 0 {
		return
	}
	l.armed = i
	if !l.chosen(i) || e.Modifier != 0 {
		l.Pick(i, e.Modifier)
	}
}

// MouseUp implements desktop.Mouseable. A press that became no drag was a click.
func (l *List) MouseUp(e *desktop.MouseEvent) {
	if !l.dragging && l.armed >= 0 && e.Modifier == 0 {
		l.Pick(l.armed, 0)
		l.armed = -1
	}
}

// Dragged implements fyne.Draggable.
func (l *List) Dragged(e *fyne.DragEvent) {
	if l.armed < 0 || len(l.selected) == 0 {
		return
	}
	l.dragging, l.pointer = true, e.Position
	h := l.height()
	switch y := e.Position.Y; {
	case y < h/2:
		l.scroll(-h / 2)
	case y > l.Size().Height-h/2:
		l.scroll(h / 2)
	}
	l.gap = max(0, min(len(l.items), int((e.Position.Y+l.offset)/h+0.5)))
	l.Refresh()
}

// DragEnd implements fyne.Draggable.
func (l *List) DragEnd() {
	if !l.dragging {
		return
	}
	l.dragging, l.armed = false, -1
	l.move(l.gap)
}

// DoubleTapped implements fyne.DoubleTappable.
func (l *List) DoubleTapped(e *fyne.PointEvent) {
	if i := l.rowAt(e.Position.Y); i >= 0 && l.OnActivate != nil {
		l.OnActivate(l.items[i].ID)
	}
}

// FocusGained implements fyne.Focusable.
func (l *List) FocusGained() { l.focused = true; l.Refresh() }

// FocusLost implements fyne.Focusable.
func (l *List) FocusLost() { l.focused = false; l.Refresh() }

// TypedRune implements fyne.Focusable.
func (l *List) TypedRune(r rune) {
	if which := l.Selected(); (r == 'd' || r == 'D') && len(which) > 0 && l.OnDuplicate != nil {
		l.OnDuplicate(which)
		return
	}
	look.PassRune(l, r)
}

func (l *List) mods() fyne.KeyModifier {
	if l.Mods != nil {
		return l.Mods()
	}
	return look.Modifiers()
}

// TypedKey implements fyne.Focusable.
func (l *List) TypedKey(e *fyne.KeyEvent) {
	shift := l.mods() & fyne.KeyModifierShift
	page := max(1, int(l.Size().Height/l.height())-1)
	switch e.Name {
	case fyne.KeyDown:
		if len(l.selected) == 0 {
			l.Pick(l.cursor, 0) // the first press shows where one is
			return
		}
		l.Pick(l.cursor+1, shift)
	case fyne.KeyUp:
		l.Pick(l.cursor-1, shift)
	case fyne.KeyPageDown:
		l.Pick(l.cursor+page, shift)
	case fyne.KeyPageUp:
		l.Pick(l.cursor-page, shift)
	case fyne.KeyHome:
		l.Pick(0, shift)
	case fyne.KeyEnd:
		l.Pick(len(l.items)-1, shift)
	case fyne.KeySpace:
		l.Pick(l.cursor, fyne.KeyModifierShortcutDefault)
	default:
		l.do(e)
	}
}

// do is what keys do that do not move the cursor.
func (l *List) do(e *fyne.KeyEvent) {
	which := l.Selected()
	switch {
	case e.Name == fyne.KeyEscape && l.armed >= 0:
		l.dragging, l.armed = false, -1
		l.Refresh()
	case (e.Name == fyne.KeyDelete || e.Name == fyne.KeyBackspace) && len(which) > 0 && l.OnDelete != nil:
		l.OnDelete(which)
	case (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && l.cursor < len(l.items) && l.OnActivate != nil:
		l.OnActivate(l.items[l.cursor].ID)
	default:
		look.PassKey(l, e)
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (l *List) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutSelectAll:
		l.Select(l.Order()...)
	case *desktop.CustomShortcut:
		switch {
		case s.Modifier == fyne.KeyModifierAlt && s.KeyName == fyne.KeyUp:
			l.Nudge(-1)
		case s.Modifier == fyne.KeyModifierAlt && s.KeyName == fyne.KeyDown:
			l.Nudge(1)
		default:
			look.PassShortcut(l, s)
		}
	default:
		look.PassShortcut(l, s)
	}
}
