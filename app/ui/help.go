package ui

import (
	"net/url"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/grid"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/assets"
)

// newHelp makes the screen of the help: every command with its key, and beside
// them which version this is, where the documentation is, and what is new.
func newHelp(w *Window) fyne.CanvasObject {
	lines := view.CommandLines()
	table := grid.New(helpRows{w, lines},
		grid.Column{ID: "menu", Title: text.T("help.menu"), Width: 76, Min: 50},
		grid.Column{ID: "name", Title: text.T("palette.command"), Width: 260, Min: 140, Weight: 1},
		grid.Column{ID: "key", Title: text.T("palette.key"), Width: 130, Min: 90})
	table.OnActivate = func(key int64) { w.Do(lines[key-1].ID) }
	w.columns("help.widths", table)
	keys := container.NewBorder(container.NewPadded(container.NewVBox(heading(text.T("cmd.help")), muted(text.T("help.keys")))), nil, nil, nil, inRoom(table))
	docs := w.button("docs", text.T("cmd.docs"))
	about := container.NewVBox(
		heading(text.T("settings.version", w.o.Version)),
		look.NewSection(text.T("help.lists")), look.NewText(text.T("help.lists.text"), look.Plain),
		look.NewSection(text.T("help.docs")),
		container.NewBorder(nil, nil, nil, docs, look.NewText(assets.Website, look.Plain)),
		look.NewSection(text.T("settings.changelog")), changes(w.changelog()))
	w.keepSplits()
	return w.split("help.split", container.NewHSplit(keys, container.NewPadded(scroll(about))), 0.5)
}

// changes shows a change log: its text wraps in every script, where Fyne's own
// rendering of Markdown does not.
func changes(markdown string) fyne.CanvasObject {
	box := tight()
	for line := range strings.Lines(view.Changes(markdown)) {
		line = strings.ReplaceAll(strings.TrimSpace(line), "`", "")
		item, isItem := strings.CutPrefix(line, "- ")
		title, isTitle := strings.CutPrefix(line, "## ")
		switch {
		case line == "":
		case isTitle:
			box.Add(bold(title))
		case isItem:
			box.Add(container.NewBorder(nil, nil, container.NewVBox(look.NewText("•", look.Muted)), nil, look.NewText(strings.ReplaceAll(item, "*", ""), look.Plain)))
		default:
			box.Add(look.NewText(line, look.Plain))
		}
	}
	return box
}

func (w *Window) changelog() string {
	if w.o.Changelog == nil {
		return ""
	}
	return w.o.Changelog(text.Lang())
}

// helpRows give the table the commands; those that make no sense now are muted.
type helpRows struct {
	w   *Window
	all []view.CommandLine
}

// Len implements grid.Source.
func (r helpRows) Len() int { return len(r.all) }

// Key implements grid.Source: the place in the list, from 1.
func (r helpRows) Key(i int) int64 { return int64(i) + 1 }

// Row implements grid.Source.
func (r helpRows) Row(i int, cells []grid.Cell) bool {
	l := r.all[i]
	if i == 0 || r.all[i-1].Menu != l.Menu {
		cells[0] = grid.Cell{Text: l.Menu, Tone: look.Muted}
	}
	cells[1] = commandCell(l.Command, r.w.situation())
	cells[2] = grid.Cell{Text: key(l.Key)}
	return true
}

// commandCell is the name of a command, muted when it makes no sense now.
func commandCell(c view.Command, s view.Situation) grid.Cell {
	cell := grid.Cell{Text: c.Title()}
	if !s.Can(c) {
		cell.Tone = look.Muted
	}
	return cell
}

// openDocs shows the documentation in the browser.
func (w *Window) openDocs() {
	page, err := url.Parse(assets.Website)
	if err != nil {
		w.fail(err)
		return
	}
	w.browse(page, text.T("help.docs.at", assets.Website), text.T("help.nobrowser", assets.Website))
}
