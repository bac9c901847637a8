package ui

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

// hint shows what to try about a request, and the button that does it.
func (w *Window) hint(s string, fix view.Fix, about capture.Seq) fyne.CanvasObject {
	words := look.NewText(s, look.Plain)
	box := container.NewVBox(container.NewBorder(nil, nil, widget.NewIcon(theme.InfoIcon()), nil, words))
	if fix.Do != "" {
		b := look.NewButton(fix.Title, "", func() { w.fix(fix, about) })
		box.Add(container.NewHBox(gap(18, 0), b))
	}
	return look.NewPanel(box)
}

// fix does what a hint offers.
func (w *Window) fix(f view.Fix, about capture.Seq) {
	switch f.Do {
	case "resign":
		w.replaySeqs(view.Resigned, []capture.Seq{about}, 0)
	case "edit-endpoint":
		w.editEndpoint(f.Endpoint)
	case "self-signed", "target":
		w.try(func(ctx context.Context) error {
			all, err := w.desk.Endpoints(ctx)
			if err != nil {
				return err
			}
			i := slices.IndexFunc(all, func(e capture.Endpoint) bool { return e.Name == f.Endpoint })
			if i < 0 {
				return nil
			}
			return w.desk.SaveEndpoint(ctx, f.Endpoint, f.Apply(all[i]))
		}, func() { w.say(text.T("fix.done", f.Endpoint)) })
	}
}
