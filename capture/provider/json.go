package provider

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strings"
)

// A value is a JSON value that aliases the body it is in: reading a field of a
// body of 25 MB copies the field alone. Names are compared exactly (the
// decoder of the standard library takes "ID" for "id"), of a repeated name
// the last counts, and numbers keep their digits. nil is a value that is not
// there. None of the methods trusts the body to be JSON.
type value []byte

// maxText is the length in bytes of the longest text that is taken from a body.
const maxText = 1 << 10

// pick returns the members of an object with the names given, nil for each that is not there.
func (v value) pick(names ...string) []value {
	out := make([]value, len(names))
	for w := (walk{of: v}); w.next(); {
		for i, want := range names {
			if named(w.name, want) {
				out[i] = w.value
			}
		}
	}
	return out
}

// first is pick for a look at a body: it stops once it has found all of at most
// four names, so that of a repeated one the first counts, and what comes behind is not read.
func (v value) first(names ...string) (found [4]value) {
	left := len(names)
	for w := (walk{of: v}); left > 0 && w.next(); {
		for i, want := range names {
			if found[i] == nil && named(w.name, want) {
				found[i] = w.value
				left--
			}
		}
	}
	return found
}

// is reports whether the value is the text.
func (v value) is(text string) bool { return v.quoted() && named(v, text) }

// begins reports whether the value is a text that begins with one of those given.
func (v value) begins(with ...string) bool {
	if v.quoted() && bytes.IndexByte(v, '\\') < 0 {
		return slices.ContainsFunc(with, func(s string) bool { return bytes.HasPrefix(v[1:], []byte(s)) })
	}
	text, _ := v.text()
	return v.kind() == '"' && slices.ContainsFunc(with, func(s string) bool { return strings.HasPrefix(text, s) })
}

// quoted reports whether the value is a string with both its quotes.
func (v value) quoted() bool { return len(v) > 1 && v[0] == '"' && v[len(v)-1] == '"' }

// at returns what the path of names leads to.
func (v value) at(path ...string) value {
	for _, name := range path {
		v = v.pick(name)[0]
	}
	return v
}

func named(quoted []byte, want string) bool {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner) == want
	}
	var s string
	return len(inner) <= maxText && json.Unmarshal(quoted, &s) == nil && s == want
}

// members yields the quoted names and the values of an object.
func (v value) members() iter.Seq2[[]byte, value] {
	return func(yield func([]byte, value) bool) {
		for w := (walk{of: v}); w.next() && yield(w.name, w.value); {
			continue
		}
	}
}

// A walk goes through the members of an object, and costs no memory.
type walk struct {
	of    value
	i     int // behind what was read; 0 before the first
	name  []byte
	value value
}

// next moves to the next member; false behind the last, or where what follows is none.
func (w *walk) next() bool {
	v, before := w.of, byte(',')
	if w.i == 0 {
		before = '{'
	}
	i := space(v, w.i)
	if i >= len(v) || v[i] != before {
		return false
	}
	start := space(v, i+1)
	if start >= len(v) || v[start] != '"' {
		return false
	}
	end := past(v, start)
	if i = space(v, end); i >= len(v) || v[i] != ':' {
		return false
	}
	i = space(v, i+1)
	w.i = past(v, i)
	w.name, w.value = v[start:end], v[i:w.i]
	return w.i > i
}

// elements yields the elements of an array.
func (v value) elements() iter.Seq[value] {
	return func(yield func(value) bool) {
		i := space(v, 0)
		if i >= len(v) || v[i] != '[' {
			return
		}
		for {
			start := space(v, i+1)
			i = past(v, start)
			if i <= start || !yield(v[start:i]) {
				return
			}
			if i = space(v, i); i >= len(v) || v[i] != ',' {
				return
			}
		}
	}
}

// kind returns the first byte of the value: { [ " t f n, a digit or a minus; 0 if there is none.
func (v value) kind() byte {
	if i := space(v, 0); i < len(v) {
		return v[i]
	}
	return 0
}

// text returns a string, or a number with its digits as they came. ok is false
// for what is neither, and for a text that is too long to be a name.
func (v value) text() (string, bool) {
	switch k := v.kind(); {
	case len(v) > 6*maxText:
		return "", false
	case k == '"' && v.quoted() && len(v) <= maxText && asWritten(v[1:len(v)-1]):
		return string(v[1 : len(v)-1]), true
	case k == '"':
		return v.unescaped()
	case k == '-' || k >= '0' && k <= '9':
		if len(v) <= 64 && json.Valid(v) {
			return string(bytes.TrimSpace(v)), true
		}
	}
	return "", false
}

func (v value) unescaped() (string, bool) {
	var s string
	if json.Unmarshal(v, &s) != nil || len(s) > maxText {
		return "", false
	}
	return s, true
}

// asWritten reports whether a string means the bytes that it is written with.
func asWritten(s []byte) bool {
	for _, c := range s {
		if c < ' ' || c > '~' || c == '\\' || c == '"' {
			return false
		}
	}
	return true
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// past returns the index behind the value that starts at i; i itself or
// len(b) where there is none.
func past(b []byte, i int) int {
	if i >= len(b) {
		return i
	}
	switch b[i] {
	case '"':
		return pastString(b, i)
	case '{', '[':
		return pastNested(b, i)
	}
	for i < len(b) && bytes.IndexByte([]byte(",:]} \n\r\t"), b[i]) < 0 {
		i++
	}
	return i
}

func pastString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

func pastNested(b []byte, i int) int {
	for depth := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			i = pastString(b, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(b)
}
