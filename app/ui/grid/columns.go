package grid

import (
	"slices"

	"anyhook.net/desktop/app/ui/look"
)

// A Column is a column.
type Column struct {
	ID     string // by which its width is kept
	Title  string
	Width  float32 // in pixels; 0 is Min
	Min    float32 // it is never narrower; 0 is 40
	Weight float32 // its share of the room that the widths leave, or lack
	Right  bool    // numbers stand at the right
	Mono   bool    // in the font for code
	Order  int     // shows an arrow: 1 rows ascend by it, -1 they descend
}

func (c Column) least() float32 {
	if c.Min > 0 {
		return c.Min
	}
	return 40
}

// grown are the columns as wide as the text of the theme asks for: their widths
// are those for text of the usual size.
func grown(columns []Column) []Column {
	out := slices.Clone(columns)
	for i, c := range out {
		out[i].Width, out[i].Min = c.Width*look.Scale(), c.least()*look.Scale()
	}
	return out
}

// arrange gives every column its width. Room that is left goes to columns with
// a weight. Room that is lacking is taken from those first, then from all, but
// never below the least; what then is too wide is cut off at the right.
func arrange(columns []Column, total float32) []float32 {
	widths, sum := make([]float32, len(columns)), float32(0)
	for i, c := range columns {
		widths[i] = max(c.least(), c.Width)
		sum += widths[i]
	}
	weight := func(i int) float32 { return columns[i].Weight }
	if sum < total {
		share(widths, total-sum, weight, func(int) float32 { return 1e6 })
		return widths
	}
	least := func(i int) float32 { return columns[i].least() }
	lack := share(widths, total-sum, weight, least)
	share(widths, lack, func(i int) float32 { return widths[i] - least(i) }, least)
	return widths
}

// share adds by, which may be negative, to widths by weight, within limits, and
// returns what it could not.
func share(widths []float32, by float32, weight, limit func(int) float32) float32 {
	for range widths { // each time around at least one column reaches its limit, or all is given
		all := float32(0)
		for i, w := range widths {
			if w != limit(i) {
				all += weight(i)
			}
		}
		if all <= 0 || by > -0.5 && by < 0.5 {
			break
		}
		given := float32(0)
		for i, w := range widths {
			if w == limit(i) {
				continue
			}
			next := w + by*weight(i)/all
			if by < 0 {
				next = max(next, limit(i))
			}
			widths[i] = next
			given += next - w
		}
		by -= given
	}
	return by
}

// drag moves the right edge of column i by dx: what it gains, those after it
// lose, the next one first, and the other way around. The sum stays as it is
// unless all after it are at their least.
func drag(columns []Column, widths []float32, i int, dx float32) {
	dx = max(dx, columns[i].least()-widths[i])
	widths[i] += dx
	for j := i + 1; j < len(widths) && dx != 0; j++ {
		next := max(columns[j].least(), widths[j]-dx)
		dx -= widths[j] - next
		widths[j] = next
	}
}
