package ui

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
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
	scroll  *container.Scroll
	state   *fyne.Container
	trouble *fyne.Container // below the buttons, as all that comes and goes: it moves nothing that is being pressed
	kinds   *look.Choice
	token   *look.Input
	domain  *look.Input
	url     *look.Input
	wrong   *look.Words
	saved   *look.Words // where the token went, right after it was saved
	fields  *fyne.Container
	connect *look.Button
	test    *look.Button
	retry   *look.Button
	result  *look.Words
	stop    context.CancelFunc // of the test under way; nil for none
	history *fyne.Container
}

func (w *Window) openTunnel() {
	x, s := w.inbox, w.desk.Status()
	t := &tunnelPanel{w: w, state: container.NewVBox(), trouble: container.NewVBox(), history: container.NewVBox(), fields: container.NewVBox()}
	t.wrong, t.saved = problem(), look.NewText("", look.OK)
	t.saved.Hide()
	t.token, t.domain, t.url = x.input(text.T("tunnel.token.hint"), ""), x.input(text.T("tunnel.domain.hint"), ""), x.input(text.T("tunnel.own.hint"), "")
	t.token.Password = true
	for _, i := range []*look.Input{t.token, t.domain, t.url} {
		i.OnSubmitted = func(string) { t.apply() }
	}
	switch s.Choice.Kind {
	case "own":
		t.url.SetText(s.Choice.URL)
	case "ngrok":
		t.domain.SetText(s.Choice.URL)
	}
	t.connect = look.NewMainButton(text.T("tunnel.connect"), "", t.apply)
	t.retry = w.button("retry-tunnel", text.T("tunnel.retry"))
	t.test = look.NewButton(text.T("tunnel.test"), w.tip("test-url"), t.ask)
	t.result = look.NewText("", look.Plain)
	t.result.Hide()
	names := make([]string, len(tunnelKinds))
	for i, k := range tunnelKinds {
		names[i] = text.T("tunnel.kind." + k)
	}
	t.kinds = look.NewChoice(names, max(0, slices.Index(tunnelKinds, s.Choice.Kind)))
	t.kinds.OnChange = func(int) { t.choose() }
	t.choose()
	t.draw()
	t.scroll = scroll(container.NewVBox(t.state, look.NewSection(text.T("tunnel.choose")), t.kinds, t.fields,
		container.New(layout.NewRowWrapLayout(), t.connect, t.test, t.retry), t.wrong, t.saved, t.result, t.trouble,
		look.NewSection(text.T("tunnel.history")), t.history))
	x.openPanel(&panel{name: "tunnel", redraw: t.draw}, text.T("tunnel.title"), t.scroll)
	w.tunnel = t
	t.reveal(t.trouble)
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
	t.relay()
	t.reveal(t.result)
}

// kind is the way in that is chosen.
func (t *tunnelPanel) kind() string { return tunnelKinds[t.kinds.At] }

// choose shows the fields of the way in that is chosen.
func (t *tunnelPanel) choose() {
	t.fields.Objects = nil
	switch t.kind() {
	case "ngrok":
		t.fields.Add(muted(text.T("tunnel.ngrok.text")))
		t.fields.Add(t.token)
		t.fields.Add(t.domain)
		t.fields.Add(muted(t.kept()))
	case "own":
		t.fields.Add(muted(text.T("tunnel.own.text", t.w.desk.Status().LocalURL)))
		t.fields.Add(t.url)
	default:
		t.fields.Add(muted(text.T("tunnel.none.text")))
	}
	t.relay()
}

// relay lays the panel out again after something in it came or went.
func (t *tunnelPanel) relay() {
	if t.scroll != nil {
		t.scroll.Refresh()
	}
}

// kept says where the token is, or would be.
func (t *tunnelPanel) kept() string {
	s := t.w.desk.Status()
	t.token.SetPlaceHolder(text.T("tunnel.token.hint"))
	if !s.HasToken {
		return text.T("tunnel.token.later", view.TokenPlace(s))
	}
	t.token.SetPlaceHolder(text.T("tunnel.token.kept"))
	return text.T("tunnel.token.where", view.TokenPlace(s))
}

// apply opens the way in that is chosen.
func (t *tunnelPanel) apply() {
	t.say(t.saved, "")
	c := view.TunnelChoice{Kind: t.kind()}
	switch c.Kind {
	case "own":
		c.URL = strings.TrimSpace(t.url.Text)
		if err := view.CheckURL(c.URL); err != nil {
			t.say(t.wrong, err.Error())
			return
		}
	case "ngrok":
		c.Token, c.URL = strings.TrimSpace(t.token.Text), strings.TrimSpace(t.domain.Text)
		if c.Token == "" && !t.w.desk.Status().HasToken {
			t.say(t.wrong, text.T("tunnel.token.missing"))
			return
		}
	}
	t.say(t.wrong, "")
	t.w.pressed(t.connect, func(ctx context.Context) error { return t.w.desk.Connect(ctx, c) }, func() {
		if c.Token != "" {
			t.token.SetText("")
			t.say(t.saved, text.T("tunnel.token.saved", view.TokenPlace(t.w.desk.Status())))
		}
		t.result.Hide() // it was of the URL before
		t.choose()
		t.draw()
	})
}

// say says something below the buttons, or nothing.
func (t *tunnelPanel) say(l *look.Words, s string) {
	setProblem(l, s)
	t.relay()
	if s != "" {
		t.reveal(l)
	}
}

// reveal scrolls to o, which is below the buttons, where the window is too low to show it.
func (t *tunnelPanel) reveal(o fyne.CanvasObject) {
	if below := o.Position().Y + o.Size().Height - t.scroll.Size().Height; below > t.scroll.Offset.Y {
		t.scroll.ScrollToOffset(fyne.NewPos(0, below))
	}
}

// tells says what happened, what to do, and whose words the error is.
func (t *tunnelPanel) tells(v view.TunnelPanel) fyne.CanvasObject {
	box := container.NewVBox(look.NewText(v.Error, look.Bad), look.NewText(v.Advice, look.Plain))
	if v.Said != "" {
		box.Add(muted(v.Said))
	}
	return look.NewPanel(box)
}

// draw follows the status.
func (t *tunnelPanel) draw() {
	s := t.w.desk.Status()
	v := view.ViewTunnel(s, t.w.clock)
	since, latency := widget.NewLabel(v.Since), widget.NewLabel(v.Latency) // also without words, for their room
	since.Importance, latency.Importance = widget.LowImportance, widget.LowImportance
	head := container.NewHBox(look.NewStatus(tones[v.State.Tone], v.State.Text), since, latency)
	public := t.w.fields(v.Facts[:1])
	if s.PublicURL == "" { // in as much room, but nothing to copy
		public = container.NewStack(gap(0, public.MinSize().Height), quiet(text.T("tunnel.url.none")))
	}
	t.state.Objects = []fyne.CanvasObject{head, public, t.w.fields(v.Facts[1:])}
	enable(t.test, s.PublicURL != "")
	enable(t.retry, s.Choice.Kind != "none")
	t.trouble.Objects = nil
	if v.Error != "" {
		t.trouble.Add(t.tells(v))
	}
	if v.Note != "" && !t.result.Visible() {
		t.trouble.Add(look.NewText(v.Note, look.Plain))
	}
	t.history.Objects = nil
	for _, f := range t.w.past.Lines(t.w.clock) {
		at := widget.NewLabel(f.Name)
		at.Importance = widget.LowImportance
		t.history.Add(container.NewBorder(nil, nil, at, nil, line(f.Value)))
	}
	t.relay()
}
