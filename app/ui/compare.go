package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// sideBySide shows two attempts beside each other, the earlier one at the left:
// line by line what differs, and below that both bodies.
func (t *deliveriesTab) sideBySide(a, b view.AttemptView) fyne.CanvasObject {
	lines := tight(container.New(threeColumns{}, gap(1, 1), bold(a.Title), bold(b.Title)))
	for _, d := range view.Compare(a, b) {
		tone, sign := look.Muted, " "
		if !d.Same {
			tone, sign = look.Plain, "≠ "
		}
		name, left, right := line(sign+d.Name), toned(d.Left, tone), toned(d.Right, tone)
		name.Importance = importance(look.Muted)
		lines.Add(container.New(threeColumns{}, name, left, right))
	}
	bodies := container.NewHSplit(answerOf(a), answerOf(b))
	split := container.NewVSplit(scroll(lines), bodies)
	split.SetOffset(0.6)
	return split
}

// answerOf is the body of an answer.
func answerOf(v view.AttemptView) fyne.CanvasObject {
	code := newCode()
	code.SetWrap(true)
	d := v.Answer.Show(v.Answer.Renderings()[0])
	switch {
	case d.Rendering == view.Hex || d.Rendering == view.Image:
		code.ShowHex(v.Answer.Bytes)
	case d.JSON:
		code.ShowJSON(d.Bytes)
	default:
		code.ShowText(d.Bytes)
	}
	return code
}

// threeColumns are a name and two values of the same width.
type threeColumns struct{}

const nameWidth = 108

func (threeColumns) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(nameWidth+120, o[1].MinSize().Height)
}

func (threeColumns) Layout(o []fyne.CanvasObject, s fyne.Size) {
	half := (s.Width - nameWidth) / 2
	for i, x := range []struct{ at, width float32 }{{0, nameWidth}, {nameWidth, half}, {nameWidth + half, half}} {
		o[i].Move(fyne.NewPos(x.at, 0))
		o[i].Resize(fyne.NewSize(x.width, s.Height))
	}
}

// compare puts the attempt that is selected beside the one before it.
func (x *inbox) compare() {
	d := x.detail
	if d.shown == nil {
		return
	}
	n := len(d.shown.Attempts)
	if n < 2 {
		x.w.frame.Say(look.Message{Badge: look.Doubtful(""), Text: text.T("compare.none")})
		return
	}
	d.turn("deliveries")
	at := int64(n)
	if keys := d.sends.table.Selected(); len(keys) == 1 {
		at = max(2, keys[0])
	}
	d.sends.table.Select(at-1, at)
	d.sends.selected()
}
