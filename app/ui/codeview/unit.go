package codeview

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// tab is how many cells apart the tab stops are.
const tab = 4

// unit reads the character that b begins with: how many bytes it has, and how
// many cells it takes in column col. odd says that it is not shown itself but
// its stand-in. b must not be empty.
func unit(b []byte, col int) (size, cells int, odd bool) {
	switch c := b[0]; {
	case c >= 0x20 && c < 0x7f:
		return 1, 1, false
	case c == '\t':
		return 1, tab - col%tab, false
	case c < utf8.RuneSelf:
		return 1, len("<U+0000>"), true
	}
	r, size := utf8.DecodeRune(b)
	switch {
	case r >= 0x4E00 && r <= 0x9FFF || r >= 0x3041 && r <= 0x3096 || r >= 0x30A1 && r <= 0x30FA: // most of what is not ASCII
		return size, 2, false
	case r == utf8.RuneError && size == 1:
		return 1, len(`\x00`), true
	case !hidden(r):
		return size, cellsOf(r), false
	case r < 0x10000:
		return size, len("<U+0000>"), true
	case r < 0x100000:
		return size, len("<U+00000>"), true
	}
	return size, len("<U+000000>"), true
}

// standIn is what is shown for a character that cannot be seen, or would change
// how others are seen, and for a byte that is not UTF-8.
func standIn(b []byte) string {
	if r, size := utf8.DecodeRune(b); r != utf8.RuneError || size > 1 {
		return fmt.Sprintf("<U+%04X>", r)
	}
	return fmt.Sprintf(`\x%02X`, b[0])
}

// hidden is every character without a picture of its own: controls, the marks
// that turn the direction of writing around, joiners, odd spaces, and what
// Unicode has not given out.
func hidden(r rune) bool {
	return r != 0x3000 && !unicode.IsGraphic(r) || r != 0x3000 && r > ' ' && unicode.Is(unicode.Zs, r) || r >= 0xE000 && r <= 0xF8FF ||
		r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF || r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0 || r == 0x034F
}

func cellsOf(r rune) int {
	if r >= 0x2460 && r <= 0x24FF { // numbers in circles, which are as wide as an ideograph
		return 2
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	return 1
}

// cellsIn is how many cells b takes from column col on.
func cellsIn(b []byte, col int) int {
	from := col
	for len(b) > 0 {
		if c := b[0]; c >= 0x20 && c < 0x7f {
			b, col = b[1:], col+1
			continue
		}
		size, cells, _ := unit(b, col)
		b, col = b[size:], col+cells
	}
	return col - from
}

// bytesTo is how many bytes of b, which begins at column col, are left of
// column to. Combining marks stay with what they stand on.
func bytesTo(b []byte, col, to int) int {
	n := 0
	for n < len(b) {
		if c := b[n]; c >= 0x20 && c < 0x7f && col < to {
			n, col = n+1, col+1
			continue
		}
		size, cells, _ := unit(b[n:], col)
		if cells > 0 && col+(cells+1)/2 > to || cells == 0 && col > to {
			break
		}
		n, col = n+size, col+cells
	}
	return n
}
