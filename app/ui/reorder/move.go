package reorder

import "slices"

// Move takes the chosen items out, and puts them, in their order, before the
// one that is now at index to; len(items) is the end. items stays as it is.
func Move[T any](items []T, chosen func(i int) bool, to int) []T {
	var moved, before, after []T
	for i, it := range items {
		switch {
		case chosen(i):
			moved = append(moved, it)
		case i < to:
			before = append(before, it)
		default:
			after = append(after, it)
		}
	}
	return slices.Concat(before, moved, after)
}

// step is where [Move] has to put the chosen items to move them one place up
// (-1) or down (1). Scattered ones are gathered first, at the first or the last
// of them. It is not ok at the end of the list.
func step(n int, chosen func(i int) bool, by int) (to int, ok bool) {
	first, last, count := -1, -1, 0
	for i := range n {
		if chosen(i) {
			if first < 0 {
				first = i
			}
			last = i
			count++
		}
	}
	switch {
	case count == 0:
		return 0, false
	case count < last-first+1 && by < 0:
		return first, true
	case count < last-first+1:
		return last + 1, true
	case by < 0:
		return first - 1, first > 0
	default:
		return last + 2, last < n-1
	}
}
