package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

// chosen is the provider that the form has; the zero Provider when each request is recognised.
func (e *endpointForm) chosen() capture.Provider {
	for _, p := range e.s.w.desk.Providers() {
		if p.Name == e.f.Provider {
			return p
		}
	}
	return capture.Provider{}
}

// drawSetup shows what to do at the provider, and whether anything came yet.
func (e *endpointForm) drawSetup() {
	p := e.chosen()
	v := view.ViewSetup(p, e.f.Path, e.s.w.last)
	copyURL := look.NewIconButton(theme.ContentCopyIcon(), text.T("cmd.copy-url"), func() { e.s.w.copy(v.URL, text.T("copied.url", v.URL)) })
	box := []fyne.CanvasObject{muted(text.T("setup.paste")), container.NewBorder(nil, nil, nil, copyURL, line(v.URL))}
	if v.Note != "" {
		box = append(box, muted(v.Note))
	}
	if v.Where != "" {
		box = append(box, look.NewText(v.Where, look.Plain))
	}
	if v.Facts != "" {
		box = append(box, muted(v.Facts))
	}
	if p.Name != "" {
		box = append(box, container.NewHBox(look.NewButton(text.T("setup.more", p.Title), "", func() { e.s.w.showProvider(p.Name) })))
	}
	if e.f.Old != "" {
		e.came = container.NewVBox()
		box = append(box, e.came)
	}
	e.setup.Objects = []fyne.CanvasObject{look.NewPanel(container.NewVBox(box...))}
	e.setup.Refresh()
	e.relay()
}

// wait follows what comes in by the endpoint, until the form is left.
func (e *endpointForm) wait() {
	if e.f.Old == "" {
		return
	}
	w, name := e.s.w, e.f.Old
	ctx, leave := context.WithCancel(w.ctx)
	w.leave = leave
	w.background(func(context.Context) {
		defer leave()
		var shown view.FirstEvent
		for ctx.Err() == nil {
			changed := w.desk.Changed() // before looking, so that nothing is missed
			first, err := view.Newest(ctx, w.desk, w.clock, name)
			if all, err := w.desk.Endpoints(ctx); err == nil {
				w.ui.Post(func() {
					if ctx.Err() == nil {
						e.learned(all)
					}
				})
			}
			if err == nil && first != shown {
				shown = first
				w.ui.Post(func() {
					if ctx.Err() == nil {
						e.drawCame(first)
					}
				})
			}
			select {
			case <-changed:
			case <-ctx.Done():
			}
		}
	})
}

// learned shows the secret that a set-up check has brought in the meantime, so
// that to save the form does not forget it.
func (e *endpointForm) learned(all []capture.Endpoint) {
	if fresh, ok := e.f.Learned(e.was, all); ok {
		e.f.Kept, e.was.Kept = fresh, fresh
		e.drawSecrets()
	}
}

// left ends what the screen, or a form in it, followed.
func (w *Window) left() {
	if w.leave != nil {
		w.leave()
		w.leave = nil
	}
}

// drawCame shows the newest request that came in.
func (e *endpointForm) drawCame(first view.FirstEvent) {
	if e.came == nil {
		return
	}
	var show fyne.CanvasObject
	if first.Seq > 0 {
		show = container.NewCenter(look.NewButton(text.T("alert.show"), "", func() { e.s.w.reveal(first.Seq) }))
	}
	row := container.NewBorder(nil, nil, container.NewCenter(look.NewChip(badge(first.Mark))), show, look.NewText(first.Text, look.Plain))
	e.came.Objects = []fyne.CanvasObject{row}
	e.came.Refresh()
	e.relay()
}

// reveal turns to a request in the inbox.
func (w *Window) reveal(seq capture.Seq) {
	w.show("inbox")
	w.inbox.filters.set(view.Chips{})
	w.inbox.table.Select(int64(seq))
}
