package ui

import (
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// Do carries out a command of view by its ID, or says what it lacks.
func (w *Window) Do(id string) {
	c := view.CommandOf(id)
	f := w.commands()[id]
	missing := w.situation().Missing(c)
	switch {
	case f == nil:
	case missing != "":
		w.frame.Say(look.Message{Badge: look.Doubtful(""), Text: text.T("need.said", c.Title(), missing)})
	default:
		f()
	}
}

// commands are what the commands of view do here; a test holds the two together.
func (w *Window) commands() map[string]func() {
	way := func(way view.Way) func() { return func() { w.replay(way) } }
	tab := func(name string) func() { return func() { w.inbox.detail.turn(name) } }
	screen := func(name string) func() { return func() { w.show(name) } }
	return map[string]func(){
		"replay": way(view.AsReceived), "resign": way(view.Resigned), "wrong": w.openWrong, "twice": way(view.Twice), "at-once": way(view.AtOnce), "reverse": way(view.Reversed),
		"copies": w.openCopies, "reorder": w.openReorder, "failed": w.openFailed, "range": w.openRange, "cancel": w.runs.Cancel,
		"export": w.openExport, "curl": w.copyCurl, "import": w.openImport,
		"sample": w.openSamples, "practice": w.practice, "shop": w.openShop, "pause": w.pause,
		"copy-url": w.copyURL, "tunnel": w.openTunnel, "retry-tunnel": w.desk.RetryTunnel, "test-url": w.testURL,
		"search": func() { w.show("inbox"); w.inbox.filters.focus() }, "clear-filter": func() { w.inbox.filters.set(view.Chips{}) },
		"save-filter": w.saveFilter, "filters": w.openFilters,
		"clear": w.clear, "unclear": w.unclear,
		"inbox": screen("inbox"), "endpoints": screen("endpoints"), "providers": screen("providers"), "describe": func() { w.describe(view.Recipe{}, nil) }, "settings": screen("settings"), "add-endpoint": func() { w.editEndpoint("") },
		"tab.summary": tab("summary"), "tab.body": tab("body"), "tab.headers": tab("headers"), "tab.signature": tab("signature"), "tab.deliveries": tab("deliveries"),
		"copy-path": func() { w.inbox.detail.bodies.copyAt(true) }, "copy-value": func() { w.inbox.detail.bodies.copyAt(false) },
		"tear": w.tearOff, "compare": w.inbox.compare,
		"times": w.nextTimes, "theme": w.nextTheme, "density": w.nextDensity, "language": w.nextLanguage,
		"palette": w.openPalette, "quit": w.quit, "help": screen("help"), "docs": w.openDocs,
	}
}

// key is how a command's key is written on this keyboard.
func key(k view.Key) string {
	if runtime.GOOS == "darwin" {
		return k.Mac()
	}
	return k.String()
}

// tip is what a command's button says under the pointer.
func (w *Window) tip(id string) string {
	c := view.CommandOf(id)
	return c.Title() + "  " + key(c.Key)
}

// button makes the button of a command.
func (w *Window) button(id, word string) *look.Button {
	return look.NewButton(word, w.tip(id), func() { w.Do(id) })
}

// icon makes the quiet button of a command.
func (w *Window) icon(id string, icon fyne.Resource) *look.Button {
	return look.NewIconButton(icon, w.tip(id), func() { w.Do(id) })
}

// shortcut is the key of a command for Fyne; nil for none.
func shortcut(k view.Key) fyne.Shortcut {
	if k.Name == "" {
		return nil
	}
	var mods fyne.KeyModifier
	if k.Primary {
		mods |= fyne.KeyModifierShortcutDefault
	}
	if k.Shift {
		mods |= fyne.KeyModifierShift
	}
	if k.Alt {
		mods |= fyne.KeyModifierAlt
	}
	return &desktop.CustomShortcut{KeyName: fyne.KeyName(k.Name), Modifier: mods}
}

// shortcuts listens to the keys of all commands. The menu hears them too, and
// before a focused input does.
func (w *Window) shortcuts() {
	for _, c := range view.Commands {
		if s := shortcut(c.Key); s != nil {
			w.win.Canvas().AddShortcut(s, func(fyne.Shortcut) { w.Do(c.ID) })
		}
	}
}

// menu is the main menu: every command, by what it is about.
func (w *Window) menu() *fyne.MainMenu {
	w.items = map[string]*fyne.MenuItem{}
	main := fyne.NewMainMenu()
	for _, m := range view.Menus {
		main.Items = append(main.Items, w.menuOf(m.Title(), m.IDs, w.items))
	}
	return main
}

// rowMenu is the menu of selected rows.
func (w *Window) rowMenu() *fyne.Menu { return w.menuOf("", view.RowMenu, map[string]*fyne.MenuItem{}) }

// menuOf is a menu of commands, whose items it puts into items.
func (w *Window) menuOf(title string, ids []string, items map[string]*fyne.MenuItem) *fyne.Menu {
	m := fyne.NewMenu(title)
	for _, id := range ids {
		if id == "" {
			m.Items = append(m.Items, fyne.NewMenuItemSeparator())
			continue
		}
		c := view.CommandOf(id)
		item := fyne.NewMenuItem(c.Title(), func() { w.Do(id) })
		item.Shortcut, item.IsQuit = shortcut(c.Key), id == "quit"
		item.Disabled = w.inbox.actions != nil && !w.situation().Can(c)
		items[id] = item
		m.Items = append(m.Items, item)
	}
	return m
}

// drawCommands shows which commands make sense now.
func (w *Window) drawCommands() {
	if w.inbox == nil || w.inbox.actions == nil || w.inbox.runs == nil {
		return
	}
	w.inbox.actions.draw()
	can, changed := w.situation(), false
	for id, item := range w.items {
		if off := !can.Can(view.CommandOf(id)); off != item.Disabled {
			item.Disabled, changed = off, true
		}
	}
	if menu := w.win.MainMenu(); changed && menu != nil {
		menu.Refresh()
	}
}

func (w *Window) pause() { w.desk.Pause(!w.last.Paused) }

func (w *Window) copyURL() {
	url := view.ViewBar(w.last).URL
	w.copy(url, text.T("copied.url", url))
}

// copy puts s into the clipboard, and says so.
func (w *Window) copy(s, said string) {
	fyne.CurrentApp().Clipboard().SetContent(s)
	w.say(said)
}
