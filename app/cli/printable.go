package main

import (
	"fmt"
	"strings"
	"unicode"
)

// steers reports whether r does something to a terminal instead of showing:
// control characters, the ends of lines and paragraphs that are none of ours,
// and the marks that turn the direction of text.
func steers(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// printable replaces what could steer a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case steers(r), r == unicode.ReplacementChar:
			return '�'
		}
		return r
	}, s)
}

// escaped is JSON that shows on a terminal as it is: what steers one, and what
// JSON leaves as it is, is written as an escape.
func escaped(b []byte) []byte {
	s := string(b)
	if !strings.ContainsFunc(s, steers) {
		return b
	}
	var out strings.Builder
	for _, r := range s {
		if steers(r) {
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
