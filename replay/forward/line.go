package forward

import (
	"container/heap"
	"time"

	"anyhook.net/desktop/capture"
)

// An item is a request that waits in a lane. It is small: there may be many.
type item struct {
	seq   capture.Seq
	id    capture.ID
	tries int       // attempts that used up a retry
	due   time.Time // when it is tried again; zero if it is not a retry
	met   bool      // an attempt found nobody listening

	objects []string // what its events happened to; only where lanes are parallel
	read    bool     // objects is filled in
}

// A line is what waits in a lane.
type line struct {
	fresh bySeq // never tried
	held  bySeq // tried, and ready again
	later byDue // retries that are not due
}

func (l *line) add(it item) {
	if it.due.IsZero() {
		l.back(it)
		return
	}
	heap.Push(&l.later, it)
}

// back puts back what was taken out: it is still ready.
func (l *line) back(it item) {
	if it.met {
		heap.Push(&l.held, it)
		return
	}
	heap.Push(&l.fresh, it)
}

// ripen makes the retries that are due ready; all of them if asked to.
func (l *line) ripen(now time.Time, all bool) {
	for len(l.later) > 0 && (all || !now.Before(l.later[0].due)) {
		heap.Push(&l.held, heap.Pop(&l.later).(item))
	}
}

// A state of the lane is what decides which item is next.
type state struct {
	down   bool // nobody listens
	strict bool
}

// pop takes the item that is next: the oldest of those that are ready. While
// nobody listens only what was never tried is. In strict order only the oldest
// of all can be.
func (l *line) pop(s state) (item, bool) {
	from := l.oldest()
	if s.down {
		from = &l.fresh
	}
	if from == nil || len(*from) == 0 || s.strict && (s.down || l.waitsBefore((*from)[0].seq)) {
		return item{}, false
	}
	return heap.Pop(from).(item), true
}

// oldest returns the heap of ready items that has the oldest; nil if none is ready.
func (l *line) oldest() *bySeq {
	switch {
	case len(l.fresh) == 0 && len(l.held) == 0:
		return nil
	case len(l.held) == 0 || len(l.fresh) > 0 && l.fresh[0].seq < l.held[0].seq:
		return &l.fresh
	}
	return &l.held
}

// waitsBefore reports whether a retry older than seq is not due.
func (l *line) waitsBefore(seq capture.Seq) bool {
	for _, it := range l.later {
		if it.seq < seq {
			return true
		}
	}
	return false
}

func (l *line) size() int { return len(l.fresh) + len(l.held) + len(l.later) }

// all takes everything.
func (l *line) all() []item {
	out := append(append(append([]item{}, l.fresh...), l.held...), l.later...)
	*l = line{}
	return out
}

// bySeq is a heap with the oldest first.
type bySeq []item

func (h bySeq) Len() int           { return len(h) }
func (h bySeq) Less(i, k int) bool { return h[i].seq < h[k].seq }
func (h bySeq) Swap(i, k int)      { h[i], h[k] = h[k], h[i] }
func (h *bySeq) Push(x any)        { *h = append(*h, x.(item)) }
func (h *bySeq) Pop() any          { return popLast((*[]item)(h)) }

// byDue is a heap with the next to be due first.
type byDue []item

func (h byDue) Len() int { return len(h) }
func (h byDue) Less(i, k int) bool {
	if h[i].due.Equal(h[k].due) {
		return h[i].seq < h[k].seq
	}
	return h[i].due.Before(h[k].due)
}
func (h byDue) Swap(i, k int) { h[i], h[k] = h[k], h[i] }
func (h *byDue) Push(x any)   { *h = append(*h, x.(item)) }
func (h *byDue) Pop() any     { return popLast((*[]item)(h)) }

func popLast(s *[]item) item {
	n := len(*s) - 1
	it := (*s)[n]
	(*s)[n] = item{}
	*s = (*s)[:n]
	return it
}
