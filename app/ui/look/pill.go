package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A Pill draws a [Badge] with canvas objects that are used again and again.
// Lists draw with it; elsewhere use [NewChip].
type Pill struct {
	back         *canvas.Rectangle
	symbol, word *canvas.Text
	symbolWidth  float32
	wordWidth    float32
}

const (
	pillPad = 6
	pillGap = 3
)

// NewPill makes a pill without a badge.
func NewPill() *Pill {
	p := &Pill{back: canvas.NewRectangle(color.Transparent), symbol: canvas.NewText("", color.Transparent), word: canvas.NewText("", color.Transparent)}
	p.symbol.TextStyle.Monospace = true
	return p
}

// Set gives p its badge and colours.
func (p *Pill) Set(b Badge) {
	size := Size(theme.SizeNameCaptionText)
	p.back.FillColor = b.Tone.Soft()
	p.symbol.Text, p.symbol.Color, p.symbol.TextSize = b.Symbol, b.Tone.Color(), size
	p.word.Text, p.word.Color, p.word.TextSize = b.Word, b.Tone.Color(), size
	p.symbolWidth, p.wordWidth = 0, 0
	if b.Symbol != "" {
		p.symbolWidth = Text(b.Symbol, size, p.symbol.TextStyle).Width
	}
	if b.Word != "" {
		p.wordWidth = Text(b.Word, size, p.word.TextStyle).Width
	}
}

// Size is the space that the badge needs.
func (p *Pill) Size() fyne.Size {
	w := p.symbolWidth + p.wordWidth + 2*pillPad
	if p.symbolWidth > 0 && p.wordWidth > 0 {
		w += pillGap
	}
	return fyne.NewSize(w, float32(int(Text("Åg", p.word.TextSize, p.word.TextStyle).Height))+2)
}

// Place puts the badge with its left edge at x, in the middle of a line at y of
// height h, and appends its objects to objs.
func (p *Pill) Place(objs []fyne.CanvasObject, x, y, h float32) []fyne.CanvasObject {
	size := p.Size()
	y += (h - size.Height) / 2
	p.back.CornerRadius = size.Height / 2
	p.back.Move(fyne.NewPos(x, y))
	p.back.Resize(size)
	objs = append(objs, p.back)
	x += pillPad
	for _, t := range []struct {
		text  *canvas.Text
		width float32
	}{{p.symbol, p.symbolWidth}, {p.word, p.wordWidth}} {
		if t.width == 0 {
			continue
		}
		t.text.Move(fyne.NewPos(x, y))
		t.text.Resize(fyne.NewSize(t.width, size.Height))
		objs = append(objs, t.text)
		x += t.width + pillGap
	}
	return objs
}

// A Chip is a badge as a widget.
type Chip struct {
	widget.BaseWidget
	badge Badge
}

// NewChip makes a chip.
func NewChip(b Badge) *Chip {
	c := &Chip{badge: b}
	c.ExtendBaseWidget(c)
	return c
}

// Set shows another badge.
func (c *Chip) Set(b Badge) {
	if c.badge != b {
		c.badge = b
		c.Refresh()
	}
}

// Badge is what it shows.
func (c *Chip) Badge() Badge { return c.badge }

// CreateRenderer implements fyne.Widget.
func (c *Chip) CreateRenderer() fyne.WidgetRenderer {
	pill := NewPill()
	r := &drawn{of: c}
	r.draw = func(size fyne.Size) []fyne.CanvasObject {
		pill.Set(c.badge)
		return pill.Place(nil, 0, 0, size.Height)
	}
	r.min = func() fyne.Size { pill.Set(c.badge); return pill.Size() }
	r.Refresh()
	return r
}

// drawn renders a widget that has no children but what it draws.
type drawn struct {
	of   fyne.Widget
	draw func(fyne.Size) []fyne.CanvasObject
	min  func() fyne.Size
	objs []fyne.CanvasObject
}

func (r *drawn) Layout(fyne.Size)             { r.objs = r.draw(r.of.Size()) }
func (r *drawn) MinSize() fyne.Size           { return r.min() }
func (r *drawn) Objects() []fyne.CanvasObject { return r.objs }
func (r *drawn) Destroy()                     {}
func (r *drawn) Refresh() {
	r.objs = r.draw(r.of.Size())
	canvas.Refresh(r.of)
}
