package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"anyhook.net/desktop/capture"
)

// A batch tells where a body has its events, so that they can be taken out and
// put together again.
type batch struct {
	list string // the place of the list

	// within are, for each level, the lists in an element whose elements are
	// events in their turn; an element without any is an event.
	within []func(value) []value
}

const (
	batchMost  = 1000     // events, as many as are read
	batchBytes = 64 << 20 // of all parts together, which repeat what is around the events
)

var (
	errEmptyBatch = errors.New("there are no events in the body")
	errNoBatch    = errors.New("the body is of a shape that holds one event alone")
	errLargeBatch = errors.New("too many events to take apart")
	errNoPart     = errors.New("a part is not JSON")
)

// batchOf is the batch of a row whose events are the elements of one list.
func (x fields) batchOf() batch { return batch{list: x.each} }

// find returns the list in a body; nil if there is none.
func (b batch) find(body []byte) value {
	list := source{doc: body}.value(b.list).trimmed()
	if list.kind() != '[' {
		return nil
	}
	return list
}

// parts returns what a Batch does. A body without the list is one event.
func (b batch) parts(r *capture.Request) ([][]byte, error) {
	list := b.find(r.Body)
	if list == nil {
		return [][]byte{r.Body}, nil
	}
	if !json.Valid(r.Body) {
		return nil, errNoPart
	}
	var all [][]byte
	size := 0
	for v := range list.elements() {
		for part := range singles(v, b.within) {
			if size += len(part); len(all) == batchMost || size > batchBytes {
				return nil, errLargeBatch
			}
			all = append(all, part)
		}
	}
	if len(all) == 0 {
		return nil, errEmptyBatch
	}
	return all, nil
}

// join returns what a Join does. The white space is that of the list that was there.
func (b batch) join(r *capture.Request, parts [][]byte) error {
	list := b.find(r.Body)
	switch {
	case len(parts) == 0:
		return errEmptyBatch
	case list == nil && len(parts) == 1:
		r.Body = bytes.Clone(parts[0])
		return nil
	case list == nil && b.list != "$":
		return errNoBatch
	}
	for i, part := range parts {
		if !json.Valid(part) {
			return fmt.Errorf("%w: the %d. one", errNoPart, i+1)
		}
	}
	if list == nil {
		r.Body = slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
		return nil
	}
	first, between, last := spacing(list)
	at := cap(r.Body) - cap(list)
	r.Body = slices.Concat(r.Body[:at], first, bytes.Join(parts, between), last, r.Body[at+len(list):])
	return nil
}

// spacing returns what a list has before, between and behind its elements.
func spacing(list value) (first, between, last []byte) {
	ends := []int{} // of the first two elements, and where they begin
	end := 0
	for v := range list.elements() {
		start := cap(list) - cap(v)
		end = start + len(v)
		if len(ends) < 4 {
			ends = append(ends, start, end)
		}
	}
	switch len(ends) {
	case 0:
		return []byte("["), []byte(","), []byte("]")
	case 2:
		first = list[:ends[0]]
		return first, slices.Concat([]byte(","), first[1:]), list[end:]
	}
	return list[:ends[0]], list[ends[1]:ends[2]], list[end:]
}

// singles yields v once for each event in it, with that event alone.
func singles(v value, within []func(value) []value) func(yield func(value) bool) {
	return func(yield func(value) bool) {
		var lists []value
		if len(within) > 0 {
			lists = slices.DeleteFunc(within[0](v), func(list value) bool { return list.kind() != '[' })
		}
		if len(lists) == 0 {
			yield(v)
			return
		}
		places := inOrder(slices.Clone(lists))
		for _, list := range lists {
			for w := range list.elements() {
				for event := range singles(w, within[1:]) {
					if !yield(v.only(places, list, event)) {
						return
					}
				}
			}
		}
	}
}

// only returns v with one event in one of its lists, and the others empty.
func (v value) only(lists []value, in, event value) value {
	e := edit{of: v}
	for _, list := range lists {
		if cap(list) == cap(in) {
			e.replace(list, "["+string(event)+"]")
			continue
		}
		e.replace(list, "[]")
	}
	return e.done()
}
