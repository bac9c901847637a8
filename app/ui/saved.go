package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

const filtersPref = "filters"

// openFilters offers the filters that were saved, to use or to forget them.
func (w *Window) openFilters() {
	w.show("inbox")
	saved := view.SavedFilters(w.pref(filtersPref))
	m := fyne.NewMenu("")
	for _, f := range saved {
		item := fyne.NewMenuItem(f.Name, func() { w.inbox.filters.set(f.Chips) })
		item.Checked = f.Chips == w.inbox.filters.chips
		m.Items = append(m.Items, item)
	}
	if len(saved) == 0 {
		none := fyne.NewMenuItem(text.T("filter.saved.none"), nil)
		none.Disabled = true
		m.Items = append(m.Items, none)
	}
	save := fyne.NewMenuItem(view.CommandOf("save-filter").Title(), func() { w.Do("save-filter") })
	save.Icon, save.Disabled = theme.DocumentSaveIcon(), w.inbox.filters.chips == view.Chips{}
	m.Items = append(m.Items, fyne.NewMenuItemSeparator(), save)
	if len(saved) > 0 {
		forget := fyne.NewMenuItem(text.T("filter.saved.forget"), nil)
		forget.Icon, forget.ChildMenu = theme.DeleteIcon(), fyne.NewMenu("")
		for _, f := range saved {
			forget.ChildMenu.Items = append(forget.ChildMenu.Items, fyne.NewMenuItem(f.Name, func() { w.forgetFilter(f) }))
		}
		m.Items = append(m.Items, forget)
	}
	w.menuBelow(m, w.inbox.filters.saved)
}

// forgetFilter forgets a saved filter, and takes it back if asked to.
func (w *Window) forgetFilter(f view.SavedFilter) {
	w.setPref(filtersPref, view.DropFilter(w.pref(filtersPref), f.Name))
	w.frame.Say(look.Message{
		Badge: look.Valid(""), Text: text.T("filter.saved.forgotten", f.Name), Action: text.T("undo"),
		Do: func() { w.setPref(filtersPref, view.SaveFilter(w.pref(filtersPref), f)) },
	})
}

// saveFilter asks for the name of the filter that is set, and keeps it.
func (w *Window) saveFilter() {
	chips := w.inbox.filters.chips
	if chips == (view.Chips{}) {
		w.frame.Say(look.Message{Badge: look.Doubtful(""), Text: text.T("filter.save.empty")})
		return
	}
	name := w.inbox.input("", chips.Name(w.desk))
	keep := look.NewMainButton(text.T("filter.save"), "", func() {
		said := view.Clean(strings.TrimSpace(name.Text), 60)
		if said == "" {
			return
		}
		w.setPref(filtersPref, view.SaveFilter(w.pref(filtersPref), view.SavedFilter{Name: said, Chips: chips}))
		w.inbox.closePanel()
		w.say(text.T("filter.saved.done", said))
	})
	name.OnSubmitted = func(string) { keep.Tapped(nil) }
	w.inbox.openPanel(&panel{name: "save-filter", focus: name}, text.T("cmd.save-filter"), scroll(column(
		muted(text.T("filter.save.text")), field(text.T("endpoint.name"), name, nil), row(keep))))
}
