package ui

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// settle is how long typing must rest before it is searched for.
const settle = 200 * time.Millisecond

// filters are the row above the list.
type filters struct {
	w       *Window
	box     fyne.CanvasObject
	search  *look.Input
	menus   []*choice
	dup     *look.Button
	late    *look.Button
	clear   *look.Button
	saved   *look.Button
	counted *widget.Label
	chips   view.Chips
	timer   *time.Timer
	quiet   bool // being set by us
}

// A choice is a chip that offers values.
type choice struct {
	name    string // of what is chosen from
	button  *look.Button
	choices []view.Choice
	value   func(*view.Chips) *string
}

func newFilters(w *Window) *filters {
	f := &filters{w: w}
	f.search = look.NewInput(text.T("filter.search"))
	f.search.ActionItem = nil
	f.search.OnChanged = f.typed
	f.search.OnSubmitted = func(string) { f.apply() }
	f.search.OnEscape = func() { f.search.SetText(""); look.Focus(w.inbox.table) }
	f.menus = []*choice{
		f.menu(text.T("column.provider"), view.ProviderChoices(w.desk), func(c *view.Chips) *string { return &c.Provider }),
		f.menu(text.T("column.signature"), view.SignatureChoices(), func(c *view.Chips) *string { return &c.Signature }),
		f.menu(text.T("column.outcome"), view.OutcomeChoices(), func(c *view.Chips) *string { return &c.Outcome }),
		f.menu(text.T("filter.kind"), view.KindChoices(), func(c *view.Chips) *string { return &c.Kind }),
	}
	f.dup = look.NewButton(text.T("filter.duplicates"), text.T("filter.duplicates.tip"), func() { f.chips.Duplicates = !f.chips.Duplicates; f.apply() })
	f.late = look.NewButton(text.T("filter.late"), text.T("filter.late.tip"), func() { f.chips.Late = !f.chips.Late; f.apply() })
	f.saved = w.button("filters", text.T("filter.saved"))
	f.saved.Icon, f.saved.IconPlacement = theme.MenuDropDownIcon(), widget.ButtonIconTrailingText
	f.clear = w.icon("clear-filter", theme.ContentClearIcon())
	f.counted = widget.NewLabel("")
	f.counted.Importance, f.counted.SizeName = widget.LowImportance, theme.SizeNameCaptionText
	row := container.NewHBox()
	for _, m := range f.menus {
		row.Add(m.button)
	}
	row.Add(f.dup)
	row.Add(f.late)
	row.Add(f.saved)
	row.Add(f.clear)
	top := container.NewBorder(nil, nil, nil, container.NewCenter(f.counted), f.search)
	f.box = container.NewPadded(container.NewVBox(top, container.NewHScroll(row)))
	f.chips = w.chipsOf()
	f.draw()
	return f
}

// chipsOf keeps the filter when the window is built again.
func (w *Window) chipsOf() view.Chips {
	if w.inbox == nil || w.inbox.filters == nil {
		return view.Chips{}
	}
	return w.inbox.filters.chips
}

func (f *filters) menu(name string, choices []view.Choice, value func(*view.Chips) *string) *choice {
	c := &choice{name: name, choices: choices, value: value}
	c.button = look.NewButton("", "", func() {
		m := fyne.NewMenu("")
		for _, o := range choices {
			item := fyne.NewMenuItem(o.Name, func() { *value(&f.chips) = o.Value; f.apply() })
			item.Checked = *value(&f.chips) == o.Value
			m.Items = append(m.Items, item)
		}
		f.w.menuBelow(m, c.button)
	})
	c.button.Icon, c.button.IconPlacement = theme.MenuDropDownIcon(), widget.ButtonIconTrailingText
	return c
}

// typed waits until typing rests.
func (f *filters) typed(s string) {
	if f.quiet {
		return
	}
	f.chips.Text = s
	if f.timer != nil {
		f.timer.Stop()
	}
	f.timer = time.AfterFunc(settle, func() { f.w.ui.Post(f.apply) })
}

// apply gives the chips to the model.
func (f *filters) apply() {
	f.draw()
	f.w.inbox.model.SetFilter(f.chips.Filter())
	f.w.inbox.draw()
}

// set chooses the chips from elsewhere.
func (f *filters) set(c view.Chips) {
	f.chips = c
	f.quiet = true
	f.search.SetText(c.Text)
	f.quiet = false
	f.apply()
}

func (f *filters) focus() { f.w.win.Canvas().Focus(f.search) }

func (f *filters) draw() {
	for _, m := range f.menus {
		value := *m.value(&f.chips)
		i := max(0, slices.IndexFunc(m.choices, func(c view.Choice) bool { return c.Value == value }))
		on(m.button, value != "")
		word := m.choices[i].Name
		if value == "" {
			word = m.name
		}
		if m.button.Text != word {
			m.button.SetText(word)
		}
	}
	on(f.dup, f.chips.Duplicates)
	on(f.late, f.chips.Late)
	visible(f.clear, f.chips != view.Chips{})
	if f.chips == (view.Chips{}) {
		setText(f.counted, "")
	}
}

// count says how many requests the filter let through.
func (f *filters) count(n int) {
	if f.chips != (view.Chips{}) {
		setText(f.counted, text.N("filter.count", int64(n)))
	}
}

// on draws a button as pressed.
func on(b *look.Button, pressed bool) {
	to := widget.MediumImportance
	if pressed {
		to = widget.HighImportance
	}
	if b.Importance != to {
		b.Importance = to
		b.Refresh()
	}
}
