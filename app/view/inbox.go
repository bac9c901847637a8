package view

import (
	"context"
	"slices"
	"sync"
	"time"

	"anyhook.net/desktop/capture"
)

const (
	cachedRows = 4096 // rows kept, most recently used
	batchRows  = 128  // rows read at once
	scanBlock  = 2000 // requests that a filter looks through at once
	fresh      = 200  // newest requests that a filter looks through again, because their events are read after the ack
	beat       = 100 * time.Millisecond
	minute     = 30 * time.Second // how often relative times are written again
)

// An Inbox is the list of captured requests, newest first, as far as its
// filter lets them through. Its rows are read in the background: Row never
// waits. It may be used from any goroutine.
type Inbox struct {
	Desk    Desk
	Changed func() // called at most ten times a second, from Run's goroutine, when something to draw changed
	Failed  func(error)

	mu     sync.Mutex
	clock  Clock
	last   capture.Seq // of all
	before capture.Seq // those up to it were cleared away
	list   matches     // of the filter
	filter capture.Filter
	rows   cache
	want   []capture.Seq
	more   chan struct{} // rung when there is work
	gen    int           // of the filter: what an older scan found is thrown away
}

// NewInbox returns an inbox without a filter.
func NewInbox(desk Desk, clock Clock, changed func()) *Inbox {
	return &Inbox{Desk: desk, Changed: changed, Failed: func(error) {}, clock: clock, rows: newCache(cachedRows), more: make(chan struct{}, 1)}
}

// Len returns how many rows there are. While a filter still searches it grows.
func (x *Inbox) Len() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.len()
}

func (x *Inbox) len() int {
	if x.list.on {
		return len(x.list.found)
	}
	return int(max(0, x.last-x.before))
}

// Seq returns the request of row i, 0 if there is no such row.
func (x *Inbox) Seq(i int) capture.Seq {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.seq(i)
}

func (x *Inbox) seq(i int) capture.Seq {
	switch {
	case i < 0 || i >= x.len():
		return 0
	case x.list.on:
		return x.list.found[i]
	}
	return x.last - capture.Seq(i)
}

// Index returns the row of a request, -1 if it has none.
func (x *Inbox) Index(seq capture.Seq) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.list.on {
		if seq <= x.before || seq > x.last {
			return -1
		}
		return int(x.last - seq)
	}
	i, ok := slices.BinarySearchFunc(x.list.found, seq, func(a, b capture.Seq) int { return int(b - a) })
	if !ok {
		return -1
	}
	return i
}

// Row returns row i, and asks for it in the background if it is not there or
// out of date. Loaded is false while nothing is known of it but its number.
func (x *Inbox) Row(i int) Row {
	x.mu.Lock()
	defer x.mu.Unlock()
	seq := x.seq(i)
	if seq == 0 {
		return Row{}
	}
	row, ok := x.rows.get(seq)
	if !ok || row.stale {
		x.ask(i)
	}
	if !ok {
		return Row{Seq: seq, Number: number(seq)}
	}
	return row.Row
}

// ask puts row i and its neighbours on the list of what is to be read.
func (x *Inbox) ask(i int) {
	from := i - i%(batchRows/2)
	for j := from; j < from+batchRows/2 && j < x.len(); j++ {
		seq := x.seq(j)
		if row, ok := x.rows.get(seq); (!ok || row.stale) && len(x.want) < 4*batchRows && !slices.Contains(x.want, seq) {
			x.want = append(x.want, seq)
		}
	}
	x.ring()
}

func (x *Inbox) ring() {
	select {
	case x.more <- struct{}{}:
	default:
	}
}

// Filter returns the filter in use.
func (x *Inbox) Filter() capture.Filter {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.filter
}

// SetFilter chooses what is shown. The rows come in as they are found.
func (x *Inbox) SetFilter(f capture.Filter) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.filter = f
	x.again()
}

// again begins to search anew.
func (x *Inbox) again() {
	x.gen++
	x.list = matches{on: !empty(x.filter)}
	x.ring()
}

// SetTimeMode writes the times of all rows anew.
func (x *Inbox) SetTimeMode(m TimeMode) {
	x.mu.Lock()
	x.clock.Mode = m
	x.rows.rewrite(func(r *loaded) { r.Time = x.clock.Short(r.at) })
	x.mu.Unlock()
	x.Changed()
}

// Reword throws away what is formatted, after a change of language.
func (x *Inbox) Reword() {
	x.mu.Lock()
	x.rows = newCache(cachedRows)
	x.mu.Unlock()
	x.Changed()
}

// Search tells how far a filter has got: how many requests it has looked at, and of how many.
func (x *Inbox) Search() (looked, of int64, on bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.list.on || x.list.low <= x.before+1 && x.list.high > 0 || x.last <= x.before {
		return 0, 0, false
	}
	return int64(x.last - x.list.low + 1), int64(x.last - x.before), true
}

// Run follows the desk and reads rows until ctx ends.
func (x *Inbox) Run(ctx context.Context) {
	tick := time.NewTicker(minute)
	defer tick.Stop()
	for ctx.Err() == nil {
		changed := x.Desk.Changed() // before looking, so that nothing is missed
		if err := x.refresh(ctx); err != nil && ctx.Err() == nil {
			x.Failed(err)
		}
		x.Changed()
		x.serve(ctx, changed, tick.C)
	}
}

// serve reads what is wanted until something changed, and no sooner than a beat.
func (x *Inbox) serve(ctx context.Context, changed <-chan struct{}, tick <-chan time.Time) {
	rest := time.NewTimer(beat)
	defer rest.Stop()
	rested, due := false, false
	for ctx.Err() == nil && (!rested || !due) {
		busy, err := x.work(ctx)
		if err != nil && ctx.Err() == nil {
			x.Failed(err)
		}
		more := x.more
		if busy {
			more = closed
		}
		select {
		case <-ctx.Done():
		case <-changed:
			due, changed = true, nil
		case <-tick:
			x.SetTimeMode(x.mode())
		case <-rest.C:
			rested = true
		case <-more:
		}
	}
}

// closed is always ready to receive from.
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

func (x *Inbox) mode() TimeMode {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.clock.Mode
}

// work does one piece of what there is to do, and reports whether there is more.
func (x *Inbox) work(ctx context.Context) (busy bool, err error) {
	read, err := x.read(ctx)
	if err != nil {
		return false, err
	}
	found, err := x.scan(ctx)
	if err != nil {
		return false, err
	}
	if read || found {
		x.Changed()
	}
	return read || found, nil
}

// read reads the rows that were asked for, newest wish first, because that is what is on the screen.
func (x *Inbox) read(ctx context.Context) (bool, error) {
	x.mu.Lock()
	n := max(0, len(x.want)-batchRows)
	seqs := slices.Clone(x.want[n:])
	x.want = x.want[:n]
	clock := x.clock
	x.mu.Unlock()
	if len(seqs) == 0 {
		return false, nil
	}
	sums, err := x.Desk.Summaries(ctx, seqs)
	if err != nil {
		return false, err
	}
	stands, err := x.Desk.Standings(ctx, seqs)
	if err != nil {
		return false, err
	}
	rows := make([]loaded, len(sums))
	for i, s := range sums {
		rows[i] = loaded{Row: NewRow(s, standing(stands, s.Seq), clock, x.title), at: s.At}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	changed := false
	for _, r := range rows {
		changed = x.rows.put(r) || changed
	}
	return changed || len(x.want) > 0, nil
}

func (x *Inbox) title(provider string) string { return Title(x.Desk, provider) }
