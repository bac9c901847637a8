package ui

import (
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// Do carries out a command of view by its ID, if it makes sense now.
func (w *Window) Do(id string) {
	c := view.CommandOf(id)
	if f := w.commands()[id]; f != nil && w.situation().Can(c) {
		f()
	}
}

// commands are what the commands of view do here; a test holds the two together.
func (w *Window) commands() map[string]func() {
	way := func(way view.Way) func() { return func() { w.replay(way) } }
	tab := func(name string) func() { return func() { w.inbox.detail.turn(name) } }
	screen := func(name string) func() { return func() { w.show(name) } }
	return map[string]func(){
		"replay": way(view.AsReceived), "resign": way(view.Resigned), "twice": way(view.Twice), "at-once": way(view.AtOnce), "reverse": way(view.Reversed),
		"copies": w.openCopies, "reorder": w.openReorder, "failed": w.openFailed, "range": w.openRange, "cancel": w.runs.Cancel,
		"export": w.openExport, "curl": w.copyCurl, "import": w.openImport,
		"sample": w.openSamples, "practice": w.practice, "shop": w.openShop, "pause": w.pause,
		"copy-url": w.copyURL, "tunnel": w.openTunnel, "retry-tunnel": w.desk.RetryTunnel, "test-url": w.testURL,
		"search": func() { w.show("inbox"); w.inbox.filters.focus() }, "clear-filter": func() { w.inbox.filters.set(view.Chips{}) },
		"save-filter": w.saveFilter, "filters": w.openFilters,
		"inbox": screen("inbox"), "endpoints": screen("endpoints"), "providers": screen("providers"), "describe": func() { w.describe(view.Recipe{}, nil) }, "settings": screen("settings"), "add-endpoint": func() { w.editEndpoint("") },
		"tab.summary": tab("summary"), "tab.body": tab("body"), "tab.headers": tab("headers"), "tab.signature": tab("signature"), "tab.deliveries": tab("deliveries"),
		"copy-path": func() { w.inbox.detail.bodies.copyAt(true) }, "copy-value": func() { w.inbox.detail.bodies.copyAt(false) },
		"tear": w.tearOff, "compare": w.inbox.compare,
		"times": w.nextTimes, "theme": w.nextTheme, "density": w.nextDensity, "language": w.nextLanguage,
		"palette": w.openPalette, "quit": w.quit,
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
	menu := func(title string, ids ...string) *fyne.Menu {
		m := fyne.NewMenu(title)
		for _, id := range ids {
			if id == "" {
				m.Items = append(m.Items, fyne.NewMenuItemSeparator())
				continue
			}
			item := fyne.NewMenuItem(view.CommandOf(id).Title(), func() { w.Do(id) })
			item.Shortcut = shortcut(view.CommandOf(id).Key)
			item.IsQuit = id == "quit"
			m.Items = append(m.Items, item)
		}
		return m
	}
	return fyne.NewMainMenu(
		menu(text.T("menu.file"), "sample", "import", "export", "curl", "", "copy-url", "tunnel", "retry-tunnel", "test-url", "", "quit"),
		menu(text.T("menu.request"), "replay", "resign", "twice", "at-once", "copies", "reverse", "reorder", "", "failed", "range", "", "cancel", "", "pause", "practice", "shop"),
		menu(text.T("menu.view"), "inbox", "endpoints", "providers", "settings", "add-endpoint", "describe", "", "search", "clear-filter", "save-filter", "filters", "", "tab.summary", "tab.body", "tab.headers", "tab.signature", "tab.deliveries", "", "copy-path", "copy-value", "tear", "compare", "", "times", "theme", "density", "language", "", "palette"),
	)
}

// rowMenu is the menu of selected rows.
func (w *Window) rowMenu() *fyne.Menu {
	m := fyne.NewMenu("")
	can := w.situation()
	for _, id := range []string{"replay", "resign", "twice", "at-once", "copies", "reverse", "reorder", "", "curl", "export"} {
		if id == "" {
			m.Items = append(m.Items, fyne.NewMenuItemSeparator())
			continue
		}
		item := fyne.NewMenuItem(view.CommandOf(id).Title(), func() { w.Do(id) })
		item.Shortcut = shortcut(view.CommandOf(id).Key)
		item.Disabled = !can.Can(view.CommandOf(id))
		m.Items = append(m.Items, item)
	}
	return m
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
