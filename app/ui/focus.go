package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"anyhook.net/desktop/app/ui/grid"
)

// Focus gives the keys to the list of the screen that is shown. The program
// calls it when the window has appeared: before, nothing can be focused.
func (w *Window) Focus() {
	if t := tableIn(w.center); t != nil && w.win.Content() == w.frame {
		w.win.Canvas().Focus(t) // which knows a screen that has not been drawn yet
	}
}

func (w *Window) quit() {
	if w.o.Quit != nil {
		w.o.Quit()
		return
	}
	w.win.Close()
}

// tableIn returns the first table in o; nil if there is none.
func tableIn(o fyne.CanvasObject) *grid.Table {
	var in []fyne.CanvasObject
	switch o := o.(type) {
	case *grid.Table:
		return o
	case *fyne.Container:
		in = o.Objects
	case *container.Split:
		in = []fyne.CanvasObject{o.Leading, o.Trailing}
	}
	for _, o := range in {
		if t := tableIn(o); t != nil {
			return t
		}
	}
	return nil
}
