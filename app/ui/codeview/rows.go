package codeview

import "slices"

// A kind decides the colour of a span.
type kind int

const (
	plain kind = iota
	key
	text
	number
	word
	punct
	faint
)

// A span is a piece of a row in one colour.
type span struct {
	bytes []byte // as they are to be copied
	kind  kind
	off   int  // of bytes in the source, or -1 where they are ours
	one   bool // they all stand for the one byte at off
}

// A state is where a row begins, and all that must be known to go on from there.
type state struct {
	off   int  // in the source
	depth int  // of JSON, how many brackets are open
	in    byte // the token that goes on from the row before: 0, '"', or 'w' for a word
	cont  bool // the line goes on from the row before
	line  int  // counts lines, from 1
}

// A row is one line on the screen.
type row struct {
	state
	end    int // of its bytes in the source
	indent int // cells before it
	sep    []byte
}

// A maker cuts a source into rows.
type maker interface {
	// next returns the row at s and where the next one begins; not ok at the end.
	next(s state) (r row, then state, ok bool)
	// spans returns what r shows. The first one is the indent, if it has one.
	spans(r row) []span
	source() []byte
	// numbered says whether lines have numbers beside them.
	numbered() bool
}

// every is how many rows apart the states are that an index keeps: few enough
// to go over again for each drawing, and a million rows are half a megabyte.
const every = 64

// An index finds rows, and makes them only as far as they are wanted.
type index struct {
	maker maker
	marks []state // of the rows 0, every, 2*every …
	n     int     // rows that are known
	end   state   // after them
	done  bool    // they are all
}

func newIndex(m maker) *index { return &index{maker: m, end: state{line: 1}} }

// grow makes rows until there are n, and they reach the offset off.
func (x *index) grow(n, off int) {
	for !x.done && (x.n < n || x.end.off < off) {
		_, then, ok := x.maker.next(x.end)
		if !ok {
			x.done = true
			return
		}
		if x.n%every == 0 {
			x.marks = append(x.marks, x.end)
		}
		x.n, x.end = x.n+1, then
	}
}

// all makes all rows.
func (x *index) all() { x.grow(1<<62, 1<<62) }

// rows calls f with the rows from a on, until it returns false or there are no more.
func (x *index) rows(a int, f func(i int, r row) bool) {
	a = max(0, a)
	x.grow(a+1, 0)
	if a >= x.n {
		return
	}
	s := x.marks[a/every]
	for i := a / every * every; ; i++ {
		r, then, ok := x.maker.next(s)
		if !ok || i >= a && !f(i, r) {
			return
		}
		s = then
	}
}

// at is row i.
func (x *index) at(i int) (found row, ok bool) {
	x.rows(i, func(_ int, r row) bool {
		found, ok = r, true
		return false
	})
	return found, ok
}

// rowOf is the row that shows the offset off, or the one before it.
func (x *index) rowOf(off int) int {
	x.grow(0, off+1)
	mark, _ := slices.BinarySearchFunc(x.marks, off, func(s state, off int) int {
		if s.off <= off {
			return -1
		}
		return 1
	})
	found := max(0, mark-1) * every
	x.rows(found, func(i int, r row) bool {
		if r.off <= off {
			found = i
		}
		return r.off <= off
	})
	return found
}

// cells is how many cells a row has.
func (x *index) cells(r row) int {
	col := 0
	for _, s := range x.maker.spans(r) {
		col += cellsIn(s.bytes, col)
	}
	return col
}

// rowBytes ends a row that takes no room, as of a million combining marks.
const rowBytes = 16 << 10

// spaces is long enough for every indent.
var spaces = slices.Repeat([]byte{' '}, maxIndent)
