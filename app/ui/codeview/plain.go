package codeview

import "bytes"

// plainMaker shows bytes as they are, line by line.
type plainMaker struct {
	b     []byte
	limit int  // cells in a row; longer lines go on in the next
	head  bool // lines are a request line and header fields
}

func (m plainMaker) source() []byte { return m.b }
func (m plainMaker) numbered() bool { return !m.head }

func (m plainMaker) next(s state) (row, state, bool) {
	if s.off > len(m.b) || s.off == len(m.b) && (s.off > 0 && m.b[s.off-1] != '\n' || s.in == 'e') {
		return row{}, s, false
	}
	r, col, i := row{state: s}, 0, s.off
	for i < len(m.b) && m.b[i] != '\n' {
		if m.b[i] == '\r' && i+1 < len(m.b) && m.b[i+1] == '\n' {
			break
		}
		size, cells, _ := unit(m.b[i:], col)
		if (col+cells > m.limit || i-s.off > rowBytes) && i > s.off {
			r.end = i
			return r, state{off: i, cont: true, line: s.line}, true
		}
		i, col = i+size, col+cells
	}
	r.end = i
	then := state{off: i, line: s.line + 1}
	switch {
	case i == len(m.b):
		then.in = 'e'
	case m.b[i] == '\r':
		then.off = i + 2
	default:
		then.off = i + 1
	}
	r.sep = m.b[i:then.off]
	return r, then, true
}

func (m plainMaker) spans(r row) []span {
	b := m.b[r.off:r.end]
	if m.head && r.line > 1 && !r.cont {
		if name, _, ok := bytes.Cut(b, []byte(":")); ok {
			n := len(name)
			return []span{{name, key, r.off, false}, {b[n : n+1], punct, r.off + n, false}, {b[n+1:], plain, r.off + n + 1, false}}
		}
	}
	return []span{{b, plain, r.off, false}}
}

// hexMaker shows bytes as numbers, sixteen a row.
type hexMaker struct{ b []byte }

// HexRow is how many bytes a row has of what is shown as numbers.
const HexRow = 16

func (m hexMaker) source() []byte { return m.b }
func (m hexMaker) numbered() bool { return false }

func (m hexMaker) next(s state) (row, state, bool) {
	if s.off >= len(m.b) {
		return row{}, s, false
	}
	r := row{state: s, end: min(len(m.b), s.off+HexRow), sep: []byte{'\n'}}
	return r, state{off: r.end, line: s.line + 1}, true
}

func (m hexMaker) spans(r row) []span {
	const digits = "0123456789abcdef"
	offset := make([]byte, 10)
	for i, v := 7, r.off; i >= 0; i, v = i-1, v>>4 {
		offset[i] = digits[v&15]
	}
	offset[8], offset[9] = ' ', ' '
	out := []span{{offset, faint, -1, false}}
	shown := make([]byte, 0, HexRow)
	for i := range HexRow {
		cell := []byte("   ")
		if i == HexRow/2-1 {
			cell = []byte("    ")
		}
		off := -1
		if at := r.off + i; at < r.end {
			c := m.b[at]
			cell[0], cell[1] = digits[c>>4], digits[c&15]
			if c < 0x20 || c > 0x7e {
				c = '.'
			}
			shown = append(shown, c)
			off = at
		}
		out = append(out, span{cell[:2], number, off, true}, span{cell[2:], number, -1, false})
	}
	return append(out, span{[]byte("  "), punct, -1, false}, span{shown, plain, r.off, false})
}
