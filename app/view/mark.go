package view

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Tone is how good or bad something is. It chooses a colour and an icon;
// a word always stands beside them, because colour alone says nothing.
type Tone int

// The tones.
const (
	Plain Tone = iota // nothing to say
	Muted             // of no weight
	Good
	Busy // under way, or waiting
	Warn
	Bad
)

// A Mark is a word with a tone.
type Mark struct {
	Tone Tone
	Text string
	Sign Sign
}

// A Sign says which symbol a mark has; "" is that of its tone.
type Sign string

// The signs.
const (
	SignAgain     Sign = "again"
	SignLate      Sign = "late"
	SignHandshake Sign = "handshake"
	SignStray     Sign = "stray"
	SignReplayed  Sign = "replayed"
	SignImported  Sign = "imported"
	SignMade      Sign = "made"
)

// Clean makes text from outside fit to be drawn on one line: control and
// direction-changing characters become their code points in words, and what is
// longer than limit runes is cut with an ellipsis.
func Clean(s string, limit int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == limit {
			b.WriteString("…")
			break
		}
		n++
		switch {
		case r == utf8.RuneError:
			b.WriteString("\uFFFD")
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case Hidden(r):
			b.WriteString(escape(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Hidden reports whether r cannot be seen, or turns around what stands beside it.
func Hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u200b' || r == '\ufeff' || r == '\u2028' || r == '\u2029'
}

func escape(r rune) string {
	const hex = "0123456789abcdef"
	out := []byte(`\u0000`)
	for i := 5; i >= 2; i-- {
		out[i] = hex[r&15]
		r >>= 4
	}
	return string(out)
}
