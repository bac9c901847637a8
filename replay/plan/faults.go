package plan

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"anyhook.net/desktop/replay"
)

// Shuffled sends each request once, in an order that the seed gives.
func Shuffled(c Choice) replay.Scenario {
	ids := c.ids()
	source(c.Seed).Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	s := inTurn(NameShuffled, ids, c.Signing)
	s.Seed = c.Seed
	return s
}

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// LateRetry loses the answer to the first request, so that its retry comes
// after all the newer ones.
func LateRetry(c Choice) replay.Scenario {
	var sends []replay.Send
	for i, r := range c.Requests {
		if i == 0 {
			sends = append(sends, c.first(r, replay.Fault{Kind: replay.LostAnswer}))
			continue
		}
		sends = append(sends, c.first(r))
	}
	if len(c.Requests) > 0 {
		sends = append(sends, c.again(c.Requests[0], 2))
	}
	return scenario(NameLateRetry, sends...)
}

// LoseAnswer loses the answer to each request, and sends it again.
func LoseAnswer(c Choice) replay.Scenario {
	return c.broken(NameLoseAnswer, replay.Fault{Kind: replay.LostAnswer})
}

// Gateway has a load balancer say 502 for each request that the handler took,
// and sends it again.
func Gateway(c Choice) replay.Scenario {
	return c.broken(NameGateway, replay.Fault{Kind: replay.Gateway})
}

// KilledHalfway kills the handler in the midst of each request, and sends it again.
func KilledHalfway(c Choice) replay.Scenario {
	return c.broken(NameKilled, replay.Fault{Kind: replay.Kill, Share: 50})
}

func (c Choice) broken(name string, fault replay.Fault) replay.Scenario {
	sends := make([]replay.Send, 0, 2*len(c.Requests))
	for _, r := range c.Requests {
		sends = append(sends, c.first(r, fault), c.again(r, 2))
	}
	return scenario(name, sends...)
}

// Sweep sends the first request to see how long the handler takes, and then
// kills it Size times, each time a little later in its work. The requests take
// turns at being killed, since a handler that knows one already has less to do.
func Sweep(c Choice) replay.Scenario {
	if len(c.Requests) == 0 {
		return scenario(NameSweep)
	}
	n := min(max(c.Size, 1), replay.MaxAtOnce)
	sends := []replay.Send{c.first(c.Requests[0])}
	rest := c.Requests[min(1, len(c.Requests)-1):]
	for k := range n {
		r := rest[k%len(rest)]
		again := c.again(r, 2)
		again.Retry = false // the same request may have been taken before
		sends = append(sends, c.first(r, replay.Fault{Kind: replay.Kill, Share: max(100*(k+1)/n, 1)}), again)
	}
	return scenario(NameSweep, sends...)
}

// CancelFirst sends, of the events of each object, the last one before the
// first, by what the provider guards their order with; the others follow in order.
func CancelFirst(c Choice) (replay.Scenario, Note) {
	var order []string
	groups := map[string][]told{}
	for i, t := range c.tell() {
		name := t.event.Object
		if name == "" {
			name = "\x00" + strconv.Itoa(i) // of no object that anybody knows: on its own
		}
		if groups[name] == nil {
			order = append(order, name)
		}
		groups[name] = append(groups[name], t)
	}
	note := NoteAlone
	var sends []replay.Send
	for _, name := range order {
		all := groups[name]
		if len(all) > 1 {
			if note == NoteAlone {
				note = NoteNone
			}
			if !guarded(all) {
				note = NoteArrival
			}
			slices.SortStableFunc(all, func(a, b told) int { return byGuard(a.event, b.event) })
			last := len(all) - 1
			all = append([]told{all[last]}, all[:last]...)
		}
		for _, t := range all {
			sends = append(sends, c.send(t))
		}
	}
	return scenario(NameCancel, sends...), note
}
