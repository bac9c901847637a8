package look

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A Choice is one of several, below each other. Unlike Fyne's it passes on the
// keys that it has no use for, Escape among them.
type Choice struct {
	widget.BaseWidget
	At       int       // the one chosen
	OnChange func(int) // another was chosen

	items []fyne.CanvasObject
}

// NewChoice makes one with words, of which the one at is chosen.
func NewChoice(words []string, at int) *Choice {
	c := &Choice{At: at}
	for i, word := range words {
		b := NewButton(word, "", func() { c.Choose(i) })
		b.Alignment, b.Importance = widget.ButtonAlignLeading, widget.LowImportance
		c.items = append(c.items, b)
	}
	c.mark()
	c.ExtendBaseWidget(c)
	return c
}

// Choose chooses one.
func (c *Choice) Choose(i int) {
	if i == c.At {
		return
	}
	c.At = i
	c.mark()
	if c.OnChange != nil {
		c.OnChange(i)
	}
}

// mark shows which one is chosen.
func (c *Choice) mark() {
	for i, o := range c.items {
		icon := theme.RadioButtonIcon()
		if i == c.At {
			icon = theme.NewPrimaryThemedResource(theme.RadioButtonCheckedIcon())
		}
		o.(*Button).SetIcon(icon)
	}
}

// CreateRenderer implements fyne.Widget.
func (c *Choice) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewVBox(c.items...))
}

// A Check is Fyne's, and it passes Escape on.
type Check struct{ widget.Check }

// NewCheck makes one.
func NewCheck(word string, changed func(bool)) *Check {
	c := &Check{}
	c.Text, c.OnChanged = word, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey implements fyne.Focusable.
func (c *Check) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		PassKey(c, e)
		return
	}
	c.Check.TypedKey(e)
}

// A Select is Fyne's, and it passes Escape on.
type Select struct{ widget.Select }

// NewSelect makes one.
func NewSelect(options []string, changed func(string)) *Select {
	s := &Select{}
	s.Options, s.OnChanged = options, changed
	s.ExtendBaseWidget(s)
	return s
}

// TypedKey implements fyne.Focusable.
func (s *Select) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		PassKey(s, e)
		return
	}
	s.Select.TypedKey(e)
}
