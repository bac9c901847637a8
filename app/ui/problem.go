package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
)

// ShowProblem shows in a window of its own why the program cannot start.
func ShowProblem(win fyne.Window, problem string) {
	quit := look.NewMainButton(text.T("cmd.quit"), "", win.Close)
	quit.OnEscape = win.Close
	win.SetContent(container.NewPadded(container.NewBorder(nil, container.NewHBox(layout.NewSpacer(), quit), nil, nil, look.NewText(problem, look.Plain))))
	win.Resize(fyne.NewSize(480, 160))
	win.SetMaster()
	win.Show()
	win.Canvas().Focus(quit)
}
