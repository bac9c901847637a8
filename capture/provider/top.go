package provider

import (
	"slices"
	"strings"
)

// A top is the outermost members of a value that its reader asks for, found in
// one walk. The zero top has none, and looks each up.
type top struct {
	names  []string
	values []value
}

func topOf(v value, names []string) top { return top{names, v.pick(names...)} }

// member returns a member of v, whose top this is.
func (t top) member(v value, name string) value {
	if i := slices.Index(t.names, name); i >= 0 {
		return t.values[i]
	}
	return v.pick(name)[0]
}

// outermost returns the first names of the places that begin with from: $ or @.
func outermost(places []string, from string) []string {
	var names []string
	for _, all := range places {
		for place := range strings.SplitSeq(all, "|") {
			path := strings.SplitN(place, ".", 3)
			if path[0] == from && len(path) > 1 && !slices.Contains(names, path[1]) {
				names = append(names, path[1])
			}
		}
	}
	return names
}
