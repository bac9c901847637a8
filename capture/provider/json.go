package provider

import (
	"bytes"
	"encoding/json"
	"iter"
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
	for name, member := range v.members() {
		for i, want := range names {
			if named(name, want) {
				out[i] = member
			}
		}
	}
	return out
}

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
		i := space(v, 0)
		if i >= len(v) || v[i] != '{' {
			return
		}
		for i = space(v, i+1); i < len(v) && v[i] == '"'; i = space(v, i+1) {
			name := i
			i = past(v, i)
			nameEnd := i
			if i = space(v, i); i >= len(v) || v[i] != ':' {
				return
			}
			start := space(v, i+1)
			i = past(v, start)
			if i <= start || !yield(v[name:nameEnd], v[start:i]) {
				return
			}
			if i = space(v, i); i >= len(v) || v[i] != ',' {
				return
			}
		}
	}
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
func (v value) text() (s string, ok bool) {
	switch k := v.kind(); {
	case len(v) > 6*maxText:
		return "", false
	case k == '"':
		if json.Unmarshal(v, &s) == nil && len(s) <= maxText {
			return s, true
		}
	case k == '-' || k >= '0' && k <= '9':
		if len(v) <= 64 && json.Valid(v) {
			return string(bytes.TrimSpace(v)), true
		}
	}
	return "", false
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
