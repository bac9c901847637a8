package grid

import "math"

// A place is where the view begins: a row, and how many pixels of it are above.
type place struct {
	row  int
	frac float32
}

// moved is p, dy pixels further down.
func (p place) moved(dy, rowH float32) place {
	rows := math.Floor(float64((p.frac + dy) / rowH))
	return place{p.row + int(rows), p.frac + dy - float32(rows)*rowH}
}

// within is p, or the nearest place where a view of the given height is full.
func (p place) within(n int, rowH, height float32) place {
	if end := lastPlace(n, rowH, height); p.row > end.row || p.row == end.row && p.frac > end.frac {
		return end
	}
	if p.row < 0 {
		return place{}
	}
	return p
}

// lastPlace is the place from which the last of n rows is at the bottom.
func lastPlace(n int, rowH, height float32) place {
	p := place{n, 0}.moved(-height, rowH)
	if p.row < 0 {
		return place{}
	}
	return p
}

// to is p, moved no further than needed for row to be seen as a whole.
func (p place) to(row int, rowH, height float32) place {
	if row < p.row || row == p.row && p.frac > 0 {
		return place{row, 0}
	}
	if end := lastPlace(row+1, rowH, height); p.row < end.row || p.row == end.row && p.frac < end.frac {
		return end
	}
	return p
}

// share is how far down p is, from 0 to 1.
func (p place) share(n int, rowH, height float32) float64 {
	end := lastPlace(n, rowH, height)
	all := float64(end.row) + float64(end.frac/rowH)
	if all == 0 {
		return 0
	}
	return (float64(p.row) + float64(p.frac/rowH)) / all
}

// atShare is the place that is so far down.
func atShare(share float64, n int, rowH, height float32) place {
	end := lastPlace(n, rowH, height)
	row, frac := math.Modf(min(1, max(0, share)) * (float64(end.row) + float64(end.frac/rowH)))
	return place{int(row), float32(frac) * rowH}
}

func (t *Table) moveTo(p place) {
	t.at = p.within(t.n, t.height(), t.body.Size().Height)
	t.keep()
}

// ScrollBy moves the view down by dy pixels.
func (t *Table) ScrollBy(dy float32) {
	old := t.at
	t.moveTo(t.at.moved(dy, t.height()))
	if t.at != old {
		t.body.Refresh()
		t.bar.Refresh()
	}
}

// ScrollTo moves the view no further than needed for a row to be seen.
func (t *Table) ScrollTo(row int) {
	t.moveTo(t.at.to(row, t.height(), t.body.Size().Height))
	t.body.Refresh()
	t.bar.Refresh()
}

// AtNewest says whether the newest row is in sight, so that the view follows.
func (t *Table) AtNewest() bool {
	if !t.NewestLast {
		return t.at == place{}
	}
	end := lastPlace(t.n, t.height(), t.body.Size().Height)
	return t.at.row > end.row || t.at.row == end.row && t.at.frac >= end.frac-1
}

// ToNewest goes to the newest row, and follows from now on.
func (t *Table) ToNewest() {
	if t.NewestLast {
		t.moveTo(lastPlace(t.n, t.height(), t.body.Size().Height))
	} else {
		t.moveTo(place{})
	}
	t.body.Refresh()
	t.bar.Refresh()
}
