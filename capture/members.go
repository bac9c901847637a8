package capture

import (
	"bytes"
	"iter"
)

// members yields the names of a body, as they are written: of the members of
// its outermost object, or of the first object of a list, or of the fields of
// a form. It takes the body for what it seems to be, and checks nothing.
func members(body []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		start := bytes.TrimLeft(body, " \t\r\n")
		if rest, list := bytes.CutPrefix(start, []byte("[")); list {
			start = bytes.TrimLeft(rest, " \t\r\n")
		}
		switch {
		case bytes.HasPrefix(start, []byte("{")):
			objectNames(start, yield)
		case len(start) > 0:
			formNames(body, yield)
		}
	}
}

// objectNames yields the names of an object, and skips what is within its members.
func objectNames(object []byte, yield func([]byte) bool) {
	depth, name := 0, true
	for i := 0; i < len(object); i++ {
		switch object[i] {
		case '"':
			end := stringEnd(object, i)
			if depth == 1 && name && !yield(object[i+1:end]) {
				return
			}
			i = end
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return
			}
		case ':':
			name = name && depth > 1
		case ',':
			name = name || depth == 1
		}
	}
}

// stringEnd returns where the string that begins at i has its closing quote; the length if it has none.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b) && b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return min(i, len(b))
}

func formNames(form []byte, yield func([]byte) bool) {
	for pair := range bytes.SplitSeq(form, []byte("&")) {
		name, _, _ := bytes.Cut(pair, []byte("="))
		if !yield(name) {
			return
		}
	}
}
