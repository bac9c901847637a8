package codeview

import (
	"bytes"
	"iter"
)

const (
	indentBy  = 2
	maxIndent = 80 // deeper nesting is not moved further to the right
)

// jsonMaker shows JSON one member a row. It moves tokens and changes none: each
// number, string and repeated key is shown with its own bytes, in its own
// place, and so is what is not JSON at all. Only white space between tokens is
// ours. It needs no memory but the state of a row, however deep the nesting.
type jsonMaker struct {
	b     []byte
	limit int // cells in a row, from its indent; longer ones go on in the next
	gap   *gap
	folds map[int]fold // by the offsets of their brackets
}

// A gap is white space that was long to cross: from is where, to is its end.
type gap struct{ from, to int }

func newJSON(b []byte, limit int) jsonMaker { return jsonMaker{b: b, limit: limit, gap: new(gap)} }

func (m jsonMaker) source() []byte { return m.b }
func (m jsonMaker) numbered() bool { return true }

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// skip is the offset of the next token.
func (m jsonMaker) skip(i int) int {
	if i >= len(m.b) || !space(m.b[i]) {
		return i
	}
	from := i
	if i >= m.gap.from && i < m.gap.to {
		i = m.gap.to
	}
	const block = 256
	for i < len(m.b) && space(m.b[i]) {
		i++
		for i-from >= block && i+block <= len(m.b) && bytes.Equal(m.b[i-block:i], m.b[i:i+block]) {
			i += block // more of the same
		}
	}
	if i-from > rowBytes {
		*m.gap = gap{from, i}
	}
	return i
}

func (m jsonMaker) peek(i int) byte {
	if i = m.skip(i); i < len(m.b) {
		return m.b[i]
	}
	return 0
}

func open(c byte) bool  { return c == '{' || c == '[' }
func shut(c byte) bool  { return c == '}' || c == ']' }
func loose(c byte) bool { return !space(c) && !open(c) && !shut(c) && c != ',' && c != ':' && c != '"' }

func pair(a, b byte) bool { return a == '{' && b == '}' || a == '[' && b == ']' }

func (m jsonMaker) next(s state) (row, state, bool) {
	i := s.off
	if s.in == 0 {
		i = m.skip(i)
	}
	if i >= len(m.b) {
		return row{}, s, false
	}
	s.off = i
	level := s.depth
	if s.in == 0 && shut(m.b[i]) {
		level--
	}
	r := row{state: s, indent: min(maxIndent, indentBy*max(0, level)), sep: []byte{'\n'}}
	c := cutter{m: m, i: i, end: i, depth: s.depth, in: s.in, room: m.limit - r.indent}
	c.room = max(20, c.room)
	for c.step() {
	}
	r.end = c.end
	then := state{off: c.end, depth: c.depth, in: c.in, cont: c.in != 0, line: s.line}
	if c.in != 0 {
		r.sep = nil
	} else {
		then.line += 1 + c.hidden
	}
	return r, then, true
}

// A cutter goes from token to token to where a row ends.
type cutter struct {
	m     jsonMaker
	i     int // where it is
	end   int // after the last token of the row
	depth int
	in    byte // the token that is not at its end, as in state
	room  int  // cells that are left
	last  byte // the last token: its byte, '"' or 'w', or 0

	hidden int // lines that folds hide
}

// step takes one token into the row, and returns false when the row is full.
func (c *cutter) step() bool {
	b := c.m.b
	if c.in == 0 {
		c.i = c.m.skip(c.i)
	}
	if c.i >= len(b) {
		return false
	}
	t := b[c.i]
	switch {
	case c.in != 0:
		return c.token(c.in)
	case t == ',':
		c.take()
		return false
	case t == ':':
		c.take()
		c.room--
		return true
	case shut(t):
		if c.last != 0 && !pair(c.last, t) {
			return false
		}
		c.take()
		c.depth = max(0, c.depth-1)
		c.last = 'x' // nothing but a comma may follow
		return c.m.peek(c.i) == ','
	case c.last == '"' || c.last == 'w' || c.last == 'x': // nothing stands between them
		return false
	case open(t) && c.m.folds[c.i].end > 0:
		f := c.m.folds[c.i]
		c.i, c.end, c.last = f.end, f.end, 'x'
		c.hidden += f.lines
		return c.m.peek(c.i) == ','
	case open(t):
		c.take()
		c.depth++
		c.last = t
		return pair(t, c.m.peek(c.i))
	case t == '"':
		c.take()
		return c.token('"')
	default:
		return c.token('w')
	}
}

func (c *cutter) take() {
	c.last = c.m.b[c.i]
	c.i++
	c.end = c.i
	c.room--
}

// token takes the rest of a string, after its first quote, or of a word, as far
// as there is room.
func (c *cutter) token(what byte) bool {
	b, from := c.m.b, c.i
	for c.i < len(b) {
		t := b[c.i]
		if what == 'w' && !loose(t) {
			break
		}
		size, cells := 1, 1
		if what == '"' && t == '\\' && c.i+1 < len(b) { // an escape is never cut in two
			size, cells, _ = unit(b[c.i+1:], 0)
			size, cells = size+1, cells+1
		} else if t < 0x20 || t >= 0x7f {
			size, cells, _ = unit(b[c.i:], 0)
		}
		if (cells > c.room || c.i-from > rowBytes) && c.i > from {
			c.in, c.end = what, c.i
			return false
		}
		c.i, c.room = c.i+size, c.room-cells
		if what == '"' && t == '"' {
			break
		}
	}
	c.in, c.end, c.last = 0, c.i, what
	return true
}

func (m jsonMaker) spans(r row) []span {
	out := make([]span, 0, 8)
	if r.indent > 0 {
		out = append(out, span{spaces[:r.indent], plain, -1, false})
	}
	in := r.in
	for i := r.off; i < r.end; {
		t, from := m.b[i], i
		switch {
		case in == '"' || in == 0 && t == '"':
			i = m.stringEnd(i, r.end, in == 0)
			k := text
			if m.peek(i) == ':' {
				k = key
			}
			out = append(out, span{m.b[from:i], k, from, false})
		case in == 'w' || loose(t):
			for i < r.end && loose(m.b[i]) {
				i++
			}
			k := word
			if t == '-' || t >= '0' && t <= '9' {
				k = number
			}
			out = append(out, span{m.b[from:i], k, from, false})
		case space(t):
			i++
		case open(t) && m.folds[i].end > 0:
			i = m.folds[i].end
			out = append(out, span{m.b[from : from+1], punct, from, false}, span{[]byte("…"), faint, -1, false}, span{m.b[i-1 : i], punct, i - 1, false})
		default:
			i++
			out = append(out, span{m.b[from:i], punct, from, false})
			if t == ':' && m.skip(i) < r.end {
				out = append(out, span{spaces[:1], punct, -1, false})
			}
		}
		in = 0
	}
	return out
}

// stringEnd is where a string ends, at most at end. quote says that i is at its
// first quote.
func (m jsonMaker) stringEnd(i, end int, quote bool) int {
	if quote {
		i++
	}
	for ; i < end; i++ {
		switch m.b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return end
}

// Indent returns b, which is JSON or nearly, in lines: one member each,
// indented by depth. The lines hold every token of b as it is.
func Indent(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		m := newJSON(b, whole)
		s := state{line: 1}
		for {
			r, then, ok := m.next(s)
			if !ok {
				return
			}
			var line []byte
			for _, sp := range m.spans(r) {
				line = append(line, sp.bytes...)
			}
			if !yield(line) {
				return
			}
			s = then
		}
	}
}
