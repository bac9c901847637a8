package look

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
)

// Chinese and Japanese are broken between any two characters, but no line
// begins with what closes, and none ends with what opens.
const (
	noStart = "、。，．・：；？！）」』】〉》〕］｝〗’”…—～ー々‥％℃,.:;?!)]}%·"
	noEnd   = "（「『【〈《〔［｛〖‘“([{$#"
)

// Wide reports whether r is written without spaces around words.
func Wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}

// Wrap breaks s into lines of at most width: at spaces, between Chinese and
// Japanese characters, and in a word only if a line is too short for it.
func Wrap(s string, width, size float32, style fyne.TextStyle) []string {
	var out []string
	for par := range strings.SplitSeq(s, "\n") {
		w := wrapper{width: width, measure: func(s string) float32 { return Text(s, size, style).Width }}
		for _, t := range pieces(par) {
			w.add(t)
		}
		out = append(out, append(w.lines, strings.TrimRight(w.line, " "))...)
	}
	return out
}

// A wrapper fills lines with pieces.
type wrapper struct {
	width   float32
	measure func(string) float32
	lines   []string
	line    string
	used    float32
}

func (w *wrapper) add(piece string) {
	need := w.measure(piece)
	if w.used+w.measure(strings.TrimRight(piece, " ")) > w.width && w.line != "" {
		w.next()
		piece = strings.TrimLeft(piece, " ")
		need = w.measure(piece)
	}
	for need > w.width { // longer than any line
		n := w.fits(piece)
		if n == len(piece) {
			break // but for the spaces at its end
		}
		w.line = piece[:n]
		w.next()
		piece = piece[n:]
		need = w.measure(piece)
	}
	w.line += piece
	w.used += need
}

func (w *wrapper) next() {
	w.lines = append(w.lines, strings.TrimRight(w.line, " "))
	w.line, w.used = "", 0
}

// fits returns how many bytes of piece a line takes, one rune at the least.
func (w *wrapper) fits(piece string) int {
	trimmed := strings.TrimRight(piece, " ")
	if w.measure(trimmed) <= w.width {
		return len(piece)
	}
	_, least := utf8.DecodeRuneInString(piece)
	n, used := 0, float32(0)
	for i, r := range trimmed {
		used += w.measure(string(r))
		if used > w.width {
			break
		}
		n = i + utf8.RuneLen(r)
	}
	return max(n, least)
}

// pieces cuts a paragraph where a line may end. Spaces stay with what is before them.
func pieces(s string) []string {
	var out []string
	start, last := 0, rune(0)
	for i, r := range s {
		if i > start && mayBreak(last, r) {
			out = append(out, s[start:i])
			start = i
		}
		last = r
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// mayBreak reports whether a line may end between a and b.
func mayBreak(a, b rune) bool {
	switch {
	case b == ' ':
		return false
	case strings.ContainsRune(noStart, b) && (Wide(a) || Wide(b)), strings.ContainsRune(noEnd, a):
		return false
	}
	return a == ' ' || Wide(a) || Wide(b)
}
