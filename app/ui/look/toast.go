package look

import (
	"image/color"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A Message is said in a toast, and goes away by itself after six seconds.
type Message struct {
	Badge Badge // symbol and colour; Word is not shown
	Text  string
	// Do is what one can do about it, most often undo; Action is its word.
	Action string
	Do     func()
}

const (
	mostToasts  = 2
	toastHeight = 30
	toastPad    = 12
	toastSymbol = 18
)

// Say shows a message beside the one before it. At most two stay; one that says
// the same as before takes its place.
func (f *Frame) Say(m Message) {
	t := newToast(f, m)
	f.toasts = slices.DeleteFunc(f.toasts, func(o *toast) bool { return o.m.Text == m.Text })
	f.toasts = append([]*toast{t}, f.toasts...)
	f.toasts = f.toasts[:min(len(f.toasts), mostToasts)]
	f.Refresh()
	time.AfterFunc(toastStay, func() { f.ui.Post(func() { f.drop(t) }) })
}

// Said is what is being said, newest first.
func (f *Frame) Said() []string {
	var out []string
	for _, t := range f.toasts {
		out = append(out, t.m.Text)
	}
	return out
}

func (f *Frame) drop(t *toast) {
	if i := slices.Index(f.toasts, t); i >= 0 {
		f.toasts = slices.Delete(f.toasts, i, i+1)
		f.Refresh()
	}
}

type toast struct {
	widget.BaseWidget
	m      Message
	action *Button
}

func newToast(f *Frame, m Message) *toast {
	t := &toast{m: m}
	if m.Action != "" {
		t.action = NewButton(m.Action, "", func() {
			f.drop(t)
			if m.Do != nil {
				m.Do()
			}
		})
		t.action.Importance = widget.HighImportance
	}
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer implements fyne.Widget.
func (t *toast) CreateRenderer() fyne.WidgetRenderer {
	back, symbol := canvas.NewRectangle(color.Transparent), canvas.NewText("", color.Transparent)
	symbol.TextStyle = fyne.TextStyle{Monospace: true}
	lines := []*canvas.Text{canvas.NewText("", color.Transparent), canvas.NewText("", color.Transparent)}
	r := &drawn{of: t}
	r.draw = func(size fyne.Size) []fyne.CanvasObject {
		back.FillColor, back.CornerRadius = Color(theme.ColorNameOverlayBackground), 6
		back.StrokeColor, back.StrokeWidth = Color(theme.ColorNameInputBorder), 1
		back.Resize(size)
		symbol.Text, symbol.Color, symbol.TextSize = t.m.Badge.Symbol, t.m.Badge.Tone.Color(), Size(theme.SizeNameText)
		symbol.Move(fyne.NewPos(toastPad, 0))
		symbol.Resize(fyne.NewSize(12, size.Height))
		return append([]fyne.CanvasObject{back, symbol}, t.place(lines, size)...)
	}
	r.min = func() fyne.Size {
		return fyne.NewSize(Text(t.m.Text, Size(theme.SizeNameText), fyne.TextStyle{}).Width+2*toastPad+toastSymbol+t.room(), toastHeight)
	}
	r.Refresh()
	return r
}

// room is what the action needs.
func (t *toast) room() float32 {
	if t.action == nil {
		return 0
	}
	return t.action.MinSize().Width
}

// place lays out the text, in two smaller lines if one is too short for it, and the action.
func (t *toast) place(lines []*canvas.Text, size fyne.Size) []fyne.CanvasObject {
	width, textSize := size.Width-2*toastPad-toastSymbol-t.room(), Size(theme.SizeNameText)
	said := []string{t.m.Text}
	if Text(t.m.Text, textSize, fyne.TextStyle{}).Width > width+1 {
		textSize = Size(theme.SizeNameCaptionText)
		said = Wrap(t.m.Text, width, textSize, fyne.TextStyle{})
		if len(said) > 2 {
			said = []string{said[0], Ellipsis(strings.Join(said[1:], " "), width, textSize, fyne.TextStyle{})}
		}
	}
	var objs []fyne.CanvasObject
	for i, s := range said {
		l := lines[i]
		l.Text, l.TextSize, l.Color = s, textSize, Color(theme.ColorNameForeground)
		high := size.Height / float32(len(said))
		l.Move(fyne.NewPos(toastPad+toastSymbol, high*float32(i)))
		l.Resize(fyne.NewSize(width, high))
		objs = append(objs, l)
	}
	if t.action != nil {
		need := t.action.MinSize()
		t.action.Resize(need)
		t.action.Move(fyne.NewPos(size.Width-need.Width-2, (size.Height-need.Height)/2))
		objs = append(objs, t.action)
	}
	return objs
}
