package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A Status is a dot and the word for it: full, or a ring for what is off (Muted).
type Status struct {
	widget.BaseWidget
	tone Tone
	word string
}

// NewStatus makes a status.
func NewStatus(tone Tone, word string) *Status {
	s := &Status{tone: tone, word: word}
	s.ExtendBaseWidget(s)
	return s
}

// Set shows another state.
func (s *Status) Set(tone Tone, word string) {
	if s.tone != tone || s.word != word {
		s.tone, s.word = tone, word
		s.Refresh()
	}
}

// Word is what it says.
func (s *Status) Word() string { return s.word }

const dot = 8

// CreateRenderer implements fyne.Widget.
func (s *Status) CreateRenderer() fyne.WidgetRenderer {
	circle, text := canvas.NewCircle(color.Transparent), canvas.NewText("", color.Transparent)
	style := func() {
		text.Text, text.TextSize, text.Color = s.word, Size(theme.SizeNameText), Color(theme.ColorNameForeground)
	}
	r := &drawn{of: s}
	r.draw = func(size fyne.Size) []fyne.CanvasObject {
		style()
		circle.FillColor, circle.StrokeColor, circle.StrokeWidth = s.tone.Color(), s.tone.Color(), 1.5
		if s.tone == Muted || s.tone == Plain {
			circle.FillColor = color.Transparent
		}
		circle.Move(fyne.NewPos(2, (size.Height-dot)/2))
		circle.Resize(fyne.NewSquareSize(dot))
		text.Move(fyne.NewPos(dot+8, 0))
		text.Resize(fyne.NewSize(size.Width-dot-8, size.Height))
		return []fyne.CanvasObject{circle, text}
	}
	r.min = func() fyne.Size { style(); return text.MinSize().AddWidthHeight(dot+10, 0) }
	r.Refresh()
	return r
}
