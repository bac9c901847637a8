package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

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
