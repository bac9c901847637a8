package codeview

const barWidth = 10

// thumbDown is where the thumb at the right is; no length means that all is in
// sight. While not all rows are known, it goes by bytes.
func (v *View) thumbDown() (y, length float32) {
	height := v.Size().Height
	rows := float64(height / v.cell.Height)
	n := float64(v.rows.n)
	if v.rows.done {
		if rows >= n {
			return 0, 0
		}
		length = max(28, height*float32(rows/n))
		return float32((float64(v.top)+float64(v.frac/v.cell.Height))/(n-rows)) * (height - length), length
	}
	r, ok := v.rows.at(v.top)
	all := len(v.rows.maker.source())
	if !ok || all == 0 {
		return 0, 0
	}
	return float32(float64(r.off)/float64(all)) * (height - 28), 28
}

// barDown moves the view so that the thumb is held at height y.
func (v *View) barDown(y float32) {
	_, length := v.thumbDown()
	height := v.Size().Height
	if length == 0 || height <= length {
		return
	}
	share := max(0, min(1, float64(y-v.grip)/float64(height-length)))
	if v.rows.done {
		rows := share * (float64(v.rows.n) - float64(height/v.cell.Height))
		v.scrollTo(int(rows), float32(rows-float64(int(rows)))*v.cell.Height)
	} else {
		v.scrollTo(v.rows.rowOf(int(share*float64(len(v.rows.maker.source())))), 0)
	}
	v.Refresh()
}

// wide is the width of the widest row seen, and of the room for it.
func (v *View) wide() (all, room float32) {
	return float32(v.widest+2) * v.cell.Width, v.Size().Width - v.gutter() - barWidth
}

// across says whether there is a scroll bar at the bottom.
func (v *View) across() bool {
	all, room := v.wide()
	return all > room+2*v.cell.Width
}

func (v *View) thumbAcross() (x, length float32) {
	all, room := v.wide()
	if all <= room || room <= 28 {
		return 0, 0
	}
	length = max(28, room*room/all)
	return v.gutter() + v.left/(all-room)*(room-length), length
}

func (v *View) barAcross(x float32) {
	all, room := v.wide()
	if _, length := v.thumbAcross(); length > 0 && room > length {
		v.left = max(0, min(1, (x-v.grip-v.gutter())/(room-length))) * (all - room)
		v.Refresh()
	}
}
