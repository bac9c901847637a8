package ui

import (
	"context"
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// openSamples offers the sample events below the button of the bar.
func (w *Window) openSamples() { w.samplesBelow(w.bar.sample) }

// samplesBelow offers the sample events, by provider, below o.
func (w *Window) samplesBelow(o fyne.CanvasObject) {
	m := fyne.NewMenu("")
	for _, p := range view.SampleChoices(w.desk) {
		sub := fyne.NewMenu("")
		for _, name := range w.desk.Samples(p.Value) {
			sub.Items = append(sub.Items, fyne.NewMenuItem(name, func() { w.sendSample(p.Value, name) }))
		}
		item := fyne.NewMenuItem(p.Name, nil)
		item.ChildMenu = sub
		m.Items = append(m.Items, item)
	}
	practice := fyne.NewMenuItem(text.T("sample.practice"), w.practice)
	practice.Icon = theme.CheckButtonIcon()
	if w.last.Practice != "" {
		practice.Icon = theme.CheckButtonCheckedIcon()
	}
	m.Items = append(m.Items, fyne.NewMenuItemSeparator(), practice)
	w.menuBelow(m, o)
}

// menuBelow drops a menu below o, with its left edge at o's, or opens it above
// o where there is no room.
func (w *Window) menuBelow(m *fyne.Menu, o fyne.CanvasObject) {
	at, need, room := fyne.CurrentApp().Driver().AbsolutePositionForObject(o), widget.NewMenu(m).MinSize(), w.win.Canvas().Size()
	x, y := min(at.X, room.Width-need.Width-4), at.Y+o.Size().Height+2
	if above := at.Y - need.Height - 2; y+need.Height > room.Height && above >= 0 {
		y = above
	}
	widget.ShowPopUpMenuAtPosition(m, w.win.Canvas(), fyne.NewPos(max(0, x), y))
}

func (w *Window) sendSample(provider, name string) {
	w.show("inbox")
	w.try(func(ctx context.Context) error { return w.desk.SendSample(ctx, provider, name) }, func() {})
}

// practice starts or stops the practice handler; the bar says which.
func (w *Window) practice() {
	on := w.last.Practice == ""
	w.try(func(ctx context.Context) error { return w.desk.Practice(ctx, on) }, func() {})
}

// openShop shows in the browser what the practice handler did, and offers the
// address for one elsewhere.
func (w *Window) openShop() {
	u, err := url.Parse(w.last.Practice)
	if err != nil || u.Host == "" {
		return
	}
	page := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}
	at := page.String()
	w.browse(&page, text.T("shop.at", at), text.T("shop.nobrowser", at))
}

// browse shows a page in the browser, and offers its address for one elsewhere.
// It says at, or none where there is no browser.
func (w *Window) browse(page *url.URL, at, none string) {
	address := page.String()
	m := look.Message{Badge: look.Valid(""), Text: at, Action: text.T("copy.value"), Do: func() { w.copy(address, text.T("copied.url", address)) }}
	if fyne.CurrentApp().OpenURL(page) != nil { // nil does not say that one opened
		m.Badge, m.Text = look.Doubtful(""), none
	}
	w.frame.Say(m)
}
