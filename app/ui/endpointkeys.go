package ui

import (
	"reflect"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// input is an input of the form: Enter saves it, Escape leaves it.
func (e *endpointForm) input(hint string) *look.Input {
	i := look.NewInput(hint)
	i.OnSubmitted = func(string) { e.submit() }
	i.OnEscape = e.abandon
	return i
}

// submit saves the form, or shows what is wrong with it.
func (e *endpointForm) submit() {
	if !e.save.Disabled() {
		e.s.save(e.save, e.f)
		return
	}
	e.touched["name"], e.touched["path"] = true, true
	e.validate()
	e.s.w.frame.Say(look.Message{Badge: look.Doubtful(""), Text: text.T("endpoint.wrong")})
}

// abandon leaves the form as it was before; what was written can be had back.
func (e *endpointForm) abandon() {
	s, written := e.s, e.f
	if !reflect.DeepEqual(written, e.was) {
		s.w.frame.Say(look.Message{Badge: look.Doubtful(""), Text: text.T("endpoint.abandoned"), Action: text.T("undo"), Do: func() {
			if s.w.screen == "endpoints" {
				s.rewrite(e.was, written)
			}
		}})
	}
	if e.was.Old == "" {
		s.isNew = false
		s.load(nil)
	} else {
		s.edit(e.was)
	}
	look.Focus(s.table)
}

// rewrite opens a form with what was written before.
func (s *endpointScreen) rewrite(was, written view.EndpointForm) {
	s.isNew, s.open = was.Old == "", was.Old
	s.form(was, written)
}

// relay lays the form out again after something in it came or went.
func (e *endpointForm) relay() {
	if e.around != nil {
		relay(e.body)
		e.around.Refresh()
	}
}
