package view

import "anyhook.net/desktop/app/text"

// A Menu is a part of the main menu: the commands about one thing. The help
// lists them in the same order.
type Menu struct {
	Word string   // its title is the text "menu.<Word>"
	IDs  []string // of commands; "" is a line between two groups
}

// Menus are the main menu. Every command is in one of them.
var Menus = []Menu{
	{"file", []string{"sample", "import", "export", "curl", "", "copy-url", "tunnel", "retry-tunnel", "test-url", "", "quit"}},
	{"request", []string{"replay", "resign", "wrong", "twice", "at-once", "copies", "reverse", "reorder", "", "failed", "range", "", "cancel", "", "pause", "practice", "shop"}},
	{"view", []string{
		"inbox", "endpoints", "providers", "settings", "add-endpoint", "describe", "", "search", "clear-filter", "save-filter", "filters", "clear", "unclear", "",
		"tab.summary", "tab.body", "tab.headers", "tab.signature", "tab.deliveries", "", "copy-path", "copy-value", "tear", "compare", "",
		"times", "theme", "density", "language", "", "palette",
	}},
	{"help", []string{"help", "docs"}},
}

// Title is the menu's name.
func (m Menu) Title() string { return text.T("menu." + m.Word) }

// RowMenu are the commands offered for selected requests.
var RowMenu = []string{"replay", "resign", "wrong", "twice", "at-once", "copies", "reverse", "reorder", "", "curl", "export"}

// A CommandLine is a command in the help.
type CommandLine struct {
	Command
	Menu string // title of its menu
}

// CommandLines are all commands by their menus.
func CommandLines() []CommandLine {
	var out []CommandLine
	for _, m := range Menus {
		for _, id := range m.IDs {
			if id != "" {
				out = append(out, CommandLine{CommandOf(id), m.Title()})
			}
		}
	}
	return out
}
