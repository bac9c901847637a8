package view

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// JSONAt finds the value that stands at a byte of JSON: its path, "$.data[0].id",
// and its bytes as they are. A key stands for its value, what is between values
// for the object or array around it. ok is false outside of JSON.
func JSONAt(b []byte, at int) (path string, value []byte, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	f := finder{b: b, at: at}
	for {
		from := int(dec.InputOffset())
		t, err := dec.Token()
		if err != nil {
			return "", nil, false
		}
		for from < len(b) && strings.IndexByte(" \t\r\n,:", b[from]) >= 0 {
			from++
		}
		if f.token(t, from, int(dec.InputOffset())) {
			return f.path, f.value, true
		}
	}
}

// A finder goes from token to token to what stands at a byte.
type finder struct {
	b     []byte
	at    int
	open  []level
	next  bool // the value that comes is the one
	path  string
	value []byte
}

// A level is an object or array that is open.
type level struct {
	from  int
	array bool
	n     int    // of the element, or of keys and values
	step  string // to the value that is next
}

// token takes a token, and reports whether the search ended.
func (f *finder) token(t json.Token, from, to int) bool {
	here := from <= f.at && f.at < to
	delim, isDelim := t.(json.Delim)
	if isDelim && (delim == '}' || delim == ']') {
		l := f.open[len(f.open)-1]
		f.open = f.open[:len(f.open)-1]
		return l.from <= f.at && f.at < to && f.found(l.from, to)
	}
	if len(f.open) > 0 {
		l := &f.open[len(f.open)-1]
		l.n++
		if !l.array && l.n%2 == 1 {
			key, _ := t.(string)
			l.step = member(key)
			f.next = f.next || here
			return false
		}
		if l.array {
			l.step = "[" + strconv.Itoa(l.n-1) + "]"
		}
	}
	if isDelim {
		l := level{from: from, array: delim == '['}
		if f.next { // it begins here, and all of it is wanted
			f.at, f.next = from, false
		}
		f.open = append(f.open, l)
		return false
	}
	return (here || f.next) && f.found(from, to)
}

func (f *finder) found(from, to int) bool {
	var b strings.Builder
	b.WriteByte('$')
	for _, l := range f.open {
		b.WriteString(l.step)
	}
	f.path, f.value = b.String(), f.b[from:to]
	return true
}

// member is the step to a member of an object.
func member(key string) string {
	plain := key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if plain {
		return "." + key
	}
	return "[" + strconv.Quote(key) + "]"
}
