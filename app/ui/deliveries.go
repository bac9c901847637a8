package ui

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
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
	if keys := t.table.Selected(); len(keys) == 1 && t.shown != nil {
		if i := len(t.shown.Attempts) - int(keys[0]); i >= 0 && i < len(t.shown.Attempts) {
			t.one.Objects = []fyne.CanvasObject{t.attempt(t.shown.Attempts[i], int(keys[0]))}
		}
	}
	t.one.Refresh()
}

// attempt shows one attempt: what happened, what to try, how long what took, and the answer.
func (t *deliveriesTab) attempt(v view.AttemptView, n int) fyne.CanvasObject {
	top := container.NewVBox()
	if v.What != "" {
		top.Add(look.NewText(v.What, look.Plain))
	}
	if v.Hint != "" {
		top.Add(t.w.hint(v.Hint, v.Fix))
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

// A timing is a bar of the phases of an attempt, with a word and a time for each.
type timing struct {
	widget.BaseWidget
	phases []view.Phase
}

func newTiming(phases []view.Phase) *timing {
	t := &timing{phases: phases}
	t.ExtendBaseWidget(t)
	return t
}

// phaseTones are the colours of the phases, in order; the words beside them tell them apart.
var phaseTones = []look.Tone{look.Muted, look.Info, look.Accent, look.Warn, look.OK}

// CreateRenderer implements fyne.Widget.
func (t *timing) CreateRenderer() fyne.WidgetRenderer {
	r := &timingRenderer{t: t}
	for i, p := range t.phases {
		tone := phaseTones[i%len(phaseTones)]
		r.bars = append(r.bars, canvas.NewRectangle(tone.Color()))
		word := canvas.NewText(p.Name+" "+p.Took, look.Color(look.ColorMuted))
		word.TextSize = 11
		r.words = append(r.words, word)
		r.dots = append(r.dots, canvas.NewRectangle(tone.Color()))
	}
	return r
}

type timingRenderer struct {
	t          *timing
	bars, dots []*canvas.Rectangle
	words      []*canvas.Text
}

const timingBar = 8

func (r *timingRenderer) MinSize() fyne.Size { return fyne.NewSize(100, timingBar+8+r.height(360)) }

// height is what the words need when width is there for them.
func (r *timingRenderer) height(width float32) float32 {
	x, y := float32(0), float32(18)
	for _, w := range r.words {
		need := w.MinSize().Width + 24
		if x > 0 && x+need > width {
			x, y = 0, y+18
		}
		x += need
	}
	return y
}

func (r *timingRenderer) Layout(s fyne.Size) {
	x, y := float32(4), float32(timingBar+6)
	width := s.Width - 8
	for i, p := range r.t.phases {
		r.bars[i].Move(fyne.NewPos(4+width*float32(p.From), 2))
		r.bars[i].Resize(fyne.NewSize(max(2, width*float32(p.To-p.From)-1), timingBar))
		need := r.words[i].MinSize().Width + 24
		if x > 4 && x+need > width {
			x, y = 4, y+18
		}
		r.dots[i].Move(fyne.NewPos(x, y+5))
		r.dots[i].Resize(fyne.NewSquareSize(8))
		r.words[i].Move(fyne.NewPos(x+13, y))
		x += need
	}
}

func (r *timingRenderer) Refresh() {
	for i := range r.words {
		tone := phaseTones[i%len(phaseTones)]
		r.bars[i].FillColor, r.dots[i].FillColor, r.words[i].Color = tone.Color(), tone.Color(), look.Color(look.ColorMuted)
	}
	r.Layout(r.t.Size())
	canvas.Refresh(r.t)
}

func (r *timingRenderer) Objects() []fyne.CanvasObject {
	var out []fyne.CanvasObject
	for i := range r.words {
		out = append(out, r.bars[i], r.dots[i], r.words[i])
	}
	return out
}

func (r *timingRenderer) Destroy() {}
