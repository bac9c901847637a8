package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/grid"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

// An endpointScreen lists the endpoints, and edits one beside the list.
type endpointScreen struct {
	w     *Window
	table *grid.Table
	side  *fyne.Container
	all   []capture.Endpoint
	lines []view.EndpointLine
	open  string // name of the one edited
	isNew bool
}

// newEndpoints makes the screen, with the endpoint open that editEndpoint asked for.
func newEndpoints(w *Window) fyne.CanvasObject {
	s := &endpointScreen{w: w, side: container.NewStack()}
	s.table = grid.New(endpointRows{s},
		grid.Column{ID: "path", Title: text.T("endpoint.path"), Width: 78, Min: 60},
		grid.Column{ID: "provider", Title: text.T("column.provider"), Width: 94, Min: 60},
		grid.Column{ID: "target", Title: text.T("endpoint.target"), Width: 180, Min: 110, Weight: 1},
		grid.Column{ID: "handler", Title: text.T("endpoint.handler"), Width: 108, Min: 80},
		grid.Column{ID: "secrets", Title: text.T("endpoint.secrets.column"), Width: 76, Min: 66})
	s.table.OnSelect = s.selected
	s.table.OnDelete = s.removeSelected
	add := look.NewMainButton(text.T("cmd.add-endpoint"), w.tip("add-endpoint"), s.add)
	add.Icon = theme.ContentAddIcon()
	head := container.NewPadded(container.NewBorder(nil, nil, nil, add, heading(text.T("cmd.endpoints"))))
	w.columns("endpoints.widths", s.table)
	w.keepSplits()
	split := w.split("endpoints.split", container.NewHSplit(container.NewBorder(head, nil, nil, nil, inRoom(s.table)), s.side), 0.56)
	s.none()
	s.load(w.wanted)
	w.wanted = nil
	return split
}

// wish is an endpoint to open when the screen is made: its name, "" for a new
// one, which may be that of a provider.
type wish struct {
	name     string
	provider capture.Provider
}

// editEndpoint turns to an endpoint; "" makes a new one.
func (w *Window) editEndpoint(name string) {
	w.wanted = &wish{name: name}
	w.show("endpoints")
}

// addEndpointOf turns to a new endpoint for a provider.
func (w *Window) addEndpointOf(p capture.Provider) {
	w.wanted = &wish{provider: p}
	w.show("endpoints")
}

func (s *endpointScreen) none() {
	l := look.NewText(text.T("endpoint.none"), look.Muted)
	l.Alignment = fyne.TextAlignCenter
	s.side.Objects = []fyne.CanvasObject{container.New(centerLayout{}, l)}
	s.side.Refresh()
}

// load reads the endpoints, and opens the one wished for, or the first.
func (s *endpointScreen) load(then *wish) {
	start(s.w, s.w.desk.Endpoints, func(all []capture.Endpoint, err error) {
		if err != nil {
			s.w.fail(err)
			return
		}
		s.lines = view.EndpointLines(s.w.desk, all, s.w.desk.Status())
		s.all = all
		s.table.Changed()
		if then != nil && then.name == "" {
			s.addOf(then.provider)
			return
		}
		s.isNew = false
		for i, l := range s.lines {
			if then == nil && i == 0 || then != nil && l.Name == then.name {
				s.open = ""
				s.table.Select()
				s.table.Select(int64(i) + 1)
			}
		}
	})
}

func (s *endpointScreen) add() { s.addOf(capture.Provider{}) }

// addOf opens the form of a new endpoint, filled in for a provider if there is one.
func (s *endpointScreen) addOf(p capture.Provider) {
	s.isNew = true
	s.table.Select()
	s.open = ""
	s.edit(view.NewEndpointForm(p, s.all))
}

// selected opens the endpoint that is selected.
func (s *endpointScreen) selected() {
	keys := s.table.Selected()
	if len(keys) != 1 {
		if !s.isNew {
			s.none()
		}
		return
	}
	s.isNew = false
	name := s.lines[keys[0]-1].Name
	if name == s.open {
		return
	}
	s.open = name
	for _, e := range s.all {
		if e.Name == name {
			s.edit(view.FormOf(e))
		}
	}
}

func (s *endpointScreen) edit(f view.EndpointForm) { s.form(f, f) }

// form shows a form with what is written in it, where was is what is kept.
func (s *endpointScreen) form(was, f view.EndpointForm) {
	s.w.left()
	s.side.Objects = []fyne.CanvasObject{newEndpointForm(s, was, f)}
	s.side.Refresh()
}

// save keeps what the form describes.
func (s *endpointScreen) save(b *look.Button, f view.EndpointForm) {
	e := f.Endpoint()
	s.w.pressed(b, func(ctx context.Context) error { return s.w.desk.SaveEndpoint(ctx, f.Old, e) }, func() {
		s.w.say(f.Saved(e))
		s.load(&wish{name: e.Name})
	})
}

// removeSelected deletes the endpoint that is selected; the one that catches
// what no other does stays.
func (s *endpointScreen) removeSelected() {
	keys := s.table.Selected()
	switch {
	case len(keys) != 1:
		s.w.frame.Say(look.Message{Badge: look.Doubtful(""), Text: text.T("endpoint.none")})
	case s.lines[keys[0]-1].Path == "/":
		s.w.frame.Say(look.Message{Badge: look.Doubtful(""), Text: text.T("endpoint.delete.last")})
	default:
		s.remove(s.lines[keys[0]-1].Name)
	}
}

// remove deletes an endpoint after asking once.
func (s *endpointScreen) remove(name string) {
	look.Ask(s.w.win.Canvas(), look.Question{
		Title: text.T("endpoint.delete.title", name), Text: text.T("endpoint.delete.text"), Do: text.T("endpoint.delete"), Cancel: text.T("cancel"), Danger: true,
	}, func() {
		s.w.try(func(ctx context.Context) error { return s.w.desk.DeleteEndpoint(ctx, name) }, func() {
			s.none()
			s.load(nil)
		})
	})
}

// endpointRows give the table the endpoints.
type endpointRows struct{ s *endpointScreen }

// Len implements grid.Source.
func (r endpointRows) Len() int { return len(r.s.lines) }

// Key implements grid.Source: the place in the list, from 1.
func (r endpointRows) Key(i int) int64 { return int64(i) + 1 }

// Row implements grid.Source.
func (r endpointRows) Row(i int, cells []grid.Cell) bool {
	l := r.s.lines[i]
	cells[0] = grid.Cell{Text: l.Path, Bold: true}
	cells[1] = grid.Cell{Mark: look.MarkOf(l.Mark), Text: l.Provider}
	cells[2] = grid.Cell{Text: l.Target}
	cells[3] = grid.Cell{Badges: []look.Badge{badge(l.Handler)}}
	cells[4] = grid.Cell{Text: l.Secrets, Tone: look.Muted}
	return true
}
