package look

import (
	"hash/fnv"
	"image/color"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// A Mark stands for a provider: one or two letters of its name on a square of
// its own colour. It is drawn by us, and is nobody's logo.
type Mark struct {
	Letters string // "" draws nothing
	Color   color.Color
}

// hues are dark enough for white letters.
var hues = []uint32{
	0x5b54c9, 0x1f6fb5, 0x2e7d4f, 0xa8431f, 0x9c3587, 0x39707a, 0x8a5a00, 0xb03052, 0x4b6a2b, 0x6a4a8c, 0x3f5d8a, 0x7a4b3a,
}

// marks are the providers that are met most: letters that do not clash, colours well apart.
var marks = map[string]struct {
	letters string
	hue     int
}{
	"stripe":  {"S", 0},
	"github":  {"G", 10},
	"gitlab":  {"Gl", 3},
	"shopify": {"Sh", 2},
	"slack":   {"Sl", 4},
	"hubspot": {"H", 3},
	"twilio":  {"T", 7},
	"paypal":  {"P", 1},
	"plaid":   {"Pl", 5},
	"square":  {"Sq", 9},
	"linear":  {"L", 0},
	"discord": {"D", 0},
	"line":    {"Li", 8},
	"meta":    {"M", 1},
	"zoom":    {"Z", 1},
}

// MarkOf is the mark of the provider called name; "" has none.
func MarkOf(name string) Mark {
	if name == "" {
		return Mark{}
	}
	if m, ok := marks[strings.ToLower(name)]; ok {
		return Mark{m.letters, rgb(hues[m.hue])}
	}
	h := fnv.New32a()
	h.Write([]byte(strings.ToLower(name)))
	return Mark{initials(name), rgb(hues[h.Sum32()%uint32(len(hues))])} //nolint:gosec // a dozen
}

// initials are the first letters of a name: one of a single word, or two.
func initials(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	letters := []rune(nil)
	for _, w := range words[:min(2, len(words))] {
		letters = append(letters, []rune(w)[0])
	}
	if len(letters) == 0 {
		return "?"
	}
	letters[0] = unicode.ToUpper(letters[0])
	return string(letters)
}

// A Stamp draws a [Mark] with canvas objects that are used again and again.
// Lists draw with it; elsewhere use [NewMark].
type Stamp struct {
	back *canvas.Rectangle
	text *canvas.Text
}

// NewStamp makes a stamp.
func NewStamp() *Stamp {
	s := &Stamp{canvas.NewRectangle(color.Transparent), canvas.NewText("", color.White)}
	s.text.TextStyle.Bold = true
	s.text.Alignment = fyne.TextAlignCenter
	return s
}

// Place draws m as a square of the given side at x and y, and appends its
// objects to objs.
func (s *Stamp) Place(objs []fyne.CanvasObject, m Mark, at fyne.Position, side float32) []fyne.CanvasObject {
	if m.Letters == "" {
		return objs
	}
	s.back.FillColor, s.back.CornerRadius = m.Color, side/4
	s.back.Move(at)
	s.back.Resize(fyne.NewSquareSize(side))
	s.text.Text, s.text.TextSize = m.Letters, side*0.66
	if len(m.Letters) > 1 {
		s.text.TextSize = side * 0.54
	}
	s.text.Move(at)
	s.text.Resize(fyne.NewSquareSize(side))
	return append(objs, s.back, s.text)
}

type markWidget struct {
	widget.BaseWidget
	mark Mark
	side float32
}

// NewMark makes a mark as a widget, a square of the given side.
func NewMark(m Mark, side float32) fyne.Widget {
	w := &markWidget{mark: m, side: side}
	w.ExtendBaseWidget(w)
	return w
}

// CreateRenderer implements fyne.Widget.
func (w *markWidget) CreateRenderer() fyne.WidgetRenderer {
	s := NewStamp()
	r := &drawn{of: w}
	r.draw = func(size fyne.Size) []fyne.CanvasObject {
		return s.Place(nil, w.mark, fyne.NewPos((size.Width-w.side)/2, (size.Height-w.side)/2), w.side)
	}
	r.min = func() fyne.Size { return fyne.NewSquareSize(w.side) }
	r.Refresh()
	return r
}
