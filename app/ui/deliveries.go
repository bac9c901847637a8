package ui

import (
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/grid"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// A deliveriesTab lists the attempts at a request, and shows one of them.
type deliveriesTab struct {
	w      *Window
	table  *grid.Table
	box    fyne.CanvasObject
	one    *fyne.Container
	answer *bodyTab
	shown  *view.Detail
}

func newDeliveriesTab(w *Window) *deliveriesTab {
	t := &deliveriesTab{w: w, one: container.NewStack(), answer: newBodyTab(w)}
	t.table = grid.New(attempts{t},
		grid.Column{ID: "n", Title: text.T("deliveries.attempt"), Width: 150, Min: 90, Weight: 1},
		grid.Column{ID: "time", Title: text.T("column.time"), Width: 104, Min: 66},
		grid.Column{ID: "outcome", Title: text.T("column.outcome"), Width: 110, Min: 70},
		grid.Column{ID: "took", Title: text.T("deliveries.took"), Width: 70, Min: 56, Right: true})
	t.table.Empty = container.New(centerLayout{}, widget.NewLabelWithStyle(text.T("deliveries.none"), fyne.TextAlignCenter, fyne.TextStyle{}))
	t.table.OnSelect = t.selected
	w.columns("deliveries.widths", t.table)
	t.box = w.split("deliveries.split", container.NewVSplit(inRoom(t.table), t.one), 0.34)
	return t
}

// attempts give the table the attempts, newest first.
type attempts struct{ t *deliveriesTab }

// Len implements grid.Source.
func (a attempts) Len() int {
	if a.t.shown == nil {
		return 0
	}
	return len(a.t.shown.Attempts)
}

// Key implements grid.Source.
func (a attempts) Key(i int) int64 { return int64(len(a.t.shown.Attempts) - i) }

// Row implements grid.Source.
func (a attempts) Row(i int, cells []grid.Cell) bool {
	v := a.t.shown.Attempts[i]
	cells[0] = grid.Cell{Text: v.Title}
	cells[1] = grid.Cell{Text: v.Time, Tone: look.Muted}
	cells[2] = grid.Cell{Badges: []look.Badge{badge(v.Verdict)}}
	cells[3] = grid.Cell{Text: v.Took, Tone: look.Muted}
	return true
}

// show lists the attempts at a request; the newest is selected unless another one of it was.
func (t *deliveriesTab) show(d *view.Detail) fyne.CanvasObject {
	same := t.shown != nil && t.shown.Request.ID == d.Request.ID && t.table.Count() == 1 && t.table.Selected()[0] != int64(len(t.shown.Attempts))
	t.shown = d
	t.table.Changed()
	if !same {
		t.table.Select(int64(len(d.Attempts)))
	}
	t.selected()
	return t.box
}

// selected shows the attempt that is selected.
func (t *deliveriesTab) selected() {
	t.one.Objects = nil
	keys := slices.DeleteFunc(t.table.Selected(), func(k int64) bool { return t.shown == nil || k < 1 || int(k) > len(t.shown.Attempts) })
	switch len(keys) {
	case 0:
	case 1:
		t.one.Objects = []fyne.CanvasObject{t.attempt(t.nth(keys[0]), int(keys[0]))}
	case 2:
		t.one.Objects = []fyne.CanvasObject{t.sideBySide(t.nth(min(keys[0], keys[1])), t.nth(max(keys[0], keys[1])))}
	default:
		t.one.Objects = []fyne.CanvasObject{container.New(centerLayout{}, muted(text.T("compare.two")))}
	}
	t.one.Refresh()
}

// nth is the attempt with a number.
func (t *deliveriesTab) nth(n int64) view.AttemptView {
	return t.shown.Attempts[len(t.shown.Attempts)-int(n)]
}

// attempt shows one attempt: what happened, what to try, how long what took, and the answer.
func (t *deliveriesTab) attempt(v view.AttemptView, n int) fyne.CanvasObject {
	top := container.NewVBox()
	if len(t.shown.Attempts) > 1 {
		top.Add(muted(text.T("compare.two")))
	}
	if v.What != "" {
		top.Add(look.NewText(v.What, look.Plain))
	}
	if v.Hint != "" {
		top.Add(t.w.hint(v.Hint, v.Fix, t.shown.Request.Seq))
	}
	top.Add(look.NewField(text.T("deliveries.target"), v.Target, text.T("copy.value"), nil))
	if len(v.Bars) > 0 {
		top.Add(newTiming(v.Bars))
	}
	if v.Head.Line == "" {
		return scroll(top)
	}
	head := newCode()
	head.SetWrap(true)
	head.ShowHead(v.Head.Bytes)
	id := string(t.shown.Request.ID) + "-answer-" + strconv.Itoa(n)
	top.Add(look.NewSection(text.T("deliveries.answer")))
	top.Add(least(head, 0, 84))
	top.Add(least(t.answer.show(v.Answer, id), 0, 190))
	return scroll(top)
}
