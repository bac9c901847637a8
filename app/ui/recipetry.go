package ui

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

// trySoon waits until typing rests.
func (f *recipeForm) trySoon() {
	if f.timer != nil {
		f.timer.Stop()
	}
	f.timer = time.AfterFunc(settle, func() { f.w.ui.Post(f.try) })
}

// try reads the request as the recipe would, beside the window.
func (f *recipeForm) try() {
	if f.about == nil {
		f.preview.Objects = []fyne.CanvasObject{look.NewText(text.T("recipe.nothing"), look.Muted)}
		f.preview.Refresh()
		return
	}
	f.tries++
	tries, recipe, about, secret := f.tries, f.r, f.about, f.secret
	start(f.w, func(context.Context) (view.Trial, error) {
		return view.Try(f.w.desk, f.w.clock, recipe, about, secret), nil
	}, func(t view.Trial, _ error) {
		if tries == f.tries {
			f.draw(t)
		}
	})
}

// draw shows what came of it.
func (f *recipeForm) draw(t view.Trial) {
	setProblem(f.wrong, t.Wrong)
	if (t.Wrong != "" || f.r.Name == "" || f.r.Title == "") != f.save.Disabled() {
		if f.save.Disabled() {
			f.save.Enable()
		} else {
			f.save.Disable()
		}
	}
	if one := f.about.Seq; one != f.chosen {
		f.chosen = one
		f.subject.Objects = []fyne.CanvasObject{f.chooser()}
		f.subject.Refresh()
	}
	var box []fyne.CanvasObject
	if t.Wrong == "" {
		box = append(box, look.NewSection(text.T("tab.signature")), container.NewHBox(gap(2, 0), look.NewChip(badge(t.Verdict))))
		if t.Reason != "" {
			box = append(box, look.NewText(t.Reason, look.Plain))
		}
		if t.Hashed != nil {
			hashed := container.NewVBox()
			showBytes(hashed, text.T("signature.content"), *t.Hashed)
			box = append(box, hashed)
		}
		for i, e := range t.Events {
			box = append(box, look.NewSection(text.T("recipe.event", text.Number(int64(i+1)))), f.w.fields(e))
		}
		if t.Trouble != "" {
			box = append(box, look.NewText(t.Trouble, look.Warn))
		}
	}
	f.preview.Objects = box
	f.preview.Refresh()
}

// chooser is the request that it is tried on.
func (f *recipeForm) chooser() fyne.CanvasObject {
	names := make([]string, len(f.seqs))
	for i, seq := range f.seqs {
		names[i] = "#" + text.Number(int64(seq))
	}
	at := slices.Index(f.seqs, f.about.Seq)
	if at < 0 {
		names = append([]string{"#" + text.Number(int64(f.about.Seq))}, names...)
		f.seqs = append([]capture.Seq{f.about.Seq}, f.seqs...)
		at = 0
	}
	return field(text.T("recipe.request"), choose(names, at, func(i int) { f.take(f.seqs[i]) }), nil)
}

// tryWith is a secret to try with; it is not kept.
func (f *recipeForm) tryWith() fyne.CanvasObject {
	i := look.NewInput(text.T("recipe.secret.hint"))
	i.Password = true
	i.SetText(f.secret)
	i.OnChanged = func(s string) { f.secret = s; f.trySoon() }
	return field(text.T("recipe.secret"), i, nil)
}
