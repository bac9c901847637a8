package look

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A Modal asks for something in the middle of a window. Escape closes it from
// its buttons and from every [Input] made with [Modal.Input].
type Modal struct {
	Title   string
	Content fyne.CanvasObject // under the title, may be nil
	Cancel  string            // the word of the button that only closes
	OnClose func()            // after it closed in any way, may be nil

	popup *widget.PopUp
	back  fyne.Focusable // what had the focus before
	focus fyne.Focusable
}

// Input makes an input of one line in which Escape closes the modal.
func (m *Modal) Input(hint string) *Input {
	i := NewInput(hint)
	i.OnEscape = m.Hide
	if m.focus == nil {
		m.focus = i
	}
	return i
}

// Show opens it on c with its buttons at the lower right, the likely one last.
// The focus is on its first input, or on Cancel, which is the safe answer.
func (m *Modal) Show(c fyne.Canvas, buttons ...*Button) {
	cancel := NewButton(m.Cancel, "", m.Hide)
	row := []fyne.CanvasObject{layout.NewSpacer()}
	for _, b := range append([]*Button{cancel}, buttons...) {
		b.OnEscape = m.Hide
		row = append(row, b)
	}
	title := NewText(m.Title, Plain)
	title.SizeName, title.TextStyle = theme.SizeNameSubHeadingText, fyne.TextStyle{Bold: true}
	content := m.Content
	if content == nil {
		content = layout.NewSpacer()
	}
	inside := container.NewBorder(title, container.NewVBox(space(6), container.NewHBox(row...)), nil, nil, content)
	m.popup = widget.NewModalPopUp(container.New(layout.NewCustomPaddedLayout(8, 8, 8, 8), inside), c)
	m.back = c.Focused()
	width := min(460, c.Size().Width-40)
	m.popup.Resize(fyne.NewSize(width, m.popup.MinSize().Height)) // wraps the text, which needs its height only now
	m.popup.Show()
	m.popup.Resize(fyne.NewSize(width, m.popup.MinSize().Height))
	if m.focus == nil {
		m.focus = cancel
	}
	c.Focus(m.focus)
}

// Hide closes it and gives the focus back.
func (m *Modal) Hide() {
	if m.popup == nil {
		return
	}
	p := m.popup
	m.popup = nil
	p.Hide()
	if m.back != nil {
		p.Canvas.Focus(m.back)
	}
	if m.OnClose != nil {
		m.OnClose()
	}
}

// A Question is asked before something leaves the machine or is destroyed.
type Question struct {
	Title, Text string // Text says how much, and what cannot be undone
	Do, Cancel  string // words of the two buttons; Do is a verb
	Danger      bool   // red, for what destroys
}

// Ask asks q and calls do only for a yes. The focus is on no; Escape is no.
func Ask(c fyne.Canvas, q Question, do func()) {
	m := &Modal{Title: q.Title, Content: NewText(q.Text, Plain), Cancel: q.Cancel}
	yes := NewMainButton(q.Do, "", func() {
		m.Hide()
		do()
	})
	if q.Danger {
		yes.Importance = widget.DangerImportance
	}
	m.Show(c, yes)
}
