package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/grid"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

const (
	widthsPref = "inbox.widths"
	splitPref  = "inbox.split"
)

// An inbox is the screen with the list of requests.
type inbox struct {
	w       *Window
	model   *view.Inbox
	box     *fyne.Container
	list    *fyne.Container
	foot    *fyne.Container
	middle  *fyne.Container // the list beside the detail, or alone before the first request
	table   *grid.Table
	filters *filters
	detail  *detail
	actions *actionRow
	runs    *runStrip
	split   *container.Split
	side    *fyne.Container
	panel   *panel // over the detail, nil for none
	search  *widget.Label
}

func newInbox(w *Window) *inbox {
	x := &inbox{w: w}
	x.model = view.NewInbox(w.desk, w.clock, w.drawer(x.draw))
	x.model.Failed = func(err error) { w.ui.Post(func() { w.fail(err) }) }
	return x
}

// build makes what has words in it.
func (x *inbox) build() {
	w := x.w
	var selected []int64
	if x.table != nil {
		selected = x.table.Selected()
	}
	x.table = grid.New(rows{x}, columns()...)
	x.table.OnSelect = x.selected
	x.table.OnActivate = func(int64) { x.detail.focus() }
	x.table.OnMenu = func(at fyne.Position) { widget.ShowPopUpMenuAtPosition(w.rowMenu(), w.win.Canvas(), at) }
	x.table.OnCopy = func() { w.Do("curl") }
	w.columns(widthsPref, x.table)
	x.filters = newFilters(w)
	x.detail = newDetail(w)
	x.actions = newActionRow(w)
	x.runs = newRunStrip(w)
	x.search = widget.NewLabel("")
	x.search.SizeName, x.search.Importance = theme.SizeNameCaptionText, widget.LowImportance
	x.search.Hide()
	x.side = container.NewStack(x.detail.box)
	if x.panel != nil {
		x.panel = nil
	}
	x.list = container.NewBorder(container.NewVBox(x.filters.box, x.search), nil, nil, nil, inRoom(x.table))
	x.split = w.split(splitPref, container.NewHSplit(x.list, x.side), 0.6)
	x.foot = container.NewVBox(x.runs.box, x.actions.box)
	x.middle = container.NewStack(x.split)
	x.box = container.NewBorder(nil, x.foot, nil, nil, x.middle)
	x.welcome()
	x.table.Select(selected...)
	x.selected()
}

func columns() []grid.Column {
	return []grid.Column{
		{ID: "number", Title: text.T("column.number"), Width: 46, Right: true},
		{ID: "time", Title: text.T("column.time"), Width: 78, Min: 64},
		{ID: "provider", Title: text.T("column.provider"), Width: 94, Min: 40},
		{ID: "event", Title: text.T("column.event"), Width: 260, Min: 150, Weight: 1},
		{ID: "signature", Title: text.T("column.signature"), Width: 84, Min: 66},
		{ID: "outcome", Title: text.T("column.outcome"), Width: 136, Min: 90},
	}
}

// rows give the table what the model has.
type rows struct{ x *inbox }

// Len implements grid.Source.
func (r rows) Len() int { return r.x.model.Len() }

// Key implements grid.Source.
func (r rows) Key(i int) int64 { return int64(r.x.model.Seq(i)) }

// Row implements grid.Source.
func (r rows) Row(i int, cells []grid.Cell) bool {
	v := r.x.model.Row(i)
	cells[0] = grid.Cell{Text: v.Number, Tone: look.Muted}
	if !v.Loaded {
		return false
	}
	cells[1] = grid.Cell{Text: v.Time, Tone: look.Muted}
	cells[2] = grid.Cell{Mark: look.MarkOf(v.Mark), Text: v.Provider}
	if v.Mark == "" {
		cells[2].Tone = look.Muted
	}
	cells[3] = grid.Cell{Text: v.What, More: v.Object}
	for _, b := range v.Badges {
		cells[3].Badges = append(cells[3].Badges, badge(b))
	}
	if v.Signature.Text != "" {
		cells[4] = grid.Cell{Badges: []look.Badge{badge(v.Signature)}}
	}
	cells[5] = outcomeCell(v.Outcome)
	return true
}

// outcomeCell shows what went wrong with its symbol, so that failures stand out without colour too.
func outcomeCell(m view.Mark) grid.Cell {
	c := grid.Cell{Text: m.Text, Tone: tones[m.Tone]}
	if m.Tone == view.Bad || m.Tone == view.Warn {
		c.Text = badge(m).Symbol + " " + m.Text
	}
	return c
}

// draw shows what the model has now.
func (x *inbox) draw() {
	if x.model.Len() > 0 {
		x.table.Changed()
	}
	looked, of, on := x.model.Search()
	if visible(x.search, on) {
		relay(x.list)
	}
	if on {
		setText(x.search, text.T("filter.searching", text.Number(looked), text.Number(of)))
	}
	x.filters.count(x.model.Len())
	x.welcome()
	for _, d := range x.details() {
		d.refresh()
	}
}

// details are the one beside the list and those in windows of their own.
func (x *inbox) details() []*detail {
	all := []*detail{x.detail}
	for _, t := range x.w.torn {
		all = append(all, t.detail)
	}
	return all
}

// drawStatus follows what the welcome says.
func (x *inbox) drawStatus() {
	x.w.drawCommands()
	for _, d := range x.details() {
		if d.underWay() {
			d.load()
		}
	}
	if x.w.last.Requests == 0 {
		x.welcome()
	}
}

// arrange gives the list the whole width while there is nothing to tell of.
func (x *inbox) arrange() {
	alone := x.w.desk.Status().Requests == 0 && x.panel == nil
	if alone == (x.middle.Objects[0] == x.list) {
		return
	}
	if alone {
		x.middle.Objects = []fyne.CanvasObject{x.list}
	} else {
		x.split.Leading = x.list
		x.middle.Objects = []fyne.CanvasObject{x.split}
	}
	x.middle.Refresh()
}

// welcome is what an empty list shows: how to begin, or that the filter lets nothing through.
func (x *inbox) welcome() {
	x.arrange()
	if x.model.Len() > 0 {
		return
	}
	defer x.table.Changed()
	if cleared := x.model.Cleared(); cleared > 0 && x.filters.chips == (view.Chips{}) {
		x.table.Empty = look.NewEmpty(text.T("inbox.cleared.title"), text.N("inbox.cleared.text", cleared),
			look.Action{Icon: theme.ContentUndoIcon(), Title: text.T("cmd.unclear"), Hint: key(view.CommandOf("unclear").Key), Do: func() { x.w.Do("unclear") }})
		return
	}
	if x.w.last.Requests > 0 || x.w.desk.Status().Requests > 0 {
		x.table.Empty = look.NewEmpty(text.T("filter.empty.title"), text.T("filter.empty.text"),
			look.Action{Icon: theme.ContentClearIcon(), Title: text.T("cmd.clear-filter"), Hint: key(view.CommandOf("clear-filter").Key), Do: func() { x.w.Do("clear-filter") }})
		return
	}
	v := view.ViewWelcome(x.w.desk.Status())
	if x.panel != nil { // no room for more beside it
		x.table.Empty = look.NewEmpty(v.Title, v.Text)
		return
	}
	icons := map[string]fyne.Resource{"sample": theme.MailSendIcon(), "tunnel": theme.UploadIcon(), "import": theme.FolderOpenIcon()}
	var actions []look.Action
	for _, c := range v.Choices {
		a := look.Action{Icon: icons[c.Command], Title: c.Title, Hint: c.Text, Do: func() { x.w.Do(c.Command) }}
		if c.Command == "sample" {
			a.DoAt = x.w.samplesBelow
		}
		actions = append(actions, a)
	}
	x.table.Empty = look.NewEmpty(v.Title, v.Text, actions...)
}

// selected follows the selection.
func (x *inbox) selected() {
	x.w.drawCommands()
	keys := x.table.Selected()
	if len(keys) == 1 {
		x.detail.open(capture.Seq(keys[0]))
	} else {
		x.detail.several(len(keys))
	}
}

// seqs are the selected requests, oldest first.
func (x *inbox) seqs() []capture.Seq {
	keys := x.table.Selected()
	out := make([]capture.Seq, len(keys))
	for i, k := range keys {
		out[i] = capture.Seq(k)
	}
	return out
}
