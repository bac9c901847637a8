package plan

import (
	"cmp"
	"slices"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// MostParts is how many events a batch can have.
const MostParts = 100

// A told is an event, and the request that tells of it.
type told struct {
	of    Request
	event capture.Event
	n     int // its place in the request, from 1; 0 if that cannot be taken apart
}

// apart reports whether the events of r can be sent on their own.
func (r Request) apart() bool {
	return r.Provider != nil && r.Provider.Batch != nil && r.Provider.Join != nil && len(r.Events) > 0
}

// tell returns the events of all requests, in order; a request that cannot be
// taken apart is its first event.
func (c Choice) tell() []told {
	var out []told
	for _, r := range c.Requests {
		switch {
		case r.apart() && len(r.Events) > 1:
			for i, e := range r.Events {
				out = append(out, told{r, e, i + 1})
			}
		case len(r.Events) > 0:
			out = append(out, told{r, r.Events[0], 0})
		default:
			out = append(out, told{of: r})
		}
	}
	return out
}

func (t told) item() replay.Item { return replay.Item{Request: t.of.ID, N: t.n} }

// send is a send of the one event.
func (c Choice) send(t told) replay.Send {
	if t.n == 0 {
		return c.first(t.of)
	}
	return c.batch([]told{t})
}

// batch is a send of one request with the events, which are of one kind.
func (c Choice) batch(all []told) replay.Send {
	s := replay.Send{Request: all[0].of.ID, Signing: c.anew(all[0].of)}
	for _, t := range all {
		s.Items = append(s.Items, t.item())
	}
	return s
}

// byGuard compares by what the provider guards the order of events with.
func byGuard(a, b capture.Event) int {
	switch {
	case a.Older(b):
		return -1
	case b.Older(a):
		return 1
	}
	return 0
}

// guarded reports whether it can be told which of the events is older than which.
func guarded(all []told) bool {
	for i := range all[1:] {
		if byGuard(all[i].event, all[i+1].event) == 0 {
			return false
		}
	}
	return true
}

// A kind is what events have in common that can be in one request.
type kind struct{ endpoint, provider string }

// kinds parts the events into those of one kind, in the order of the first of
// each. What cannot be taken apart is left.
func (c Choice) kinds() (kinds [][]told, left []Request) {
	place := map[kind]int{}
	for _, r := range c.Requests {
		if !r.apart() {
			left = append(left, r)
			continue
		}
		k := kind{r.Endpoint, r.Provider.Name}
		i, ok := place[k]
		if !ok {
			i = len(kinds)
			place[k] = i
			kinds = append(kinds, nil)
		}
		for n, e := range r.Events {
			kinds[i] = append(kinds[i], told{r, e, n + 1})
		}
	}
	return kinds, left
}

// batches makes a scenario of the events in batches of a size, as arrange has ordered them.
func (c Choice) batches(name string, size int, arrange func([]told)) (replay.Scenario, Note) {
	kinds, left := c.kinds()
	var sends []replay.Send
	for _, all := range kinds {
		arrange(all)
		for part := range slices.Chunk(all, min(max(size, 1), MostParts)) {
			sends = append(sends, c.batch(part))
		}
	}
	note := NoteNone
	for _, r := range left {
		sends, note = append(sends, c.first(r)), NoteWhole
	}
	return scenario(name, sends...), note
}

func asTold([]told) {}

// Split sends each event in a request of its own.
func Split(c Choice) (replay.Scenario, Note) { return c.batches(NameSplit, 1, asTold) }

// Merge sends the events of all requests together, in as few as can be.
func Merge(c Choice) (replay.Scenario, Note) { return c.batches(NameMerge, MostParts, asTold) }

// Resize sends the events in requests of Size each.
func Resize(c Choice) (replay.Scenario, Note) { return c.batches(NameResize, c.Size, asTold) }

// Mix sends the events in requests as large as the largest was, in an order
// that the seed gives.
func Mix(c Choice) (replay.Scenario, Note) {
	size := 1
	for _, r := range c.Requests {
		size = max(size, len(r.Events))
	}
	random := source(c.Seed)
	s, note := c.batches(NameMix, cmp.Or(c.Size, size), func(all []told) {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	})
	s.Seed = c.Seed
	return s, note
}

// Partial has the handler take the first half of each request, of which the
// provider hears that it failed, so that it sends the whole again.
func Partial(c Choice) (replay.Scenario, Note) {
	var sends []replay.Send
	note := NoteNone
	for _, r := range c.Requests {
		half := c.first(r, replay.Fault{Kind: replay.Gateway})
		if r.apart() && len(r.Events) > 1 {
			half.Signing = c.anew(r)
			for n := range (len(r.Events) + 1) / 2 {
				half.Items = append(half.Items, replay.Item{Request: r.ID, N: n + 1})
			}
		} else {
			note = NoteWhole
		}
		sends = append(sends, half, c.again(r, 2))
	}
	return scenario(NamePartial, sends...), note
}
