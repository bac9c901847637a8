package look

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Modifiers are the keys held down right now. Only a desktop knows.
func Modifiers() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// Focus gives o the keyboard.
func Focus(o fyne.CanvasObject) {
	f, ok := o.(fyne.Focusable)
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); ok && c != nil && c.Focused() != f {
		c.Focus(f)
	}
}

// PassKey gives the window a key that the focused widget o has no use for, as
// if nothing were focused.
func PassKey(o fyne.CanvasObject, e *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

// PassRune is PassKey for what was typed.
func PassRune(o fyne.CanvasObject, r rune) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.OnTypedRune() != nil {
		c.OnTypedRune()(r)
	}
}

// PassShortcut is PassKey for shortcuts.
func PassShortcut(o fyne.CanvasObject, s fyne.Shortcut) {
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(o).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}
