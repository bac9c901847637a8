package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// tones are the colours of what view says.
var tones = map[view.Tone]look.Tone{
	view.Plain: look.Plain, view.Muted: look.Muted, view.Good: look.OK, view.Busy: look.Info, view.Warn: look.Warn, view.Bad: look.Bad,
}

// badge draws a mark.
func badge(m view.Mark) look.Badge {
	switch m.Sign {
	case view.SignAgain:
		return look.Again(m.Text)
	case view.SignLate:
		return look.Late(m.Text)
	case view.SignHandshake:
		return look.Handshake(m.Text)
	case view.SignStray:
		return look.Stray(m.Text)
	case view.SignImported:
		return look.Imported(m.Text)
	case view.SignMade:
		return look.Made(m.Text)
	case view.SignReplayed:
		return look.Replayed(m.Text)
	}
	switch m.Tone {
	case view.Good:
		return look.Valid(m.Text)
	case view.Bad:
		return look.Invalid(m.Text)
	case view.Warn:
		return look.Doubtful(m.Text)
	case view.Busy:
		return look.Waiting(m.Text)
	default:
		return look.Badge{Word: m.Text, Tone: look.Muted}
	}
}

// chips draws marks beside each other.
func chips(marks []view.Mark) fyne.CanvasObject {
	row := container.NewHBox()
	for _, m := range marks {
		if m.Text != "" {
			row.Add(look.NewChip(badge(m)))
		}
	}
	return row
}

// gap is empty room.
func gap(width, height float32) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(width, height))
	return r
}

// least gives o a least size.
func least(o fyne.CanvasObject, width, height float32) fyne.CanvasObject {
	return container.NewStack(gap(width, height), o)
}

// scroll lets o be higher than the window, with room for the scroll bar.
func scroll(o fyne.CanvasObject) *container.Scroll {
	return container.NewVScroll(container.NewBorder(nil, nil, nil, gap(8, 0), o))
}

// line is a label that is cut with an ellipsis.
func line(s string) *widget.Label {
	l := widget.NewLabel(s)
	l.Truncation = fyne.TextTruncateEllipsis
	return l
}

// quiet is a line that is not what one looks for.
func quiet(s string) *widget.Label {
	l := line(s)
	l.Importance = widget.LowImportance
	return l
}

// bold is a bold line.
func bold(s string) *widget.Label {
	l := line(s)
	l.TextStyle.Bold = true
	return l
}

// heading is a bold label that is cut with an ellipsis.
func heading(s string) *widget.Label {
	l := line(s)
	l.TextStyle.Bold = true
	l.SizeName = theme.SizeNameSubHeadingText
	return l
}

// muted is a small, quiet label that wraps.
func muted(s string) *look.Words {
	l := look.NewText(s, look.Muted)
	l.SizeName = theme.SizeNameCaptionText
	return l
}

// field is a row of a form: its name, its widget, and what is wrong with it.
func field(name string, o fyne.CanvasObject, problem *look.Words) fyne.CanvasObject {
	head := widget.NewLabel(name)
	head.Importance = widget.LowImportance
	rows := container.NewVBox(o)
	if problem != nil {
		rows.Add(problem)
	}
	return container.NewBorder(nil, nil, container.NewVBox(least(head, 150, 0)), nil, rows)
}

// problem is the place for what is wrong with a field; it takes no room while nothing is.
func problem() *look.Words {
	l := look.NewText("", look.Bad)
	l.SizeName = theme.SizeNameCaptionText
	l.Hide()
	return l
}

// setProblem shows what is wrong, or nothing.
func setProblem(l *look.Words, s string) {
	if s == l.Said() && l.Visible() == (s != "") {
		return
	}
	l.SetText(s)
	if s == "" {
		l.Hide()
	} else {
		l.Show()
	}
}

// enable lets a button be pressed, or not; it keeps its room.
func enable(b *look.Button, on bool) {
	switch {
	case on == !b.Disabled():
	case on:
		b.Enable()
	default:
		b.Disable()
	}
}

// roomy never gives its object less room than it needs at the least, whatever
// the window does while it is opened.
type roomy struct{}

func (roomy) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }
func (roomy) Layout(o []fyne.CanvasObject, s fyne.Size) {
	o[0].Resize(s.Max(o[0].MinSize()))
}

// inRoom puts a table into a room that is never too small for it.
func inRoom(o fyne.CanvasObject) fyne.CanvasObject { return container.New(roomy{}, o) }

// column and row put objects below and beside each other.
func column(o ...fyne.CanvasObject) fyne.CanvasObject { return container.NewVBox(o...) }
func row(o ...fyne.CanvasObject) fyne.CanvasObject    { return container.NewHBox(o...) }

// tight puts objects below each other without the room that labels bring along twice.
func tight(o ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedVBoxLayout(-5), o...)
}

// relay lays out again those that stand around something that came or went,
// from the inside out.
func relay(around ...*fyne.Container) {
	for _, c := range around {
		if c != nil && c.Layout != nil {
			c.Layout.Layout(c.Objects, c.Size())
		}
	}
}
