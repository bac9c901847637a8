package codeview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"anyhook.net/desktop/app/ui/look"
)

// What is being dragged.
const (
	dragNothing = iota
	dragText
	dragDown
	dragAcross
)

// MouseDown implements desktop.Mouseable.
func (v *View) MouseDown(e *desktop.MouseEvent) {
	look.Focus(v)
	v.drag = dragNothing
	if e.Button != desktop.MouseButtonPrimary {
		return
	}
	switch size := v.Size(); {
	case e.Position.X > size.Width-barWidth:
		v.drag = dragDown
		y, length := v.thumbDown()
		if v.grip = e.Position.Y - y; v.grip < 0 || v.grip > length {
			v.grip = length / 2
			v.barDown(e.Position.Y)
		}
	case e.Position.Y > size.Height-barWidth && v.across():
		v.drag = dragAcross
		x, length := v.thumbAcross()
		if v.grip = e.Position.X - x; v.grip < 0 || v.grip > length {
			v.grip = length / 2
			v.barAcross(e.Position.X)
		}
	case v.onFold(e.Position.X) && v.toggle(v.at(e.Position).row):
	default:
		v.drag = dragText
		v.caret = v.at(e.Position)
		if e.Modifier&fyne.KeyModifierShift == 0 {
			v.mark = v.caret
		}
		v.Refresh()
	}
}

// MouseUp implements desktop.Mouseable.
func (v *View) MouseUp(*desktop.MouseEvent) {}

// Dragged implements fyne.Draggable.
func (v *View) Dragged(e *fyne.DragEvent) {
	switch v.drag {
	case dragDown:
		v.barDown(e.Position.Y)
	case dragAcross:
		v.barAcross(e.Position.X)
	case dragText:
		dx, dy := float32(0), float32(0)
		if e.Position.Y < 0 {
			dy = -v.cell.Height
		} else if e.Position.Y > v.Size().Height {
			dy = v.cell.Height
		}
		if e.Position.X < v.gutter() {
			dx = -4 * v.cell.Width
		} else if e.Position.X > v.Size().Width-barWidth {
			dx = 4 * v.cell.Width
		}
		v.ScrollBy(dx, dy)
		v.caret = v.at(fyne.NewPos(e.Position.X, min(e.Position.Y, v.Size().Height-1)))
		v.Refresh()
	}
}

// DragEnd implements fyne.Draggable.
func (v *View) DragEnd() { v.drag = dragNothing }

// DoubleTapped implements fyne.DoubleTappable. It selects a word, a number, a name.
func (v *View) DoubleTapped(e *fyne.PointEvent) {
	s := v.at(e.Position)
	s.col = max(0, int((e.Position.X-v.gutter()+v.left)/v.cell.Width))
	v.word(s)
}

// Scrolled implements fyne.Scrollable.
func (v *View) Scrolled(e *fyne.ScrollEvent) { v.ScrollBy(-e.Scrolled.DX, -e.Scrolled.DY) }

// Cursor implements desktop.Cursorable.
func (v *View) Cursor() desktop.Cursor { return desktop.TextCursor }

// FocusGained implements fyne.Focusable.
func (v *View) FocusGained() { v.focused = true; v.Refresh() }

// FocusLost implements fyne.Focusable.
func (v *View) FocusLost() { v.focused = false; v.Refresh() }

// TypedRune implements fyne.Focusable. What is typed is for the window.
func (v *View) TypedRune(r rune) { look.PassRune(v, r) }

// TypedKey implements fyne.Focusable.
func (v *View) TypedKey(e *fyne.KeyEvent) {
	extend := v.mods()&fyne.KeyModifierShift != 0
	c := v.caret
	switch e.Name {
	case fyne.KeyLeft:
		v.move(v.beside(c, -1), extend)
	case fyne.KeyRight:
		v.move(v.beside(c, 1), extend)
	case fyne.KeyUp:
		v.move(spot{c.row - 1, c.col}, extend)
	case fyne.KeyDown:
		v.move(spot{c.row + 1, c.col}, extend)
	case fyne.KeyPageUp:
		v.move(spot{c.row - v.page(), c.col}, extend)
	case fyne.KeyPageDown:
		v.move(spot{c.row + v.page(), c.col}, extend)
	case fyne.KeyHome:
		v.move(spot{c.row, 0}, extend)
	case fyne.KeyEnd:
		v.move(spot{c.row, whole}, extend)
	case fyne.KeyEscape:
		if v.mark == v.caret {
			look.PassKey(v, e)
		}
		v.mark = v.caret
		v.Refresh()
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		if !v.Fold() {
			look.PassKey(v, e)
		}
	case fyne.KeyF3:
		v.FindNext(!extend)
	default:
		look.PassKey(v, e)
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (v *View) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		v.Copy()
	case *fyne.ShortcutSelectAll:
		v.SelectAll()
	case *desktop.CustomShortcut:
		extend := s.Modifier&fyne.KeyModifierShift != 0
		switch {
		case s.Modifier&fyne.KeyModifierShortcutDefault == 0:
			look.PassShortcut(v, s)
		case s.KeyName == fyne.KeyHome:
			v.move(spot{}, extend)
		case s.KeyName == fyne.KeyEnd:
			v.move(v.end(), extend)
		default:
			look.PassShortcut(v, s)
		}
	default:
		look.PassShortcut(v, s)
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (v *View) TappedSecondary(e *fyne.PointEvent) {
	if v.OnMenu != nil {
		v.OnMenu(e.AbsolutePosition)
	}
}

// Offset is where in its bytes the caret is; 0 where there are none.
func (v *View) Offset() int {
	r, ok := v.rows.at(v.caret.row)
	if !ok {
		return 0
	}
	off, col := r.off, 0
	for _, s := range v.rows.maker.spans(r) {
		n := cellsIn(s.bytes, col)
		if s.off >= 0 && col <= v.caret.col {
			off = s.off
			if !s.one {
				off += min(bytesTo(s.bytes, col, v.caret.col), max(0, len(s.bytes)-1))
			}
		}
		col += n
	}
	return off
}
