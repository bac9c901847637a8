package ui

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/grid"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

// A providerScreen lists what is known of providers, with one of them beside the list.
type providerScreen struct {
	w      *Window
	table  *grid.Table
	search *look.Input
	count  *widget.Label
	side   *fyne.Container
	own    []view.Recipe
	lines  []view.ProviderLine
}

func newProviders(w *Window) fyne.CanvasObject {
	s := &providerScreen{w: w, side: container.NewStack(), count: widget.NewLabel("")}
	s.count.Importance = widget.LowImportance
	s.table = grid.New(providerRows{s},
		grid.Column{ID: "title", Title: text.T("column.provider"), Width: 180, Min: 110, Weight: 1},
		grid.Column{ID: "known", Title: text.T("provider.signature"), Width: 130, Min: 80},
		grid.Column{ID: "deadline", Title: text.T("provider.deadline"), Width: 80, Min: 60},
		grid.Column{ID: "retry", Title: text.T("provider.retry"), Width: 150, Min: 80, Weight: 1},
		grid.Column{ID: "key", Title: text.T("provider.key"), Width: 190, Min: 90, Weight: 1})
	s.table.OnSelect = s.selected
	s.search = look.NewInput(text.T("provider.search"))
	s.search.OnChanged = func(string) { s.draw() }
	describe := look.NewMainButton(text.T("cmd.describe"), w.tip("describe"), func() { w.describe(view.Recipe{}, nil) })
	describe.Icon = theme.ContentAddIcon()
	head := container.NewPadded(container.NewVBox(
		container.NewBorder(nil, nil, nil, describe, heading(text.T("cmd.providers"))),
		container.NewBorder(nil, nil, nil, s.count, s.search)))
	w.columns("providers.widths", s.table)
	w.keepSplits()
	split := w.split("providers.split", container.NewHSplit(container.NewBorder(head, nil, nil, nil, inRoom(s.table)), s.side), 0.58)
	s.none()
	s.load()
	return split
}

func (s *providerScreen) none() {
	l := look.NewText(text.T("provider.none"), look.Muted)
	l.Alignment = fyne.TextAlignCenter
	s.side.Objects = []fyne.CanvasObject{container.New(centerLayout{}, l)}
	s.side.Refresh()
}

// load reads which providers are the user's own.
func (s *providerScreen) load() {
	start(s.w, s.w.desk.Recipes, func(own []view.Recipe, err error) {
		if err != nil {
			s.w.fail(err)
		}
		s.own = own
		s.draw()
		s.seek()
	})
}

func (s *providerScreen) draw() {
	all := s.w.desk.Providers()
	s.lines = view.ProviderLines(all, s.search.Text, s.isOwn)
	s.count.SetText(text.T("provider.count", text.Number(int64(len(s.lines))), text.Number(int64(len(all)))))
	s.table.Changed()
}

// showProvider turns to what is known of a provider.
func (w *Window) showProvider(name string) {
	w.sought = name
	w.show("providers")
}

// seek selects the provider that the screen was opened for, or the first.
func (s *providerScreen) seek() {
	for i, l := range s.lines {
		if l.Name == s.w.sought || s.w.sought == "" && i == 0 {
			s.table.Select(int64(i) + 1)
		}
	}
	s.w.sought = ""
}

func (s *providerScreen) isOwn(name string) bool {
	return slices.ContainsFunc(s.own, func(r view.Recipe) bool { return r.Name == name })
}

func (s *providerScreen) selected() {
	keys := s.table.Selected()
	if len(keys) != 1 || int(keys[0]) > len(s.lines) {
		s.none()
		return
	}
	name := s.lines[keys[0]-1].Name
	for _, p := range s.w.desk.Providers() {
		if p.Name == name {
			s.show(p)
		}
	}
}

// show lays a provider out.
func (s *providerScreen) show(p capture.Provider) {
	v := view.ViewProvider(p)
	buttons := container.NewHBox(look.NewMainButton(text.T("provider.use"), "", func() { s.w.addEndpointOf(p) }))
	if at := slices.IndexFunc(s.own, func(r view.Recipe) bool { return r.Name == p.Name }); at >= 0 {
		mine := s.own[at]
		buttons.Add(look.NewButton(text.T("recipe.edit"), "", func() { s.w.describe(mine, nil) }))
		buttons.Add(look.NewButton(text.T("recipe.delete"), "", func() { s.remove(mine) }))
	}
	body := container.NewVBox()
	if v.Setup != "" {
		body.Add(look.NewSection(text.T("provider.setup")))
		body.Add(look.NewText(v.Setup, look.Plain))
	}
	for _, n := range v.Notes {
		body.Add(look.NewPanel(container.NewBorder(nil, nil, widget.NewIcon(theme.InfoIcon()), nil, look.NewText(n, look.Plain))))
	}
	body.Add(look.NewSection(text.T("provider.facts")))
	for _, f := range v.Facts {
		row := look.NewField(f.Name, f.Value, text.T("copy.value"), func() { s.w.say(text.T("copied", f.Name)) })
		if f.Known.Text == "" {
			body.Add(row)
			continue
		}
		body.Add(container.NewBorder(nil, nil, nil, container.NewCenter(look.NewChip(badge(f.Known))), row))
	}
	body.Add(look.NewSection(text.T("provider.sources")))
	for _, source := range v.Sources {
		body.Add(muted(source))
	}
	head := container.NewBorder(nil, widget.NewSeparator(), nil, buttons, heading(v.Title))
	s.side.Objects = []fyne.CanvasObject{container.NewPadded(container.NewBorder(head, nil, nil, nil, scroll(body)))}
	s.side.Refresh()
}

func (s *providerScreen) remove(r view.Recipe) {
	look.Ask(s.w.win.Canvas(), look.Question{
		Title: text.T("recipe.delete.title", r.Title), Text: text.T("recipe.delete.text"), Do: text.T("recipe.delete"), Cancel: text.T("cancel"), Danger: true,
	}, func() {
		s.w.try(func(ctx context.Context) error { return s.w.desk.DeleteRecipe(ctx, r.Name) }, func() {
			s.none()
			s.load()
		})
	})
}

// providerRows give the table the providers.
type providerRows struct{ s *providerScreen }

// Len implements grid.Source.
func (r providerRows) Len() int { return len(r.s.lines) }

// Key implements grid.Source: the place in the list, from 1.
func (r providerRows) Key(i int) int64 { return int64(i) + 1 }

// Row implements grid.Source.
func (r providerRows) Row(i int, cells []grid.Cell) bool {
	l := r.s.lines[i]
	cells[0] = grid.Cell{Mark: look.MarkOf(l.Name), Text: l.Title, Bold: true}
	if l.Verified.Text != "" {
		cells[1] = grid.Cell{Badges: []look.Badge{badge(l.Verified)}}
	}
	cells[2] = grid.Cell{Text: l.Deadline}
	cells[3] = grid.Cell{Text: l.Retries, Tone: look.Muted}
	cells[4] = grid.Cell{Text: l.Key, Tone: look.Muted}
	return true
}
