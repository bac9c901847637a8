package ui

import (
	"context"
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/codeview"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// newCode makes a view of bytes.
func newCode() *codeview.View { return codeview.New() }

// A bodyTab shows a body in one of its renderings.
type bodyTab struct {
	w       *Window
	code    *codeview.View
	content *fyne.Container
	bar     *fyne.Container
	notes   *fyne.Container
	top     *fyne.Container // all above the content
	box     *fyne.Container
	find    *look.Input
	found   *widget.Label

	body  view.Body
	name  string
	as    view.Rendering
	json  []byte // what is shown as JSON; nil for something else
	loads int
}

func newBodyTab(w *Window) *bodyTab {
	t := &bodyTab{w: w, code: newCode(), content: container.NewStack(), bar: container.NewHBox(), notes: container.NewVBox()}
	t.find, t.found = look.NewInput(text.T("body.find")), widget.NewLabel("")
	t.found.Importance, t.found.SizeName = widget.LowImportance, theme.SizeNameCaptionText
	t.find.OnChanged = func(s string) { t.code.Find(s) }
	t.find.OnSubmitted = func(string) { t.code.FindNext(true) }
	t.find.OnEscape = func() { t.find.SetText("") }
	t.code.OnFound = t.count
	t.code.OnMenu = t.menu
	t.code.SetWrap(true)
	return t
}

// count says which hit this is, and how many there are.
func (t *bodyTab) count() {
	here, of, more := t.code.Found()
	switch {
	case t.find.Text == "":
		setText(t.found, "")
	case of == 0:
		setText(t.found, text.T("body.find.none"))
	case more:
		setText(t.found, text.T("body.find.more", text.Number(int64(here)), text.Number(int64(of))))
	default:
		setText(t.found, text.T("body.find.count", text.Number(int64(here)), text.Number(int64(of))))
	}
}

// show shows b; name is that of a file to save it in.
func (t *bodyTab) show(b view.Body, name string) fyne.CanvasObject {
	if t.name != name {
		t.body, t.name, t.as = b, name, ""
		t.bar.Objects = nil
		t.notes.Objects = []fyne.CanvasObject{muted(text.T("body.reading"))}
		start(t.w, func(context.Context) ([]view.Rendering, error) { return b.Renderings(), nil }, func(all []view.Rendering, _ error) {
			if t.name == name {
				t.offer(all)
			}
		})
	}
	tools := container.NewHBox(
		look.NewIconButton(theme.MoveUpIcon(), text.T("body.find.previous"), func() { t.code.FindNext(false) }),
		look.NewIconButton(theme.MoveDownIcon(), text.T("body.find.next"), func() { t.code.FindNext(true) }),
		look.NewIconButton(theme.ContentCopyIcon(), text.T("body.copy"), t.copy),
		look.NewIconButton(theme.DocumentSaveIcon(), text.T("body.save"), t.save))
	search := container.NewBorder(nil, nil, nil, container.NewHBox(container.NewCenter(t.found), tools), t.find)
	t.top = container.NewVBox(t.bar, search, t.notes)
	t.box = container.NewBorder(t.top, nil, nil, nil, t.content)
	return t.box
}

// offer makes the buttons of the renderings, and shows the first.
func (t *bodyTab) offer(all []view.Rendering) {
	t.bar.Objects = nil
	for _, as := range all {
		b := look.NewButton(as.Name(), "", nil)
		b.OnTapped = func() { t.render(as) }
		t.bar.Add(b)
	}
	relay(t.top, t.box)
	t.render(all[0])
}

// render shows the body in one way, which may take long.
func (t *bodyTab) render(as view.Rendering) {
	t.as = as
	t.loads++
	load, b := t.loads, t.body
	for _, o := range t.bar.Objects {
		button := o.(*look.Button) // offer adds nothing else
		on(button, button.Text == as.Name())
	}
	start(t.w, func(context.Context) (view.Document, error) { return b.Show(as), nil }, func(d view.Document, _ error) {
		if load == t.loads {
			t.draw(d)
		}
	})
}

func (t *bodyTab) draw(d view.Document) {
	t.notes.Objects = nil
	for _, n := range d.Notes {
		t.notes.Add(muted(n))
	}
	t.notes.Refresh()
	relay(t.top, t.box)
	t.json = nil
	var o fyne.CanvasObject = t.code
	switch {
	case d.Rendering == view.Image:
		img := canvas.NewImageFromResource(fyne.NewStaticResource(t.name, d.Bytes))
		img.FillMode = canvas.ImageFillContain
		o = img
	case d.Rendering == view.Hex:
		t.code.ShowHex(d.Bytes)
	case d.JSON:
		t.json = d.Bytes
		t.code.ShowJSON(d.Bytes)
	case len(d.Bytes) == 0:
		o = container.New(centerLayout{}, widget.NewLabelWithStyle(text.T("body.empty"), fyne.TextAlignCenter, fyne.TextStyle{Italic: true}))
	default:
		t.code.ShowText(d.Bytes)
	}
	t.content.Objects = []fyne.CanvasObject{o}
	t.content.Refresh()
}

// copy puts the body as it came into the clipboard.
func (t *bodyTab) copy() {
	t.w.copy(string(t.body.Bytes), text.T("copied.body", text.Size(int64(len(t.body.Bytes)))))
}

// save writes the bytes as they came into a file that the user chooses.
func (t *bodyTab) save() {
	data := t.body.Bytes
	d := dialog.NewFileSave(func(to fyne.URIWriteCloser, err error) {
		if err != nil || to == nil {
			t.w.fail(err)
			return
		}
		path := to.URI().Path()
		t.w.try(func(context.Context) error {
			_, err := to.Write(data)
			if cerr := to.Close(); err == nil {
				err = cerr
			}
			return err
		}, func() { t.w.say(text.T("saved", path)) })
	}, t.w.win)
	d.SetFileName(t.name + ".bin")
	if home, err := os.UserHomeDir(); err == nil {
		if l, err := storage.ListerForURI(storage.NewFileURI(home)); err == nil {
			d.SetLocation(l)
		}
	}
	d.Show()
}
