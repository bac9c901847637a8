package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/view"
)

// openSamples offers the sample events, by provider.
func (w *Window) openSamples() {
	m := fyne.NewMenu("")
	for _, p := range view.ProviderChoices(w.desk)[1:] {
		names := w.desk.Samples(p.Value)
		if len(names) == 0 {
			continue
		}
		sub := fyne.NewMenu("")
		for _, name := range names {
			sub.Items = append(sub.Items, fyne.NewMenuItem(name, func() { w.sendSample(p.Value, name) }))
		}
		item := fyne.NewMenuItem(p.Name, nil)
		item.ChildMenu = sub
		m.Items = append(m.Items, item)
	}
	practice := fyne.NewMenuItem(text.T("sample.practice"), w.practice)
	practice.Checked = w.last.Practice != ""
	m.Items = append(m.Items, fyne.NewMenuItemSeparator(), practice)
	b := w.bar.sample
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
	widget.ShowPopUpMenuAtPosition(m, w.win.Canvas(), at.AddXY(b.Size().Width-widget.NewMenu(m).MinSize().Width, b.Size().Height))
}

func (w *Window) sendSample(provider, name string) {
	w.show("inbox")
	w.try(func(ctx context.Context) error { return w.desk.SendSample(ctx, provider, name) }, func() {
		w.say(text.T("sample.sent", name))
	})
}

// practice starts or stops the practice handler.
func (w *Window) practice() {
	on := w.last.Practice == ""
	w.try(func(ctx context.Context) error { return w.desk.Practice(ctx, on) }, func() {
		if on {
			w.say(text.T("practice.on"))
		} else {
			w.say(text.T("practice.off"))
		}
	})
}
