// Package look is how AnyHook looks: one theme with its colours, sizes and
// fonts, and the small widgets that every screen is made of. Nothing else in
// the program names a colour or a size.
//
// A colour has a name and a meaning ([Tone]), never a place. Nothing is said by
// colour alone: a [Badge] has a symbol and a word, a [Status] a word. All text
// has a contrast of at least 4.5 to 1 on every background it may stand on, and
// a test computes it.
//
// Widgets take their words from the caller, who translates them.
//
// Everything but a [Dispatcher] and [Redraw.Mark] belongs to the goroutine that
// draws.
package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Color is the colour called name right now. Names of ours work under any theme.
func Color(name fyne.ThemeColorName) color.Color {
	set := fyne.CurrentApp().Settings()
	if t, ok := set.Theme().(*Theme); ok {
		return t.Color(name, set.ThemeVariant())
	}
	if c, ok := palette(set.ThemeVariant())[name]; ok && own(name) {
		return c
	}
	return set.Theme().Color(name, set.ThemeVariant())
}

// Scale is how large text is, against 1 as usual.
func Scale() float32 {
	if t, ok := fyne.CurrentApp().Settings().Theme().(*Theme); ok && t.Scale > 0 {
		return t.Scale
	}
	return 1
}

// Size is the size called name right now, in pixels that do not depend on the screen.
func Size(name fyne.ThemeSizeName) float32 {
	return fyne.CurrentApp().Settings().Theme().Size(name)
}

// Text measures s at a size, in a style.
func Text(s string, size float32, style fyne.TextStyle) fyne.Size {
	return fyne.MeasureText(s, size, style)
}

// RowHeight is the height of a line in a list or table.
func RowHeight() float32 {
	room := Size(sizeRow)
	if room == 0 { // another theme
		room = 2 * (Size(theme.SizeNamePadding) + 1)
	}
	return room + float32(int(Text("Åg漢", Size(theme.SizeNameText), fyne.TextStyle{}).Height))
}

// Ellipsis cuts s so that it is at most width wide, with … at its end. It never
// cuts a rune in two.
func Ellipsis(s string, width, size float32, style fyne.TextStyle) string {
	if s == "" || width <= 0 {
		return ""
	}
	if float32(len(s))*size*0.45 > width*4 { // nothing that long can fit: do not measure all of it
		s = string([]rune(s[:min(len(s), int(width/size*16)+8)]))
	} else if Text(s, size, style).Width <= width {
		return s
	}
	runes := []rune(s)
	low, high := 0, len(runes)
	for low < high {
		mid := (low + high + 1) / 2
		if Text(string(runes[:mid])+"…", size, style).Width <= width {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return string(runes[:low]) + "…"
}
