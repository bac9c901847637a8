package view

import (
	"container/list"
	"context"
	"slices"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// matches are the requests that a filter let through, as far as it has looked.
type matches struct {
	on    bool
	found []capture.Seq // descending
	high  capture.Seq   // looked at, up to and with it
	low   capture.Seq   // looked at, down to and with it; 0 before the first look
}

// empty reports whether f chooses all.
func empty(f capture.Filter) bool {
	return f.Text == "" && len(f.Kinds) == 0 && f.Endpoint == "" && f.Provider == "" && len(f.Signature) == 0 &&
		len(f.Outcome) == 0 && !f.Duplicates && !f.Late && f.Since.IsZero() && f.Until.IsZero()
}

// refresh looks what is new: the last request, and which of the newest the filter lets through now.
func (x *Inbox) refresh(ctx context.Context) error {
	last, err := x.Desk.Last(ctx)
	if err != nil {
		return err
	}
	x.mu.Lock()
	x.last = last
	x.rows.age()
	f, list, gen := x.filter, x.list, x.gen
	x.mu.Unlock()
	if !list.on || list.low == 0 {
		return nil
	}
	window := capture.Seq(fresh)
	if len(f.Outcome) > 0 || f.Duplicates || f.Late {
		window = scanBlock // what was waiting may be delivered by now
	}
	from := max(list.low, min(list.high+1, last-window+1), 1)
	seqs, err := x.Desk.Match(ctx, f, from, last)
	if err != nil {
		return err
	}
	slices.Reverse(seqs)
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.gen != gen {
		return nil
	}
	keep := slices.IndexFunc(x.list.found, func(s capture.Seq) bool { return s < from })
	if keep < 0 {
		keep = len(x.list.found)
	}
	x.list.found = append(seqs, x.list.found[keep:]...)
	x.list.high = last
	return nil
}

// scan looks through one more block of older requests, and reports whether there was one.
func (x *Inbox) scan(ctx context.Context) (bool, error) {
	x.mu.Lock()
	f, list, gen, last, before := x.filter, x.list, x.gen, x.last, x.before
	x.mu.Unlock()
	if !list.on || list.low == before+1 || last <= before {
		return false, nil
	}
	to := list.low - 1
	if list.low == 0 {
		to = last
	}
	from := max(before+1, to-scanBlock+1)
	seqs, err := x.Desk.Match(ctx, f, from, to)
	if err != nil {
		return false, err
	}
	slices.Reverse(seqs)
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.gen != gen {
		return true, nil
	}
	x.list.found = append(x.list.found, seqs...)
	x.list.low = from
	x.list.high = max(x.list.high, to)
	return true, nil
}

// A loaded row is one that was read.
type loaded struct {
	Row
	at    time.Time
	stale bool // something changed since; shown until it is read again
}

// A cache keeps the rows used last.
type cache struct {
	limit int
	order *list.List // of *loaded, most recently used first
	rows  map[capture.Seq]*list.Element
}

func newCache(limit int) cache {
	return cache{limit, list.New(), map[capture.Seq]*list.Element{}}
}

func (c cache) get(seq capture.Seq) (loaded, bool) {
	e, ok := c.rows[seq]
	if !ok {
		return loaded{}, false
	}
	c.order.MoveToFront(e)
	return *e.Value.(*loaded), true
}

// put keeps r, and reports whether it looks different from what was there.
func (c cache) put(r loaded) bool {
	if e, ok := c.rows[r.Seq]; ok {
		old := e.Value.(*loaded)
		changed := !old.Equal(r.Row)
		*old = r
		return changed
	}
	c.rows[r.Seq] = c.order.PushFront(&r)
	for len(c.rows) > c.limit {
		e := c.order.Back()
		delete(c.rows, c.order.Remove(e).(*loaded).Seq)
	}
	return true
}

// age marks all rows as out of date.
func (c cache) age() {
	c.rewrite(func(r *loaded) { r.stale = true })
}

func (c cache) rewrite(f func(*loaded)) {
	for e := c.order.Front(); e != nil; e = e.Next() {
		f(e.Value.(*loaded))
	}
}

// standing returns the one of seq; the zero Standing if there is none.
func standing(all []replay.Standing, seq capture.Seq) replay.Standing {
	if i := slices.IndexFunc(all, func(s replay.Standing) bool { return s.Seq == seq }); i >= 0 {
		return all[i]
	}
	return replay.Standing{Seq: seq}
}
