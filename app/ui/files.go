package ui

import (
	"context"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

const folderPref = "export.folder"

// An exportPanel writes the selection into a folder.
type exportPanel struct {
	w      *Window
	folder *look.Input
	format *look.Choice
	redact *look.Check
	write  *look.Button
	seqs   []capture.Seq
}

func (w *Window) openExport() {
	p := &exportPanel{w: w, seqs: w.inbox.seqs()}
	folder := w.pref(folderPref)
	if home, err := os.UserHomeDir(); folder == "" && err == nil {
		folder = filepath.Join(home, "anyhook-fixtures")
	}
	p.folder = w.inbox.input(text.T("export.folder"), folder)
	choose := look.NewButton(text.T("choose"), "", func() { w.chooseFolder(p.folder.SetText) })
	p.format = look.NewChoice([]string{text.T("export.fixture"), text.T("export.curl")}, 0)
	warn := look.NewText(text.T("export.unredacted"), look.Warn)
	warn.Hide()
	p.redact = look.NewCheck(text.T("export.redact"), func(on bool) { visible(warn, !on) })
	p.redact.SetChecked(true)
	p.write = look.NewMainButton(text.T("export.write"), "", p.run)
	content := scroll(container.NewVBox(
		look.NewText(text.N("export.count", int64(len(p.seqs))), look.Plain),
		look.NewSection(text.T("export.folder")), container.NewBorder(nil, nil, nil, choose, p.folder),
		look.NewSection(text.T("export.format")), p.format,
		p.redact, muted(text.T("export.redact.text")), warn, container.NewHBox(p.write)))
	w.inbox.openPanel(&panel{name: "export", focus: p.folder}, text.T("export.title"), content)
}

func (p *exportPanel) run() {
	w, dir, redact, format := p.w, p.folder.Text, p.redact.Checked, "fixture"
	if p.format.At == 1 {
		format = "curl"
	}
	if dir == "" {
		return
	}
	written := 0
	w.pressed(p.write, func(ctx context.Context) error {
		ids, err := view.IDs(ctx, w.desk, p.seqs)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return err
		}
		names, err := w.desk.Export(ctx, dir, format, redact, ids)
		written = len(names)
		return err
	}, func() {
		w.setPref(folderPref, dir)
		w.inbox.closePanel()
		w.say(text.N("export.done", int64(written), dir))
	})
}

// chooseFolder lets the user choose a folder in a dialog.
func (w *Window) chooseFolder(done func(string)) {
	d := dialog.NewFolderOpen(func(l fyne.ListableURI, err error) {
		if err != nil {
			w.fail(err)
		} else if l != nil {
			done(l.Path())
		}
	}, w.win)
	if home, err := os.UserHomeDir(); err == nil {
		if l, err := storage.ListerForURI(storage.NewFileURI(home)); err == nil {
			d.SetLocation(l)
		}
	}
	d.Resize(fyne.NewSize(720, 520))
	d.Show()
}

// openImport reads requests back from a folder.
func (w *Window) openImport() {
	folder := w.inbox.input(text.T("import.folder"), w.pref(folderPref))
	choose := look.NewButton(text.T("choose"), "", func() { w.chooseFolder(folder.SetText) })
	read := look.NewMainButton(text.T("import.read"), "", nil)
	read.OnTapped = func() {
		path, n := folder.Text, 0
		if path == "" {
			return
		}
		w.pressed(read, func(ctx context.Context) (err error) {
			n, err = w.desk.Import(ctx, []string{path})
			return err
		}, func() {
			w.inbox.closePanel()
			w.say(text.N("import.done", int64(n)))
		})
	}
	folder.OnSubmitted = func(string) { read.Tapped(nil) }
	content := scroll(container.NewVBox(muted(text.T("import.text")), container.NewBorder(nil, nil, nil, choose, folder), container.NewHBox(read)))
	w.inbox.openPanel(&panel{name: "import", focus: folder}, text.T("import.title"), content)
}

// copyCurl puts a curl command of the selected request into the clipboard.
func (w *Window) copyCurl() {
	seqs := w.inbox.seqs()
	start(w, func(ctx context.Context) (string, error) { return view.Curl(ctx, w.desk, seqs[0]) }, func(s string, err error) {
		if err != nil {
			w.fail(err)
			return
		}
		w.copy(s, text.T("copied.curl"))
	})
}
