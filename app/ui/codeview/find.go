package codeview

import (
	"bytes"
	"slices"
)

// FindMost is how many finds are counted. There may be more.
const FindMost = 100_000

// find is what is looked for, and where it is.
type find struct {
	query []byte
	at    []int // offsets in the source, ascending
	here  int   // index in at, or -1
}

// Find looks for query, highlights it, goes to the first find from what is in
// sight on, and returns how many there are, at most [FindMost]. It looks in the
// bytes as they came, not as they are indented. A query without capital letters
// finds them too. "" ends it.
func (v *View) Find(query string) int {
	v.find.query = []byte(query)
	v.search()
	if r, ok := v.rows.at(v.top); ok && len(v.find.at) > 0 {
		i, _ := slices.BinarySearch(v.find.at, r.off)
		v.goTo(i % len(v.find.at))
	}
	v.Refresh()
	return len(v.find.at)
}

// Found is the number of the find that is gone to, from 1 or 0 for none, of how
// many. more means that there are more than are counted.
func (v *View) Found() (here, of int, more bool) {
	return v.find.here + 1, len(v.find.at), len(v.find.at) == FindMost
}

// FindNext goes to the next find, or the one before, and around at the end.
func (v *View) FindNext(forward bool) {
	n := len(v.find.at)
	if n == 0 {
		return
	}
	by := 1
	if !forward {
		by = n - 1
	}
	v.goTo((max(0, v.find.here) + by) % n)
	v.Refresh()
}

// from is the first find that reaches beyond the offset off.
func (f *find) from(off int) int {
	i, _ := slices.BinarySearch(f.at, off-len(f.query)+1)
	return i
}

func (v *View) goTo(i int) {
	v.find.here = i
	off := v.find.at[i]
	v.unfold(off)
	n := v.rows.rowOf(off)
	if r, ok := v.rows.at(n); ok {
		v.caret = spot{n, 0}
		if at := v.columns(r, off, off+len(v.find.query)); len(at) > 0 {
			v.caret.col = at[0].from
		}
		v.mark = v.caret
		if n < v.top || n >= v.top+v.page() {
			v.scrollTo(n-v.page()/3, 0)
		}
		v.reveal(v.caret)
	}
	if v.OnFound != nil {
		v.OnFound()
	}
}

func (v *View) search() {
	v.find.at, v.find.here = nil, -1
	if q := v.find.query; len(q) > 0 {
		v.find.at = indexes(v.rows.maker.source(), q, FindMost)
	}
	if v.OnFound != nil {
		v.OnFound()
	}
}

// indexes is where q is in b, at most most times, not overlapping.
func indexes(b, q []byte, most int) []int {
	var out []int
	fold := bytes.Equal(q, bytes.ToLower(q)) && !bytes.Equal(q, bytes.ToUpper(q))
	for from := 0; len(out) < most; {
		i := 0
		if fold {
			i = indexFold(b[from:], q)
		} else {
			i = bytes.Index(b[from:], q)
		}
		if i < 0 {
			break
		}
		out = append(out, from+i)
		from += i + len(q)
	}
	return out
}

// indexFold is bytes.Index where letters of A to Z match q's, which are small.
func indexFold(b, q []byte) int {
	first := q[0]
	other := first
	if first >= 'a' && first <= 'z' {
		other = first - 'a' + 'A'
	}
	small, large := -2, -2 // the next first letter of either case; -1 is none, -2 unknown
	for from := 0; from+len(q) <= len(b); from++ {
		if small != -1 && small < from {
			small = after(b, first, from)
		}
		if large != -1 && large < from {
			large = after(b, other, from)
		}
		switch {
		case small < 0 && large < 0:
			return -1
		case small < 0 || large >= 0 && large < small:
			from = large
		default:
			from = small
		}
		if from+len(q) <= len(b) && equalFold(b[from:from+len(q)], q) {
			return from
		}
	}
	return -1
}

func after(b []byte, c byte, from int) int {
	if i := bytes.IndexByte(b[from:], c); i >= 0 {
		return from + i
	}
	return -1
}

func equalFold(b, small []byte) bool {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != small[i] {
			return false
		}
	}
	return true
}

// A stretch is columns next to each other.
type stretch struct{ from, to int }

// columns are where the source bytes from a up to b are shown in r.
func (v *View) columns(r row, a, b int) []stretch {
	var out []stretch
	col := 0
	for _, sp := range v.rows.maker.spans(r) {
		n := len(sp.bytes)
		if sp.one {
			n = 1
		}
		if sp.off >= 0 && sp.off < b && sp.off+n > a {
			lo, hi := max(0, a-sp.off), min(len(sp.bytes), b-sp.off)
			if sp.one {
				lo, hi = 0, len(sp.bytes)
			}
			s := stretch{col + cellsIn(sp.bytes[:lo], col), col + cellsIn(sp.bytes[:hi], col)}
			if n := len(out); n > 0 && s.from-out[n-1].to <= 2 { // numbers stand apart by up to two
				out[n-1].to = s.to
			} else {
				out = append(out, s)
			}
		}
		col += cellsIn(sp.bytes, col)
	}
	return out
}
