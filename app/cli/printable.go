package main

import (
	"fmt"
	"strings"
	"unicode"

	"anyhook.net/desktop/app/view"
)

// printable replaces what could steer a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case view.Hidden(r), r == unicode.ReplacementChar:
			return '�'
		}
		return r
	}, s)
}

// escaped is JSON that shows on a terminal as it is: what steers one, and what
// JSON leaves as it is, is written as an escape.
func escaped(b []byte) []byte {
	s := string(b)
	if !strings.ContainsFunc(s, view.Hidden) {
		return b
	}
	var out strings.Builder
	for _, r := range s {
		if view.Hidden(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	return []byte(out.String())
}

// short keeps a message to one line that can be read.
func short(s string) string {
	const most = 1000
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
