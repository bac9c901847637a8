package look

import (
	"image/color"
	"slices"
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

// Say shows a message at the bottom of the frame, above those still there. At
// most three stay.
func (f *Frame) Say(m Message) {
	t := newToast(f, m)
	f.toasts = append([]*toast{t}, f.toasts...)
	if len(f.toasts) > 3 {
		f.toasts = f.toasts[:3]
	}
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
	back, symbol, text := canvas.NewRectangle(color.Transparent), canvas.NewText("", color.Transparent), canvas.NewText("", color.Transparent)
	symbol.TextStyle = fyne.TextStyle{Monospace: true}
	action := float32(0)
	if t.action != nil {
		action = t.action.MinSize().Width + 12
	}
	r := &drawn{of: t}
	r.draw = func(size fyne.Size) []fyne.CanvasObject {
		back.FillColor, back.CornerRadius = Color(theme.ColorNameOverlayBackground), 8
		back.StrokeColor, back.StrokeWidth = Color(theme.ColorNameInputBorder), 1
		back.Shadow = canvas.Shadow{Color: Color(theme.ColorNameShadow), BlurRadius: 10, Offset: fyne.NewPos(0, 3)}
		back.Resize(size)
		symbol.Text, symbol.Color, symbol.TextSize = t.m.Badge.Symbol, t.m.Badge.Tone.Color(), Size(theme.SizeNameText)
		symbol.Move(fyne.NewPos(14, 0))
		symbol.Resize(fyne.NewSize(12, size.Height))
		text.Text = Ellipsis(t.m.Text, size.Width-36-14-action, Size(theme.SizeNameText), text.TextStyle)
		text.Color, text.TextSize = Color(theme.ColorNameForeground), Size(theme.SizeNameText)
		text.Move(fyne.NewPos(34, 0))
		text.Resize(fyne.NewSize(size.Width-34, size.Height))
		objs := []fyne.CanvasObject{back, symbol, text}
		if t.action != nil {
			need := t.action.MinSize()
			t.action.Resize(need)
			t.action.Move(fyne.NewPos(size.Width-need.Width-6, (size.Height-need.Height)/2))
			objs = append(objs, t.action)
		}
		return objs
	}
	r.min = func() fyne.Size {
		return fyne.NewSize(Text(t.m.Text, Size(theme.SizeNameText), text.TextStyle).Width+52+action, 40)
	}
	r.Refresh()
	return r
}
