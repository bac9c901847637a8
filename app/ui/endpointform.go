package ui

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

// replies are the ways to answer, in the order offered.
var replies = []capture.Reply{capture.Ack, capture.Wait, capture.FixedReply}

// An endpointForm edits one endpoint.
type endpointForm struct {
	s        *endpointScreen
	f        view.EndpointForm
	was      view.EndpointForm // before it was edited
	body     *fyne.Container
	around   *container.Scroll
	problems map[string]*look.Words
	touched  map[string]bool // a new form complains only about what was written
	away     *widget.Check
	note     *look.Words
	dot      *look.Status
	dots     *fyne.Container // around it
	open     *look.Words     // whether somebody listens elsewhere
	found    *fyne.Container
	secrets  *fyne.Container
	reply    *fyne.Container
	setup    *fyne.Container
	came     *fyne.Container // whether anything came in; nil for a new endpoint
	save     *look.Button
	timer    *time.Timer
	dials    int
}

func newEndpointForm(s *endpointScreen, was, f view.EndpointForm) fyne.CanvasObject {
	e := &endpointForm{s: s, f: f, was: was, problems: map[string]*look.Words{}, touched: map[string]bool{}, note: muted(""), dot: look.NewStatus(look.Muted, ""), open: muted(""), found: container.NewGridWrap(look.ButtonSize("http://localhost:00000")), secrets: container.NewVBox(), reply: container.NewVBox()}
	e.save = look.NewMainButton(text.T("endpoint.save"), "", e.submit)
	buttons := container.NewHBox(e.save)
	title := text.T("cmd.add-endpoint")
	if f.Old != "" {
		title = f.Old
		if f.Path != "/" { // it catches what no other does, and stays
			buttons.Add(look.NewButton(text.T("endpoint.delete"), text.T("endpoint.delete.tip"), func() { s.remove(f.Old) }))
		}
	}
	e.setup = container.NewVBox()
	e.drawSetup()
	e.wait()
	e.drawSecrets()
	e.drawReply()
	e.body = container.NewVBox(
		e.entry("name", text.T("endpoint.name"), &e.f.Name, ""),
		e.entry("path", text.T("endpoint.path"), &e.f.Path, "/stripe"),
		field(text.T("column.provider"), e.provider(), nil),
		e.setup,
		look.NewSection(text.T("endpoint.target")),
		e.target(),
		look.NewSection(text.T("endpoint.secrets.title")), e.secrets,
		look.NewSection(text.T("endpoint.reply")), e.reply,
		look.NewSection(text.T("endpoint.forwarding")),
		e.entry("timeout", text.T("endpoint.timeout"), &e.f.Timeout, text.T("endpoint.timeout.hint")),
		e.entry("parallel", text.T("endpoint.parallel"), &e.f.Parallel, "1"),
		e.check(text.T("endpoint.strict"), &e.f.Strict),
		e.check(text.T("endpoint.keephost"), &e.f.KeepHost),
		e.check(text.T("endpoint.selfsigned"), &e.f.SelfSigned),
		e.check(text.T("endpoint.forwardrefused"), &e.f.ForwardRefused))
	e.around = scroll(e.body)
	e.validate()
	e.dial()
	head := container.NewBorder(nil, widget.NewSeparator(), nil, buttons, heading(title))
	return container.NewPadded(container.NewBorder(head, nil, nil, nil, e.around))
}

// entry is a field of one line.
func (e *endpointForm) entry(name, title string, value *string, hint string) fyne.CanvasObject {
	i := e.input(hint)
	i.SetText(*value)
	i.OnChanged = func(s string) { *value = s; e.touched[name] = true; e.validate() }
	e.problems[name] = problem()
	return field(title, i, e.problems[name])
}

func (e *endpointForm) check(title string, value *bool) fyne.CanvasObject {
	c := widget.NewCheck(title, nil)
	c.SetChecked(*value)
	c.OnChanged = func(on bool) { *value = on; e.validate() }
	return c
}

func (e *endpointForm) provider() fyne.CanvasObject {
	choices := view.ProviderChoices(e.s.w.desk)
	choices[0].Name = text.T("endpoint.provider.any")
	names := make([]string, len(choices))
	for i, c := range choices {
		names[i] = c.Name
	}
	s := widget.NewSelect(names, nil)
	s.SetSelectedIndex(max(0, slices.IndexFunc(choices, func(c view.Choice) bool { return c.Value == e.f.Provider })))
	s.OnChanged = func(string) {
		e.f.Provider = choices[s.SelectedIndex()].Value
		e.drawSetup()
		e.drawSecrets()
	}
	return s
}

// target is the field of the target, with what is to know of it while it is typed.
func (e *endpointForm) target() fyne.CanvasObject {
	i := e.input("http://localhost:3000/webhooks")
	i.SetText(e.f.Target)
	i.OnChanged = func(s string) {
		e.f.Target, e.f.AwayOK = s, false
		e.away.SetChecked(false)
		e.validate()
		e.dialSoon()
	}
	e.problems["target"], e.problems["away"] = problem(), problem()
	e.dots = container.NewHBox(e.dot)
	for _, o := range []fyne.CanvasObject{e.dots, e.note, e.open, e.found} { // until something is known
		o.Hide()
	}
	e.away = widget.NewCheck(text.T("endpoint.away"), nil)
	e.away.SetChecked(e.f.AwayOK)
	e.away.OnChanged = func(on bool) { e.f.AwayOK = on; e.validate() }
	below := container.NewVBox(container.NewBorder(nil, nil, i, nil), e.problems["target"], e.problems["away"], e.away, e.dots, e.note, e.open, e.found)
	below.Objects[0] = i
	return field(text.T("endpoint.target.url"), below, nil)
}

// validate says what is wrong, and lets nothing wrong be saved.
func (e *endpointForm) validate() {
	p := e.f.Problems(e.s.all)
	for name, l := range e.problems {
		said := p[name]
		if e.f.Old == "" && !e.touched[name] && (name == "name" || name == "path") {
			said = ""
		}
		setProblem(l, said)
	}
	if e.away != nil {
		visible(e.away, p["away"] != "" || e.f.AwayOK)
	}
	target, err := view.Target(e.f.Target)
	note := ""
	if err == nil {
		note = view.TargetNote(target)
	}
	setText(e.note, note)
	visible(e.note, note != "")
	if (len(p) > 0) != e.save.Disabled() {
		if len(p) > 0 {
			e.save.Disable()
		} else {
			e.save.Enable()
		}
	}
	e.relay()
}

// dialSoon waits until typing rests, and then looks who listens.
func (e *endpointForm) dialSoon() {
	if e.timer != nil {
		e.timer.Stop()
	}
	e.timer = time.AfterFunc(settle, func() { e.s.w.ui.Post(e.dial) })
}

// dial looks beside the window whether somebody listens at the target, and where else on this machine.
func (e *endpointForm) dial() {
	e.dials++
	dials := e.dials
	target, err := view.Target(e.f.Target)
	visible(e.dots, err == nil && target != "")
	if err != nil {
		return
	}
	start(e.s.w, func(ctx context.Context) (view.Dialled, error) { return view.Dial(ctx, e.s.w.desk, target), nil }, func(d view.Dialled, _ error) {
		if dials != e.dials {
			return
		}
		e.dot.Set(tones[d.Target.Tone], d.Target.Text)
		visible(e.dots, d.Target.Text != "")
		e.found.Objects = nil
		setText(e.open, d.Note)
		visible(e.open, d.Note != "")
		for _, other := range d.Others {
			e.found.Add(look.NewButton(other, text.T("endpoint.use"), func() {
				e.f.Target = other
				e.s.form(e.was, e.f)
			}))
		}
		e.found.Refresh()
		visible(e.found, len(d.Others) > 0)
		e.relay()
	})
}

// drawSecrets lists the secrets that are there, which are never shown, and the new ones.
func (e *endpointForm) drawSecrets() {
	e.secrets.Objects = []fyne.CanvasObject{muted(text.T("endpoint.secrets.text", view.TokenPlace(e.s.w.last)))}
	for i := range e.f.Kept {
		drop := look.NewButton(text.T("endpoint.secret.drop"), "", func() {
			e.f.Kept = slices.Delete(slices.Clone(e.f.Kept), i, i+1)
			e.drawSecrets()
		})
		e.secrets.Add(container.NewBorder(nil, nil, nil, drop, widget.NewLabel(text.T("endpoint.secret.kept", text.Number(int64(i+1))))))
	}
	for i := range e.f.Secrets {
		in := e.input(text.T("endpoint.secret.hint"))
		in.Password = true
		in.SetText(e.f.Secrets[i])
		wrong := problem()
		check := func(s string) { setProblem(wrong, view.SecretProblem(e.chosen(), s)) }
		in.OnChanged = func(s string) { e.f.Secrets[i] = s; check(s) }
		check(e.f.Secrets[i])
		e.secrets.Add(in)
		e.secrets.Add(wrong)
	}
	more := look.NewButton(text.T("endpoint.secret.add"), "", func() {
		e.f.Secrets = append(e.f.Secrets, "")
		e.drawSecrets()
		if in, ok := e.secrets.Objects[len(e.secrets.Objects)-3].(*look.Input); ok {
			e.s.w.win.Canvas().Focus(in) // it is too new to be found by its canvas
		}
	})
	e.secrets.Add(container.NewHBox(more))
	e.secrets.Refresh()
	e.relay()
}

// drawReply shows the ways to answer, and the fields of the one chosen.
func (e *endpointForm) drawReply() {
	names := make([]string, len(replies))
	for i, r := range replies {
		names[i] = text.T("endpoint.reply." + view.ReplyWord(r))
	}
	radio := widget.NewRadioGroup(names, nil)
	radio.Required = true
	radio.SetSelected(names[max(0, slices.Index(replies, e.f.Reply))])
	radio.OnChanged = func(s string) {
		e.f.Reply = replies[slices.Index(names, s)]
		if e.f.Reply == capture.FixedReply && e.f.Status == "" {
			e.f.Status = "500"
		}
		e.drawReply()
		e.validate()
	}
	e.reply.Objects = []fyne.CanvasObject{radio}
	switch e.f.Reply {
	case capture.Wait:
		e.reply.Add(e.entry("deadline", text.T("endpoint.deadline"), &e.f.Deadline, text.T("endpoint.deadline.hint")))
	case capture.FixedReply:
		e.reply.Add(e.entry("status", text.T("endpoint.fixed.status"), &e.f.Status, "500"))
		e.reply.Add(e.entry("body", text.T("endpoint.fixed.body"), &e.f.Body, ""))
		e.reply.Add(e.entry("delay", text.T("endpoint.fixed.delay"), &e.f.Delay, "0"))
		e.reply.Add(e.entry("times", text.T("endpoint.fixed.times"), &e.f.Times, text.T("endpoint.fixed.times.hint")))
	case capture.Ack:
	}
	e.reply.Add(e.check(text.T("endpoint.passchecks"), &e.f.PassChecks))
	e.reply.Refresh()
	e.relay()
}
