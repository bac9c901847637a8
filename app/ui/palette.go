package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/grid"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// A palette finds commands by name.
type palette struct {
	w     *Window
	input *paletteInput
	table *grid.Table
	found []view.Command
	popup *widget.PopUp
}

// A paletteInput sends the keys that walk through a list there.
type paletteInput struct {
	look.Input
	p *palette
}

// TypedKey implements fyne.Focusable.
func (i *paletteInput) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyUp, fyne.KeyDown, fyne.KeyPageUp, fyne.KeyPageDown:
		i.p.table.TypedKey(e)
	default:
		i.Input.TypedKey(e)
	}
}

// openPalette shows all commands that make sense now, and narrows them as one types.
func (w *Window) openPalette() {
	p := &palette{w: w}
	p.table = grid.New(commandRows{p},
		grid.Column{ID: "name", Title: text.T("palette.command"), Width: 300, Weight: 1},
		grid.Column{ID: "key", Title: text.T("palette.key"), Width: 120, Right: true})
	p.table.OnActivate = func(int64) { p.carry() }
	p.input = &paletteInput{p: p}
	p.input.PlaceHolder = text.T("palette.hint")
	p.input.ExtendBaseWidget(p.input)
	p.input.OnChanged = p.look
	p.input.OnSubmitted = func(string) { p.carry() }
	p.input.OnEscape = p.hide
	c := w.win.Canvas()
	p.popup = widget.NewPopUp(container.NewPadded(container.NewBorder(container.NewBorder(nil, nil, widget.NewIcon(theme.SearchIcon()), nil, p.input), nil, nil, nil, inRoom(p.table))), c)
	size := fyne.NewSize(min(560, c.Size().Width-40), min(420, c.Size().Height-120))
	p.popup.Resize(size)
	p.popup.ShowAtPosition(fyne.NewPos((c.Size().Width-size.Width)/2, 60))
	p.look("")
}

func (p *palette) look(query string) {
	p.found = view.Find(query, p.w.situation())
	p.table.Changed()
	if len(p.found) > 0 {
		p.table.Pick(0, 0)
	}
	p.w.win.Canvas().Focus(p.input)
}

func (p *palette) hide() {
	p.popup.Hide()
	look.Focus(p.w.inbox.table)
}

// carry carries out the command that is selected.
func (p *palette) carry() {
	i, ok := p.table.Cursor()
	if !ok || int(i) > len(p.found) {
		return
	}
	id := p.found[i-1].ID
	p.hide()
	p.w.Do(id)
}

// commandRows give the table what was found.
type commandRows struct{ p *palette }

// Len implements grid.Source.
func (r commandRows) Len() int { return len(r.p.found) }

// Key implements grid.Source: the place in the list, from 1.
func (r commandRows) Key(i int) int64 { return int64(i) + 1 }

// Row implements grid.Source.
func (r commandRows) Row(i int, cells []grid.Cell) bool {
	cells[0] = commandCell(r.p.found[i], r.p.w.situation())
	cells[1] = grid.Cell{Text: key(r.p.found[i].Key), Tone: look.Muted}
	return true
}
