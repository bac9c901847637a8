package view

import (
	"slices"
	"strconv"

	"anyhook.net/desktop/app/text"
)

// A Notice is something to know, with the commands that have to do with it.
type Notice struct {
	Mark
	ID       string   // of the condition that it tells of, the same for as long as that lasts; "" for one that cannot be closed
	Commands []string // IDs
}

// Equal reports whether n says the same as o.
func (n Notice) Equal(o Notice) bool {
	return n.Mark == o.Mark && n.ID == o.ID && slices.Equal(n.Commands, o.Commands)
}

// Notices remember which notices were closed. The zero value is ready. Only one
// goroutine may use it.
type Notices struct{ closed map[string]bool }

// Close closes a notice until its condition is over and happens anew.
func (n *Notices) Close(id string) {
	if n.closed == nil {
		n.closed = map[string]bool{}
	}
	n.closed[id] = true
}

// Open returns those of all that are not closed, the worst first.
func (n *Notices) Open(all []Notice) []Notice {
	var out []Notice
	here := map[string]bool{}
	for _, m := range all {
		here[m.ID] = true
		if !n.closed[m.ID] {
			out = append(out, m)
		}
	}
	for id := range n.closed {
		if !here[id] {
			delete(n.closed, id)
		}
	}
	slices.SortStableFunc(out, func(a, b Notice) int { return weight(b.Tone) - weight(a.Tone) })
	return out
}

// weight is more for what is worse.
func weight(t Tone) int { return slices.Index([]Tone{Good, Busy, Warn, Bad}, t) }

// statusNotices is what a person has to know before anything else.
func statusNotices(s Status) []Notice {
	var out []Notice
	if s.Store != nil {
		out = append(out, Notice{Mark: Mark{Tone: Bad, Text: text.T("trouble.store", Clean(s.Store.Error(), 200))}, ID: "store"})
	}
	if s.PortTaken != 0 {
		out = append(out, Notice{Mark: Mark{Tone: Warn, Text: text.T("trouble.port", strconv.Itoa(s.PortTaken), s.LocalURL)}, ID: "port"})
	}
	if s.Practice != "" {
		n := Notice{Mark: practiceMark(s), ID: "practice", Commands: []string{"shop", "practice"}}
		if s.Twice > 0 {
			n.ID = "practice.twice" // is news to who closed the other
		}
		out = append(out, n)
	}
	return out
}
