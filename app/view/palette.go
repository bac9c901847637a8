package view

import (
	"slices"
	"strings"

	"anyhook.net/desktop/app/text"
)

// A Key is a key with what is held down. Name is as Fyne names keys: "R", "Return", "1".
type Key struct {
	Name    string
	Primary bool // Ctrl, or Command on a Mac
	Shift   bool
	Alt     bool
}

// String writes a key as menus do, for a keyboard with Ctrl; "" for no key.
func (k Key) String() string { return k.write("Ctrl+", "Shift+", "Alt+") }

// Mac writes a key as menus on a Mac do.
func (k Key) Mac() string { return k.write("⌘", "⇧", "⌥") }

func (k Key) write(primary, shift, alt string) string {
	if k.Name == "" {
		return ""
	}
	s := ""
	if k.Primary {
		s += primary
	}
	if k.Alt {
		s += alt
	}
	if k.Shift {
		s += shift
	}
	names := map[string]string{"Return": "Enter", "Escape": "Esc"}
	return s + firstOf(names[k.Name], k.Name)
}

// A Command is an action by name. Everything that the window can do is one.
type Command struct {
	ID    string // "replay"; its title is the text "cmd.<ID>"
	Key   Key
	Needs Needs
}

// Needs says what must be there for a command to make sense.
type Needs int

// The needs.
const (
	Nothing    Needs = iota
	Selection        // one request or more
	Several          // two requests or more
	One              // exactly one request
	Running          // a run under way
	Public           // a public URL
	Practising       // the practice handler
	Cleared          // requests that were cleared away
)

func ctrl(name string) Key  { return Key{Name: name, Primary: true} }
func shift(name string) Key { return Key{Name: name, Primary: true, Shift: true} }

// Commands are all commands, in the order of the palette.
var Commands = []Command{
	{"replay", ctrl("R"), Selection},
	{"resign", shift("R"), Selection},
	{"wrong", shift("Q"), Selection},
	{"twice", ctrl("T"), Selection},
	{"at-once", shift("T"), Selection},
	{"copies", shift("M"), Selection},
	{"reverse", ctrl("B"), Several},
	{"reorder", shift("O"), Several},
	{"failed", shift("F"), Nothing},
	{"range", ctrl("G"), Nothing},
	{"cancel", shift("E"), Running},
	{"export", ctrl("E"), Selection},
	{"curl", shift("C"), One},
	{"import", ctrl("O"), Nothing},
	{"sample", ctrl("N"), Nothing},
	{"practice", shift("P"), Nothing},
	{"shop", shift("S"), Practising},
	{"pause", ctrl("P"), Nothing},
	{"copy-url", shift("U"), Nothing},
	{"tunnel", ctrl("U"), Nothing},
	{"retry-tunnel", shift("K"), Nothing},
	{"test-url", ctrl("I"), Public},
	{"search", ctrl("F"), Nothing},
	{"clear-filter", shift("X"), Nothing},
	{"save-filter", ctrl("S"), Nothing},
	{"filters", ctrl("L"), Nothing},
	{"clear", ctrl("M"), Nothing},
	{"unclear", shift("A"), Cleared},
	{"inbox", ctrl("1"), Nothing},
	{"endpoints", ctrl("2"), Nothing},
	{"providers", ctrl("3"), Nothing},
	{"settings", ctrl("4"), Nothing},
	{"add-endpoint", shift("N"), Nothing},
	{"describe", shift("I"), Nothing},
	{"tab.summary", Key{Name: "1", Alt: true}, One},
	{"tab.body", Key{Name: "2", Alt: true}, One},
	{"tab.headers", Key{Name: "3", Alt: true}, One},
	{"tab.signature", Key{Name: "4", Alt: true}, One},
	{"tab.deliveries", Key{Name: "5", Alt: true}, One},
	{"copy-path", shift("J"), One},
	{"copy-value", shift("V"), One},
	{"tear", ctrl("D"), One},
	{"compare", ctrl("J"), One},
	{"times", shift("L"), Nothing},
	{"theme", shift("D"), Nothing},
	{"density", shift("Y"), Nothing},
	{"language", shift("G"), Nothing},
	{"palette", ctrl("K"), Nothing},
	{"help", shift("H"), Nothing},
	{"docs", shift("W"), Nothing},
	{"quit", ctrl("Q"), Nothing},
}

// Title is the command's name.
func (c Command) Title() string { return text.T("cmd." + c.ID) }

// CommandOf returns the command with an ID; the zero Command if there is none.
func CommandOf(id string) Command {
	i := slices.IndexFunc(Commands, func(c Command) bool { return c.ID == id })
	if i < 0 {
		return Command{}
	}
	return Commands[i]
}

// A Situation is what commands may need.
type Situation struct {
	Selected int
	Running  bool
	Public   bool
	Practice bool
	Cleared  bool
}

// Can reports whether c makes sense.
func (s Situation) Can(c Command) bool {
	switch c.Needs {
	case Selection:
		return s.Selected > 0
	case Several:
		return s.Selected > 1
	case One:
		return s.Selected == 1
	case Running:
		return s.Running
	case Public:
		return s.Public
	case Practising:
		return s.Practice
	case Cleared:
		return s.Cleared
	default:
		return true
	}
}

// Missing says what has to be there before c makes sense; "" when it does.
func (s Situation) Missing(c Command) string {
	switch {
	case s.Can(c):
		return ""
	case c.Needs == One && s.Selected > 1:
		return text.T("need.one")
	case c.Needs == Several:
		return text.T("need.several")
	case c.Needs == Running:
		return text.T("need.running")
	case c.Needs == Public:
		return text.T("tunnel.test.none")
	case c.Needs == Practising:
		return text.T("need.practice")
	case c.Needs == Cleared:
		return text.T("need.cleared")
	}
	return text.T("need.selection")
}

// Find returns the commands whose names hold all words of a query: those that
// make sense now first, and of these those that begin with it.
func Find(query string, s Situation) []Command {
	words := strings.Fields(strings.ToLower(query))
	var out []Command
	for _, c := range Commands {
		title := strings.ToLower(c.Title())
		match := !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(title, w) && !strings.Contains(c.ID, w) })
		if match && c.ID != "palette" {
			out = append(out, c)
		}
	}
	place := func(c Command) int {
		n := 0
		if !s.Can(c) {
			n += 2
		}
		if len(words) > 0 && !strings.HasPrefix(strings.ToLower(c.Title()), words[0]) {
			n++
		}
		return n
	}
	slices.SortStableFunc(out, func(a, b Command) int { return place(a) - place(b) })
	return out
}
