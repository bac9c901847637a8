package look

import (
	"cmp"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// NewSection makes the line above a group: its title, a hairline, and at the
// right what one can do with all of the group.
func NewSection(title string, trailing ...fyne.CanvasObject) fyne.CanvasObject {
	head := widget.NewLabelWithStyle(title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	head.Importance, head.SizeName = widget.LowImportance, theme.SizeNameCaptionText
	var right fyne.CanvasObject
	if len(trailing) > 0 {
		right = container.NewHBox(trailing...)
	}
	return container.NewBorder(nil, widget.NewSeparator(), head, right)
}

// NewPanel puts o on the surface on which lists and bodies stand, with a thin
// border and room around it.
func NewPanel(o fyne.CanvasObject) fyne.CanvasObject {
	p := &panel{content: container.NewPadded(o)}
	p.ExtendBaseWidget(p)
	return p
}

type panel struct {
	widget.BaseWidget
	content fyne.CanvasObject
}

// CreateRenderer implements fyne.Widget.
func (p *panel) CreateRenderer() fyne.WidgetRenderer {
	back := canvas.NewRectangle(color.Transparent)
	r := &drawn{of: p}
	r.draw = func(size fyne.Size) []fyne.CanvasObject {
		back.FillColor, back.CornerRadius = Color(ColorSurface), 8
		back.StrokeColor, back.StrokeWidth = Color(theme.ColorNameSeparator), 1
		back.Resize(size)
		p.content.Resize(size)
		return []fyne.CanvasObject{back, p.content}
	}
	r.min = p.content.MinSize
	r.Refresh()
	return r
}

// A Field is one line: what it is, its value, and a button that copies the value.
type Field struct {
	widget.BaseWidget
	key   *widget.Label
	value *widget.Label
	copy  *Button
	row   *fyne.Container
	full  string // what the value is short for; "" for itself
	said  func()
}

// NewField makes a field. tip is the copy button's; copied, which may be nil,
// is called after the value went to the clipboard, to say so.
func NewField(key, value, tip string, copied func()) *Field {
	f := &Field{key: widget.NewLabel(key), value: widget.NewLabel(value), said: copied}
	f.key.Importance = widget.LowImportance
	f.value.Truncation, f.value.Selectable = fyne.TextTruncateEllipsis, true
	f.copy = NewIconButton(theme.ContentCopyIcon(), tip, f.Copy)
	f.row = container.New(fieldLayout{}, f.key, f.value, f.copy)
	f.ExtendBaseWidget(f)
	return f
}

// Mono shows the value in the font for code, and returns f.
func (f *Field) Mono() *Field {
	f.value.TextStyle.Monospace = true
	f.value.Refresh()
	return f
}

// Full makes s what the value is short for, which is shown under the pointer
// and copied, and returns f; "" is the value itself.
func (f *Field) Full(s string) *Field {
	f.full = s
	return f
}

// Set shows another value.
func (f *Field) Set(value string) { f.value.SetText(value) }

// Value is what it shows.
func (f *Field) Value() string { return f.value.Text }

// Copy puts the value into the clipboard.
func (f *Field) Copy() {
	fyne.CurrentApp().Clipboard().SetContent(cmp.Or(f.full, f.value.Text))
	if f.said != nil {
		f.said()
	}
}

// MouseIn implements desktop.Hoverable: it shows what has no room.
func (f *Field) MouseIn(*desktop.MouseEvent) {
	switch {
	case f.full != "":
		showTip(f, f.full)
	case f.value.Size().Width < fyne.MeasureText(f.value.Text, Size(theme.SizeNameText), f.value.TextStyle).Width+2*Size(theme.SizeNameInnerPadding):
		showTip(f, f.value.Text)
	}
}

// MouseMoved implements desktop.Hoverable.
func (f *Field) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (f *Field) MouseOut() { hideTip(f) }

// CreateRenderer implements fyne.Widget.
func (f *Field) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(f.row) }

// keyWidth is the place of a key, so that the values of a group stand in a column.
const keyWidth = 128

type fieldLayout struct{}

func (fieldLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(max(keyWidth, o[0].MinSize().Width)+60+o[2].MinSize().Width, o[0].MinSize().Height)
}

func (fieldLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	key, button := max(keyWidth, o[0].MinSize().Width), o[2].MinSize().Width
	o[0].Move(fyne.NewPos(0, 0))
	o[0].Resize(fyne.NewSize(key, size.Height))
	o[1].Move(fyne.NewPos(key, 0))
	o[1].Resize(fyne.NewSize(size.Width-key-button, size.Height))
	o[2].Move(fyne.NewPos(size.Width-button, 0))
	o[2].Resize(fyne.NewSize(button, size.Height))
}
