package codeview

// A fold is an object or array of which only the brackets are shown.
type fold struct {
	end   int // in the source, after its last bracket
	lines int // that it hides
}

// folding is the fold that begins with the bracket at off; not ok when it has
// no end, or nothing in it.
func folding(b []byte, off int) (f fold, ok bool) {
	depth, last := 0, byte(0)
	for i := off; i < len(b); i++ {
		c := b[i]
		switch {
		case c == '"':
			m := jsonMaker{b: b}
			i = m.stringEnd(i, len(b), true) - 1
		case open(c):
			depth++
			f.lines++
		case c == ',':
			f.lines++
		case shut(c):
			depth--
			if open(last) { // nothing in it: one line
				f.lines--
			} else {
				f.lines++
			}
		}
		if !space(c) {
			last = c
		}
		if depth == 0 {
			f.end = i + 1
			return f, f.lines > 0
		}
	}
	return fold{}, false
}

// bracket is the offset of the bracket that row r folds by; folded says that it is.
func (v *View) bracket(r row) (off int, folded, ok bool) {
	if v.folds == nil {
		return 0, false, false
	}
	spans := v.rows.maker.spans(r)
	for _, s := range spans {
		if _, folded := v.folds[s.off]; folded {
			return s.off, true, true
		}
	}
	if n := len(spans); n > 0 {
		s := spans[n-1]
		if s.kind == punct && s.off == r.end-1 && open(s.bytes[0]) {
			return s.off, false, true
		}
	}
	return 0, false, false
}

// Fold folds what begins in the row of the caret, or unfolds it, and reports
// whether there is anything.
func (v *View) Fold() bool { return v.toggle(v.caret.row) }

func (v *View) toggle(i int) bool {
	r, ok := v.rows.at(i)
	if !ok {
		return false
	}
	off, folded, ok := v.bracket(r)
	if !ok {
		return false
	}
	if folded {
		delete(v.folds, off)
	} else {
		f, ok := folding(v.rows.maker.source(), off)
		if !ok {
			return false
		}
		v.folds[off] = f
	}
	v.again()
	v.caret = spot{v.rows.rowOf(off), 0}
	v.mark = v.caret
	v.Refresh()
	return true
}

// unfold unfolds all that hides the offset off.
func (v *View) unfold(off int) {
	n := len(v.folds)
	for from, f := range v.folds {
		if from < off && off < f.end {
			delete(v.folds, from)
		}
	}
	if len(v.folds) != n {
		v.again()
	}
}

// again makes the rows again; what is at the top stays there.
func (v *View) again() {
	off := 0
	if r, ok := v.rows.at(v.top); ok {
		off = r.off
	}
	v.rows = newIndex(v.make(v.limit))
	v.scrollTo(v.rows.rowOf(off), v.frac)
}

// onFold reports whether x is at the signs of folds.
func (v *View) onFold(x float32) bool {
	return v.folds != nil && x > v.gutter()-2*v.cell.Width && x < v.gutter()
}
