package ui

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// tunnelKinds are the ways in, in the order offered.
var tunnelKinds = []string{"none", "ngrok", "own"}

// A tunnelPanel tells how the way in is doing, and changes it.
type tunnelPanel struct {
	w       *Window
	state   *fyne.Container
	kinds   *widget.RadioGroup
	token   *look.Input
	domain  *look.Input
	url     *look.Input
	wrong   *look.Words
	fields  *fyne.Container
	connect *look.Button
	test    *look.Button
	retry   *look.Button
	result  *look.Words
	stop    context.CancelFunc // of the test under way; nil for none
	history *fyne.Container
}

func (w *Window) openTunnel() {
	x := w.inbox
	t := &tunnelPanel{w: w, state: container.NewVBox(), history: container.NewVBox(), wrong: problem(), fields: container.NewVBox()}
	t.token, t.domain, t.url = x.input(text.T("tunnel.token.hint"), ""), x.input(text.T("tunnel.domain.hint"), ""), x.input(text.T("tunnel.own.hint"), "")
	t.token.Password = true
	s := w.desk.Status()
	if s.HasToken {
		t.token.PlaceHolder = text.T("tunnel.token.kept")
	}
	switch s.Choice.Kind {
	case "own":
		t.url.SetText(s.Choice.URL)
	case "ngrok":
		t.domain.SetText(s.Choice.URL)
	}
	t.connect = look.NewMainButton(text.T("tunnel.connect"), "", t.apply)
	names := make([]string, len(tunnelKinds))
	for i, k := range tunnelKinds {
		names[i] = text.T("tunnel.kind." + k)
	}
	t.kinds = widget.NewRadioGroup(names, func(string) { t.choose() })
	t.kinds.Required = true
	for i, k := range tunnelKinds {
		if k == s.Choice.Kind {
			t.kinds.SetSelected(names[i])
		}
	}
	t.choose()
	t.draw()
	t.retry = w.button("retry-tunnel", text.T("tunnel.retry"))
	t.test = look.NewButton(text.T("tunnel.test"), w.tip("test-url"), t.ask)
	t.result = look.NewText("", look.Plain)
	t.result.Hide()
	visible(t.test, s.PublicURL != "")
	visible(t.retry, s.Choice.Kind != "none")
	content := scroll(container.NewVBox(t.state, container.NewHBox(t.retry, t.test), t.result,
		look.NewSection(text.T("tunnel.choose")), t.kinds, t.fields, t.wrong, container.NewHBox(t.connect),
		look.NewSection(text.T("tunnel.history")), t.history))
	x.openPanel(&panel{name: "tunnel", redraw: t.draw}, text.T("tunnel.title"), content)
	w.tunnel = t
}

// testURL asks for the public URL from outside, in the panel of the tunnel.
func (w *Window) testURL() {
	if w.inbox.panel == nil || w.inbox.panel.name != "tunnel" {
		w.openTunnel()
	}
	w.tunnel.ask()
}

// ask tests the public URL beside the window; pressed again, it stops.
func (t *tunnelPanel) ask() {
	if t.stop != nil {
		t.stop()
		return
	}
	ctx, stop := context.WithCancel(t.w.ctx)
	t.stop = stop
	t.test.SetText(text.T("tunnel.test.cancel"))
	t.tell(view.Mark{Tone: view.Busy, Text: text.T("tunnel.test.running")})
	start(t.w, func(context.Context) (struct{}, error) { return struct{}{}, t.w.desk.TestURL(ctx) }, func(_ struct{}, err error) {
		stopped := ctx.Err() != nil
		stop()
		t.stop = nil
		t.test.SetText(text.T("tunnel.test"))
		if stopped {
			err = context.Canceled
		}
		t.tell(view.TestResult(err))
	})
}

// tell shows how a test goes.
func (t *tunnelPanel) tell(m view.Mark) {
	t.result.SetTone(tones[m.Tone])
	t.result.SetText(m.Text)
	t.result.Show()
}

// kind is the way in that is chosen.
func (t *tunnelPanel) kind() string {
	for _, k := range tunnelKinds {
		if t.kinds.Selected == text.T("tunnel.kind."+k) {
			return k
		}
	}
	return "none"
}

// choose shows the fields of the way in that is chosen.
func (t *tunnelPanel) choose() {
	t.fields.Objects = nil
	switch t.kind() {
	case "ngrok":
		t.fields.Add(muted(text.T("tunnel.ngrok.text")))
		t.fields.Add(t.token)
		t.fields.Add(t.domain)
		t.fields.Add(muted(text.T("tunnel.token.where", view.TokenPlace(t.w.desk.Status()))))
	case "own":
		t.fields.Add(muted(text.T("tunnel.own.text", t.w.desk.Status().LocalURL)))
		t.fields.Add(t.url)
	default:
		t.fields.Add(muted(text.T("tunnel.none.text")))
	}
	t.fields.Refresh()
}

// apply opens the way in that is chosen.
func (t *tunnelPanel) apply() {
	c := view.TunnelChoice{Kind: t.kind()}
	switch c.Kind {
	case "own":
		c.URL = strings.TrimSpace(t.url.Text)
		if err := view.CheckURL(c.URL); err != nil {
			setProblem(t.wrong, err.Error())
			return
		}
	case "ngrok":
		c.Token, c.URL = strings.TrimSpace(t.token.Text), strings.TrimSpace(t.domain.Text)
		if c.Token == "" && !t.w.last.HasToken {
			setProblem(t.wrong, text.T("tunnel.token.missing"))
			return
		}
	}
	setProblem(t.wrong, "")
	t.w.pressed(t.connect, func(ctx context.Context) error { return t.w.desk.Connect(ctx, c) }, func() {
		t.token.SetText("")
		t.draw()
	})
}

// trouble says what happened, what to do, and what the service said.
func (t *tunnelPanel) trouble(v view.TunnelPanel) fyne.CanvasObject {
	box := container.NewVBox(look.NewText(v.Error, look.Bad), look.NewText(v.Advice, look.Plain))
	if v.Said != "" {
		box.Add(muted(v.Said))
	}
	return box
}

// draw follows the status.
func (t *tunnelPanel) draw() {
	v := view.ViewTunnel(t.w.desk.Status(), t.w.clock)
	t.state.Objects = nil
	head := container.NewHBox(look.NewStatus(tones[v.State.Tone], v.State.Text))
	if v.Since != "" {
		l := widget.NewLabel(v.Since)
		l.Importance = widget.LowImportance
		head.Add(l)
	}
	if v.Latency != "" {
		l := widget.NewLabel(v.Latency)
		l.Importance = widget.LowImportance
		head.Add(l)
	}
	t.state.Add(head)
	if v.Error != "" {
		t.state.Add(look.NewPanel(t.trouble(v)))
	}
	t.state.Add(t.w.fields(v.Facts))
	if t.test != nil {
		visible(t.test, t.w.last.PublicURL != "")
		visible(t.retry, t.w.last.Choice.Kind != "none")
	}
	t.state.Refresh()
	t.history.Objects = nil
	for _, f := range t.w.past.Lines(t.w.clock) {
		at := widget.NewLabel(f.Name)
		at.Importance = widget.LowImportance
		t.history.Add(container.NewBorder(nil, nil, at, nil, line(f.Value)))
	}
	t.history.Refresh()
}
