package ui

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

// tabs are the tabs of the detail, in order.
var tabs = []string{"summary", "body", "headers", "signature", "deliveries"}

// A detail shows one request.
type detail struct {
	w        *Window
	box      *fyne.Container
	title    *widget.Label
	subtitle *widget.Label
	marks    *fyne.Container
	buttons  map[string]*look.Button
	content  *fyne.Container
	empty    fyne.CanvasObject
	page     fyne.CanvasObject
	none     *look.Words
	tear     *look.Button // opens it in a window of its own

	tab    string
	seq    capture.Seq  // the one wanted; 0 for none
	shown  *view.Detail // the one shown
	loads  int          // counts, so that an older answer does not replace a newer one
	looks  string       // what the rows said of the request, to see whether it changed
	bodies *bodyTab
	sends  *deliveriesTab
}

func newDetail(w *Window) *detail {
	d := &detail{w: w, tab: "summary", buttons: map[string]*look.Button{}}
	d.title, d.subtitle = heading(""), line("")
	d.subtitle.Importance = widget.LowImportance
	d.marks = container.NewStack()
	bar := container.NewHBox()
	for _, name := range tabs {
		b := look.NewButton(text.T("tab."+name), w.tip("tab."+name), func() { d.turn(name) })
		d.buttons[name] = b
		bar.Add(b)
	}
	d.content = container.NewStack()
	d.tear = w.icon("tear", theme.ViewFullScreenIcon())
	top := container.NewBorder(nil, nil, nil, container.NewVBox(d.tear), tight(d.title, d.subtitle))
	head := container.NewVBox(top, container.NewHBox(gap(2, 0), d.marks), gap(0, 2), container.NewHScroll(bar), widget.NewSeparator())
	d.page = container.NewPadded(container.NewBorder(head, nil, nil, nil, d.content))
	d.none = look.NewText("", look.Muted)
	d.none.Alignment = fyne.TextAlignCenter
	d.empty = container.NewBorder(nil, nil, nil, nil, container.New(centerLayout{}, d.none))
	d.box = container.NewStack(d.empty)
	d.bodies, d.sends = newBodyTab(w), newDeliveriesTab(w)
	if old := w.inbox.detail; old != nil {
		d.tab = old.tab
	}
	d.several(0)
	return d
}

// centerLayout puts its object over the whole width, in the middle of the height.
type centerLayout struct{}

func (centerLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(80, o[0].MinSize().Height)
}

func (centerLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	h := o[0].MinSize().Height
	o[0].Resize(fyne.NewSize(s.Width, h))
	o[0].Move(fyne.NewPos(0, (s.Height-h)/2))
}

// several says how many requests are selected, when it is not one.
func (d *detail) several(n int) {
	d.seq, d.shown, d.looks = 0, nil, ""
	d.loads++
	s := text.T("detail.none")
	if n > 1 {
		s = text.N("detail.several", int64(n))
	}
	setText(d.none, s)
	d.box.Objects = []fyne.CanvasObject{d.empty}
	d.box.Refresh()
}

// open reads a request beside the window and shows it.
func (d *detail) open(seq capture.Seq) {
	if d.seq == seq && d.shown != nil {
		return
	}
	d.seq = seq
	d.load()
}

// refresh reads the open request again if its row says something else than before.
func (d *detail) refresh() {
	if d.seq == 0 {
		return
	}
	if now := d.look(); now != d.looks || d.underWay() {
		d.load()
	}
}

// underWay reports whether an attempt that is shown has no end yet. The row
// need not change when it gets one.
func (d *detail) underWay() bool {
	return d.shown != nil && slices.ContainsFunc(d.shown.Attempts, func(a view.AttemptView) bool { return a.UnderWay })
}

// look is what the list says of the open request.
func (d *detail) look() string {
	row := d.w.inbox.model.Row(d.w.inbox.model.Index(d.seq))
	words := []string{row.Outcome.Text, row.Signature.Text, row.What}
	for _, b := range row.Badges {
		words = append(words, b.Text)
	}
	return strings.Join(words, "|")
}

func (d *detail) load() {
	d.loads++
	load, seq, clock := d.loads, d.seq, d.w.clock
	d.looks = d.look()
	start(d.w, func(ctx context.Context) (*view.Detail, error) {
		sums, err := d.w.desk.Summaries(ctx, []capture.Seq{seq})
		if err != nil || len(sums) == 0 {
			return nil, err
		}
		return view.LoadDetail(ctx, d.w.desk, clock, sums[0].ID)
	}, func(v *view.Detail, err error) {
		switch {
		case load != d.loads:
		case err != nil:
			d.w.fail(err)
		case v != nil:
			d.show(v)
		}
	})
}

func (d *detail) show(v *view.Detail) {
	same := d.shown != nil && d.shown.Request.ID == v.Request.ID
	d.shown = v
	setText(d.title, v.Title)
	setText(d.subtitle, v.Subtitle)
	d.marks.Objects = []fyne.CanvasObject{chips(v.Marks)}
	d.box.Objects = []fyne.CanvasObject{d.page}
	d.box.Refresh()
	if same && (d.tab == "body" || d.tab == "headers") {
		return // evidence does not change: keep what is selected and scrolled
	}
	d.turn(d.tab)
}

// turn turns to a tab.
func (d *detail) turn(tab string) {
	d.tab = tab
	for name, b := range d.buttons {
		on(b, name == tab)
	}
	if d.shown == nil {
		return
	}
	var o fyne.CanvasObject
	switch tab {
	case "body":
		o = d.bodies.show(view.BodyOf(d.shown.Request), string(d.shown.Request.ID))
	case "headers":
		o = d.headers()
	case "signature":
		o = d.signature()
	case "deliveries":
		o = d.sends.show(d.shown)
	default:
		o = d.summary()
	}
	d.content.Objects = []fyne.CanvasObject{o}
	d.content.Refresh()
}

// focus gives the keyboard to the tabs.
func (d *detail) focus() {
	if b := d.buttons[d.tab]; b != nil && d.shown != nil {
		look.Focus(b)
	}
}

// fields are lines of facts.
func (w *Window) fields(facts []view.Fact) fyne.CanvasObject {
	box := tight()
	for _, f := range facts {
		box.Add(look.NewField(f.Name, f.Value, text.T("copy.value"), func() { w.say(text.T("copied", f.Name)) }).Full(f.Full))
	}
	return box
}

// summary is what happened, in words, and the facts.
func (d *detail) summary() fyne.CanvasObject {
	v := d.shown
	words := tight()
	for _, s := range v.Sentences {
		words.Add(look.NewText(s, look.Plain))
	}
	box := container.NewVBox(words)
	if len(v.Attempts) > 0 && v.Attempts[0].Hint != "" {
		box.Add(d.w.hint(v.Attempts[0].Hint, v.Attempts[0].Fix, d.seq))
	}
	if v.Stale != "" {
		box.Add(d.w.hint(v.Stale, v.StaleFix(), d.seq))
	}
	if v.From != nil {
		box.Add(d.w.links(text.T("summary.from"), *v.From))
	}
	if len(v.Made) > 0 {
		box.Add(d.w.links(text.T("summary.made"), v.Made...))
	}
	box.Add(look.NewSection(text.T("summary.facts")))
	box.Add(d.w.fields(v.Facts))
	if len(v.Events) > 0 {
		box.Add(look.NewSection(text.N("summary.events", int64(len(v.Request.Events)))))
		events := tight()
		for _, e := range v.Events {
			events.Add(eventLine(e))
		}
		box.Add(events)
	}
	return scroll(box)
}

// links lead to other requests.
func (w *Window) links(name string, all ...view.Link) fyne.CanvasObject {
	head := widget.NewLabel(name)
	head.Importance = widget.LowImportance
	box := tight()
	for _, l := range all {
		box.Add(container.NewHBox(look.NewButton(l.Text, text.T("link.open"), func() { w.openSeq(l.Seq) })))
	}
	return container.NewBorder(nil, nil, container.NewVBox(head), nil, box)
}

// openSeq shows one request in the inbox, also if its filter hides it.
func (w *Window) openSeq(seq capture.Seq) {
	w.show("inbox")
	if w.inbox.model.Index(seq) < 0 {
		w.inbox.filters.set(view.Chips{})
	}
	w.Select(seq)
}

func eventLine(e view.EventView) fyne.CanvasObject {
	what := line(e.Type + "  " + e.Object)
	return container.NewBorder(nil, nil, nil, container.NewHBox(container.NewCenter(chips(e.Marks)), widget.NewLabel(e.Time)), what)
}

// headers are the head as it came, and apart from it what the tunnel added.
func (d *detail) headers() fyne.CanvasObject {
	h := d.shown.Headers
	head := newCode()
	head.SetWrap(true)
	head.ShowHead(h.Bytes)
	copyAll := look.NewButton(text.T("headers.copy"), "", func() { d.w.copy(string(d.shown.Request.Head), text.T("copied", text.T("tab.headers"))) })
	var below fyne.CanvasObject
	if len(h.Tunnel) > 0 {
		var facts []view.Fact
		for _, l := range h.Tunnel {
			facts = append(facts, view.Fact{Name: l.Name, Value: l.Value})
		}
		below = container.NewVBox(look.NewSection(text.T("headers.tunnel")), d.w.fields(facts))
	}
	return container.NewBorder(look.NewSection(text.T("headers.sender"), copyAll), below, nil, nil, head)
}
