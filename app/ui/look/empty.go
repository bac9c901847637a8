package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// An Action is something to do, big enough to be a place to start.
type Action struct {
	Icon  fyne.Resource
	Title string
	Hint  string // one short sentence
	Do    func()
	DoAt  func(o fyne.CanvasObject) // instead of Do: gets what was pressed, to open something beside it
}

// NewEmpty makes what a list shows while it has nothing: what will be here, and
// up to three ways to begin.
func NewEmpty(title, text string, actions ...Action) fyne.CanvasObject {
	head, body := NewText(title, Plain), NewText(text, Muted)
	head.SizeName, head.TextStyle.Bold = theme.SizeNameSubHeadingText, true
	head.Alignment, body.Alignment = fyne.TextAlignCenter, fyne.TextAlignCenter
	rows := []fyne.CanvasObject{head, body}
	if len(actions) > 0 {
		cards := []fyne.CanvasObject{layout.NewSpacer()}
		for _, a := range actions {
			cards = append(cards, NewCard(a))
		}
		rows = append(rows, space(8), container.NewHBox(append(cards, layout.NewSpacer())...))
	}
	return container.New(amid{}, container.NewVBox(rows...))
}

// amid puts its object in the middle of the height, in lines of a width to read.
type amid struct{}

// MinSize implements fyne.Layout.
func (amid) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

// Layout implements fyne.Layout.
func (amid) Layout(o []fyne.CanvasObject, s fyne.Size) {
	width := min(s.Width, max(44*Size(theme.SizeNameText), o[0].MinSize().Width))
	o[0].Resize(fyne.NewSize(width, s.Height)) // only now it knows how high it is
	high := o[0].MinSize().Height
	o[0].Resize(fyne.NewSize(width, high))
	o[0].Move(fyne.NewPos((s.Width-width)/2, (s.Height-high)/2))
}

// space is a gap of h pixels.
func space(h float32) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(1, h))
	return r
}

// A Card is a big button: icon, title, hint. Enter and space press it.
type Card struct {
	widget.BaseWidget
	Action  Action
	hovered bool
	focused bool
}

// NewCard makes a card.
func NewCard(a Action) *Card {
	c := &Card{Action: a}
	c.ExtendBaseWidget(c)
	return c
}

func (c *Card) set(what *bool, to bool) { *what = to; c.Refresh() }

// Tapped implements fyne.Tappable.
func (c *Card) Tapped(*fyne.PointEvent) {
	switch {
	case c.Action.DoAt != nil:
		c.Action.DoAt(c)
	case c.Action.Do != nil:
		c.Action.Do()
	}
}

// TypedKey implements fyne.Focusable.
func (c *Card) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		c.Tapped(nil)
	}
}

// TypedRune implements fyne.Focusable.
func (c *Card) TypedRune(rune) {}

// FocusGained implements fyne.Focusable.
func (c *Card) FocusGained() { c.set(&c.focused, true) }

// FocusLost implements fyne.Focusable.
func (c *Card) FocusLost() { c.set(&c.focused, false) }

// MouseIn implements desktop.Hoverable.
func (c *Card) MouseIn(*desktop.MouseEvent) { c.set(&c.hovered, true) }

// MouseMoved implements desktop.Hoverable.
func (c *Card) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *Card) MouseOut() { c.set(&c.hovered, false) }

// Cursor implements desktop.Cursorable.
func (c *Card) Cursor() desktop.Cursor { return desktop.PointerCursor }

const (
	cardWidth = 196
	cardPad   = 14
)

// CreateRenderer implements fyne.Widget.
func (c *Card) CreateRenderer() fyne.WidgetRenderer {
	r := &cardRenderer{c: c, back: canvas.NewRectangle(color.Transparent), icon: canvas.NewImageFromResource(nil)}
	r.icon.FillMode = canvas.ImageFillContain
	r.title = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	r.hint = NewText("", Muted)
	r.hint.SizeName = theme.SizeNameCaptionText
	r.Refresh()
	return r
}

type cardRenderer struct {
	c     *Card
	back  *canvas.Rectangle
	icon  *canvas.Image
	title *widget.Label
	hint  *Words
}

func (r *cardRenderer) Destroy() {}
func (r *cardRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.icon, r.title, r.hint}
}

func (r *cardRenderer) MinSize() fyne.Size {
	w := max(cardWidth, r.title.MinSize().Width+2*cardPad)
	r.hint.Resize(fyne.NewSize(w-2*cardPad+12, r.hint.MinSize().Height))
	return fyne.NewSize(w, cardPad+22+r.title.MinSize().Height+r.hint.MinSize().Height+4)
}

func (r *cardRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	r.icon.Move(fyne.NewPos(cardPad, cardPad))
	r.icon.Resize(fyne.NewSquareSize(22))
	inner, title := Size(theme.SizeNameInnerPadding), r.title.MinSize().Height
	r.title.Move(fyne.NewPos(cardPad-inner, cardPad+22))
	r.title.Resize(fyne.NewSize(size.Width-2*cardPad+2*inner, title))
	r.hint.Move(fyne.NewPos(cardPad-inner, cardPad+22+title-8))
	r.hint.Resize(fyne.NewSize(size.Width-2*cardPad+2*inner, r.hint.MinSize().Height))
}

func (r *cardRenderer) Refresh() {
	r.back.FillColor, r.back.CornerRadius = Color(ColorSurface), 8
	r.back.StrokeColor, r.back.StrokeWidth = Color(theme.ColorNameInputBorder), 1
	if r.c.hovered {
		r.back.FillColor = Color(ColorRowHover)
	}
	if r.c.focused {
		r.back.StrokeColor, r.back.StrokeWidth = Color(theme.ColorNamePrimary), 2
	}
	if r.c.Action.Icon != nil {
		r.icon.Resource = theme.NewPrimaryThemedResource(r.c.Action.Icon)
	}
	r.icon.Refresh()
	r.title.SetText(r.c.Action.Title)
	r.hint.SetText(r.c.Action.Hint)
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}
