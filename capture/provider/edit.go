package provider

import (
	"bytes"
	"slices"
)

// An edit copies JSON with some of its values changed, from front to back, and
// every other byte as it is.
type edit struct {
	of   []byte // what is copied; all values are parts of it
	out  []byte
	from int // up to where it was copied
}

// to copies what is before i.
func (e *edit) to(i int) {
	e.out = append(e.out, e.of[e.from:i]...)
	e.from = i
}

// replace writes text in place of v.
func (e *edit) replace(v value, text string) {
	at := cap(e.of) - cap(v)
	e.to(at)
	e.out = append(e.out, text...)
	e.from = at + len(v)
}

// set gives an object a member: in place of the one of that name, or behind all others.
func (e *edit) set(object value, name, text string) {
	if old := object.pick(name)[0]; old != nil {
		e.replace(old, text)
		return
	}
	at := cap(e.of) - cap(object) + 1 // behind the brace
	comma := ""
	for w := (walk{of: object}); w.next(); {
		at, comma = cap(e.of)-cap(object)+w.i, ","
	}
	e.to(at)
	e.out = append(e.out, comma+`"`+name+`":`+text...)
}

// done returns the whole.
func (e *edit) done() []byte {
	e.to(len(e.of))
	return e.out
}

// trimmed is the value without the white space around it.
func (v value) trimmed() value { return bytes.TrimSpace(v) }

// inOrder sorts parts of one body by where they are.
func inOrder(parts []value) []value {
	slices.SortStableFunc(parts, func(a, b value) int { return cap(b) - cap(a) })
	return parts
}
