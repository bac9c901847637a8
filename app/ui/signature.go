package ui

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/assets"
)

// signature is the verdict with its reasons.
func (d *detail) signature() fyne.CanvasObject {
	v := d.shown.Signature
	box := container.NewVBox(container.NewHBox(gap(2, 0), look.NewChip(badge(v.Verdict))))
	if v.Reason != "" {
		box.Add(look.NewText(v.Reason, look.Plain))
	}
	if v.Next != "" && v.Doctor.Says == "" {
		box.Add(d.w.hint(v.Next, v.Fix, d.seq))
	}
	d.doctor(box, v)
	if len(v.Facts) > 0 {
		box.Add(look.NewSection(text.T("summary.facts")))
		box.Add(d.w.fields(v.Facts))
	}
	if v.Content == nil {
		return scroll(box)
	}
	showBytes(box, text.T("signature.content"), *v.Content)
	return scroll(box)
}

// doctor says why the signature does not fit, here or in the handler.
func (d *detail) doctor(box *fyne.Container, v view.SignatureView) {
	if v.Doctor.Says != "" {
		box.Add(look.NewSection(text.T("doctor.title")))
		box.Add(look.NewText(v.Doctor.Says, look.Plain))
		if v.Doctor.Next != "" {
			box.Add(d.w.hint(v.Doctor.Next, v.Fix, d.seq))
		}
		if v.Doctor.Fits != nil {
			showBytes(box, text.T("doctor.fits"), *v.Doctor.Fits)
		}
	}
	if v.RawBody {
		box.Add(look.NewSection(text.T("doctor.title")))
		box.Add(look.NewText(text.T("doctor.raw"), look.Plain))
		box.Add(d.snippets())
	}
}

// snippets shows how a handler gets at the bytes, in the framework that was chosen last.
func (d *detail) snippets() fyne.CanvasObject {
	all := assets.Snippets()
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Title
	}
	code := newCode()
	show := func(name string) {
		i := max(slices.Index(names, name), 0)
		d.w.framework = names[i]
		code.ShowText([]byte(all[i].Code))
	}
	choose := widget.NewSelect(names, show)
	choose.SetSelected(cmp.Or(d.w.framework, names[0]))
	copyIt := look.NewButton(text.T("copy.value"), "", func() {
		d.w.copy(all[max(slices.Index(names, d.w.framework), 0)].Code, text.T("copied", text.T("doctor.copied")))
	})
	return container.NewVBox(container.NewHBox(choose, copyIt), least(code, 0, 230))
}

// showBytes adds a section with exactly these bytes.
func showBytes(box *fyne.Container, title string, d view.Document) {
	code := newCode()
	code.SetWrap(true)
	code.ShowText(d.Bytes)
	box.Add(look.NewSection(title))
	for _, n := range d.Notes {
		box.Add(muted(n))
	}
	box.Add(least(code, 0, 160))
}
