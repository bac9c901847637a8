package ui

import (
	"bytes"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/codeview"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// sideBySide shows two attempts beside each other, the earlier one at the left:
// line by line with what differs marked, and below that both bodies.
func (t *deliveriesTab) sideBySide(a, b view.AttemptView) fyne.CanvasObject {
	all := view.Compare(a, b)
	lines := tight(
		container.NewHBox(look.NewChip(badge(view.Differences(all)))),
		container.New(threeColumns{}, gap(1, 1), bold(a.Title), bold(b.Title)))
	for _, d := range all {
		lines.Add(compared(d))
	}
	left, right := answerOf(a), answerOf(b)
	onlyLeft, onlyRight := view.DifferingLines(left.lines, right.lines)
	left.code.Mark(onlyLeft)
	right.code.Mark(onlyRight)
	split := container.NewVSplit(scroll(lines), container.NewHSplit(left.code, right.code))
	split.SetOffset(0.6)
	return split
}

// compared is one line of the two; one that differs has a sign and is marked.
func compared(d view.Difference) fyne.CanvasObject {
	if d.Same {
		return container.New(threeColumns{}, quiet(d.Name), quiet(d.Left), quiet(d.Right))
	}
	back := canvas.NewRectangle(look.Color(look.ColorWarnSoft))
	return container.NewStack(back, container.New(threeColumns{}, bold("≠ "+d.Name), bold(d.Left), bold(d.Right)))
}

// An answer is the body of one, and its lines as they are shown.
type answer struct {
	code  *codeview.View
	lines [][]byte
}

// answerOf shows the body of an answer.
func answerOf(v view.AttemptView) answer {
	code := newCode()
	code.SetWrap(true)
	d := v.Answer.Show(v.Answer.Renderings()[0])
	switch {
	case d.Rendering == view.Hex || d.Rendering == view.Image:
		code.ShowHex(v.Answer.Bytes)
		return answer{code, slices.Collect(slices.Chunk(v.Answer.Bytes, codeview.HexRow))}
	case d.JSON:
		code.ShowJSON(d.Bytes)
		return answer{code, members(d.Bytes)}
	}
	code.ShowText(d.Bytes)
	return answer{code, bytes.Split(bytes.ReplaceAll(d.Bytes, []byte("\r\n"), []byte("\n")), []byte("\n"))}
}

// members are the lines of JSON without the commas that the next one asks for.
func members(b []byte) [][]byte {
	var out [][]byte
	for line := range codeview.Indent(b) {
		out = append(out, bytes.TrimSuffix(line, []byte(",")))
	}
	return out
}

// threeColumns are a name and two values of the same width.
type threeColumns struct{}

const nameWidth = 128

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
