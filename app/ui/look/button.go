package look

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// A Button is Fyne's, with a tip under the pointer, and it hears Enter and
// Escape too, where Fyne's hears the space bar alone.
type Button struct {
	widget.Button
	Tip      string // what it does, with its key; shown in the [Frame]; "" shows none
	OnEscape func()
}

// NewButton makes a button with a word.
func NewButton(word, tip string, do func()) *Button {
	b := &Button{Tip: tip}
	b.Text, b.OnTapped = word, do
	b.ExtendBaseWidget(b)
	return b
}

// NewIconButton makes a quiet button with an icon alone; tip has to say what it does.
func NewIconButton(icon fyne.Resource, tip string, do func()) *Button {
	b := NewButton("", tip, do)
	b.Icon, b.Importance = icon, widget.LowImportance
	return b
}

// ButtonSize is what a button with a word needs.
func ButtonSize(word string) fyne.Size { return NewButton(word, "", nil).MinSize() }

// NewMainButton makes the button of what one most likely wants to do here.
func NewMainButton(word, tip string, do func()) *Button {
	b := NewButton(word, tip, do)
	b.Importance = widget.HighImportance
	return b
}

// TypedKey implements fyne.Focusable.
func (b *Button) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		b.Tapped(nil)
	case fyne.KeyEscape:
		if b.OnEscape != nil {
			b.OnEscape()
		} else {
			PassKey(b, e)
		}
	}
}

// MouseIn implements desktop.Hoverable.
func (b *Button) MouseIn(e *desktop.MouseEvent) {
	b.Button.MouseIn(e)
	showTip(b, b.Tip)
}

// MouseOut implements desktop.Hoverable.
func (b *Button) MouseOut() {
	b.Button.MouseOut()
	hideTip(b)
}

// Tapped implements fyne.Tappable. The focus stays where it is, where Fyne's
// button would take it from everybody.
func (b *Button) Tapped(*fyne.PointEvent) {
	hideTip(b)
	if !b.Disabled() && b.OnTapped != nil {
		b.OnTapped()
	}
}

// An Input is Fyne's entry, and it hears Escape.
type Input struct {
	widget.Entry
	OnEscape func()
}

// NewInput makes an input of one line; hint stands in it while it is empty.
func NewInput(hint string) *Input {
	i := &Input{}
	i.PlaceHolder = hint
	i.ExtendBaseWidget(i)
	return i
}

// TypedKey implements fyne.Focusable.
func (i *Input) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape && i.OnEscape != nil {
		i.OnEscape()
		return
	}
	i.Entry.TypedKey(e)
}
