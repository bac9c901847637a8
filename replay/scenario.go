package replay

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"anyhook.net/desktop/capture"
)

// A Scenario says what to send, in waves: the sends of one wave go out
// together, and a wave starts when the one before has been answered.
// "Twice" is two waves of one; "twice at once" is one wave of two. The names
// of its fields are stored.
type Scenario struct {
	Name  string   `json:"name"`
	Seed  uint64   `json:"seed,omitzero"`  // of its random waits, and of whatever chose its order; 0 if nothing is random
	Speed float64  `json:"speed,omitzero"` // how many times faster than the clock its waits pass; 0 means 1
	Waves []Wave   `json:"waves"`
	Hold  []Expect `json:"hold,omitzero"` // what has to hold when all is sent; none: only the answers count
}

// Sends counts the deliveries that s makes at most; see Send.Retry.
func (s Scenario) Sends() int {
	n := 0
	for _, w := range s.Waves {
		n += len(w)
	}
	return n
}

// Kills reports whether s kills the handler.
func (s Scenario) Kills() bool {
	for _, w := range s.Waves {
		for _, send := range w {
			if FaultOf(send.Faults, Kill) != nil {
				return true
			}
		}
	}
	return false
}

// A Wave is a set of sends that are released at the same moment, or each its
// Wait after it.
type Wave []Send

// A Send is one delivery to make. The names of its fields are stored.
type Send struct {
	Request capture.ID `json:"request"`
	Items   []Item     `json:"items,omitzero"` // the events it carries, in place of those of Request; nil for the body as it is
	Signing Signing    `json:"signing,omitzero"`
	Wait    Wait       `json:"wait,omitzero"`   // from the answers to the wave before until it goes out
	Faults  []Fault    `json:"faults,omitzero"` // at most one of a kind
	Try     int        `json:"try,omitzero"`    // the provider's own attempt number to put in, from 1; 0 leaves what came
	Retry   bool       `json:"retry,omitzero"`  // as a provider does: made only if no send of Request before it was acknowledged
}

// An Item is a part of a batch: events that a captured request tells of.
type Item struct {
	Request capture.ID `json:"request"`
	N       int        `json:"n,omitzero"` // the N-th of its events, from 1; 0 is all of them
}

// A Wait is a pause: Min, or, if Max is greater, a random one between them.
type Wait struct {
	Min time.Duration `json:"min,omitzero"`
	Max time.Duration `json:"max,omitzero"`
}

// At returns the pause of the send at a place of a scenario with that seed: the
// same everywhere and always.
func (w Wait) At(seed uint64, p Place) time.Duration {
	if w.Max <= w.Min {
		return w.Min
	}
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, [2]int64{int64(p.Wave), int64(p.Send)})
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	return w.Min + time.Duration(r.Int64N(int64(w.Max-w.Min)+1))
}

// A Place is that of a send in a scenario: the wave, and the send in it, both from 1.
type Place struct{ Wave, Send int }

// An Expect is what has to hold after a scenario: a look at the handler by GET.
type Expect struct {
	URL  string `json:"url"`           // "http://localhost:3000/state"
	JQ   string `json:"jq,omitzero"`   // a jq expression over the JSON that comes, which must be neither false nor null; "" for none
	Text string `json:"text,omitzero"` // what the body has to contain; "" for nothing
}
