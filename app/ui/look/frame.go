package look

import (
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

const (
	tipAfter  = 500 * time.Millisecond
	toastStay = 6 * time.Second
)

// A Frame is the content of a window: what it shows, and above it toasts and
// tips, which let every click through but those on a toast's own buttons.
type Frame struct {
	widget.BaseWidget
	ui      Dispatcher
	content fyne.CanvasObject

	// ToastRoom is where toasts stand, where they cover nothing to click on;
	// nil means at the bottom.
	ToastRoom func(size fyne.Size) (fyne.Position, fyne.Size)

	tip      string
	tipOf    fyne.CanvasObject
	tipShown bool
	toasts   []*toast
}

// NewFrame makes a frame. Give it to SetContent as it is: tips look for it there.
func NewFrame(ui Dispatcher, content fyne.CanvasObject) *Frame {
	f := &Frame{ui: ui, content: content}
	f.ExtendBaseWidget(f)
	return f
}

// SetContent shows something else.
func (f *Frame) SetContent(o fyne.CanvasObject) {
	f.content = o
	f.Refresh()
}

func frameOf(o fyne.CanvasObject) *Frame {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return nil
	}
	f, _ := c.Content().(*Frame)
	return f
}

func showTip(o fyne.CanvasObject, text string) {
	f := frameOf(o)
	if f == nil || text == "" {
		return
	}
	f.tip, f.tipOf = text, o
	time.AfterFunc(tipAfter, func() {
		f.ui.Post(func() {
			if f.tipOf == o && !f.tipShown {
				f.tipShown = true
				f.Refresh()
			}
		})
	})
}

func hideTip(o fyne.CanvasObject) {
	f := frameOf(o)
	if f == nil || f.tipOf != o {
		return
	}
	shown := f.tipShown
	f.tipOf, f.tipShown = nil, false
	if shown {
		f.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (f *Frame) CreateRenderer() fyne.WidgetRenderer {
	r := &frameRenderer{f: f, back: canvas.NewRectangle(color.Transparent), text: canvas.NewText("", color.Transparent)}
	r.Refresh()
	return r
}

type frameRenderer struct {
	f    *Frame
	back *canvas.Rectangle
	text *canvas.Text
	objs []fyne.CanvasObject
}

func (r *frameRenderer) Destroy()                     {}
func (r *frameRenderer) Objects() []fyne.CanvasObject { return r.objs }
func (r *frameRenderer) MinSize() fyne.Size           { return r.f.content.MinSize() }
func (r *frameRenderer) Refresh()                     { r.Layout(r.f.Size()); canvas.Refresh(r.f) }

func (r *frameRenderer) Layout(size fyne.Size) {
	r.objs = append(r.objs[:0], r.f.content)
	r.f.content.Move(fyne.NewPos(0, 0))
	r.f.content.Resize(size)
	r.placeToasts(size)
	if r.f.tipShown && r.f.tipOf != nil {
		r.placeTip(size)
	}
}

// placeToasts puts the newest toast at the right, and the one before it beside
// it while there is room for both.
func (r *frameRenderer) placeToasts(size fyne.Size) {
	at, room := fyne.NewPos(8, size.Height-toastHeight-4), fyne.NewSize(size.Width-16, toastHeight)
	if r.f.ToastRoom != nil {
		at, room = r.f.ToastRoom(size)
	}
	left := room.Width
	for i, t := range r.f.toasts {
		need := t.MinSize()
		if i > 0 && need.Width > left {
			break
		}
		need.Width = min(need.Width, left)
		t.Resize(fyne.NewSize(need.Width, min(need.Height, room.Height)))
		t.Move(fyne.NewPos(at.X+left-need.Width, at.Y+(room.Height-t.Size().Height)/2))
		left -= need.Width + 8
		r.objs = append(r.objs, t)
	}
}

func (r *frameRenderer) placeTip(size fyne.Size) {
	r.text.Text, r.text.TextSize, r.text.Color = r.f.tip, Size(theme.SizeNameCaptionText), Color(theme.ColorNameBackground)
	need := r.text.MinSize()
	box := need.AddWidthHeight(16, 8)
	of := fyne.CurrentApp().Driver().AbsolutePositionForObject(r.f.tipOf)
	of = of.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(r.f))
	x := of.X + (r.f.tipOf.Size().Width-box.Width)/2
	y := of.Y + r.f.tipOf.Size().Height + 4
	if y+box.Height > size.Height {
		y = of.Y - box.Height - 4
	}
	x = max(4, min(x, size.Width-box.Width-4))
	r.back.FillColor, r.back.CornerRadius = Color(theme.ColorNameForeground), 5
	r.back.Move(fyne.NewPos(x, y))
	r.back.Resize(box)
	r.text.Move(fyne.NewPos(x+8, y+4))
	r.text.Resize(need)
	r.objs = append(r.objs, r.back, r.text)
}
