// Package plan makes scenarios out of requests. It is pure: it sends nothing,
// and the same input gives the same scenario.
package plan

import (
	"slices"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// The names of the scenarios. The words are stored, and keys of translations.
const (
	NameOnce     = "once"
	NameTwice    = "twice"
	NameAtOnce   = "at-once"
	NameReversed = "reversed"
	NameOrdered  = "ordered"

	NameLateRetry  = "late-retry"
	NameLoseAnswer = "lose-answer"
	NameShuffled   = "shuffle"
	NameCancel     = "cancel-first"
	NameGateway    = "gateway"
	NameKilled     = "killed"
	NameSweep      = "sweep"

	NameSplit   = "split"
	NameMerge   = "merge"
	NameMix     = "mix"
	NameResize  = "resize"
	NamePartial = "partial"
)

// Once sends each request once, in the order of ids, and each after the answer to the one before.
func Once(ids []capture.ID, signing replay.Signing) replay.Scenario {
	return inTurn(NameOnce, ids, signing)
}

// Ordered is Once in an order that a person chose.
func Ordered(ids []capture.ID, signing replay.Signing) replay.Scenario {
	return inTurn(NameOrdered, ids, signing)
}

// Reversed is Once with the last first.
func Reversed(ids []capture.ID, signing replay.Signing) replay.Scenario {
	ids = slices.Clone(ids)
	slices.Reverse(ids)
	return inTurn(NameReversed, ids, signing)
}

// Twice sends each request, and after the answer sends it again, before the next one.
func Twice(ids []capture.ID, signing replay.Signing) replay.Scenario {
	doubled := make([]capture.ID, 0, 2*len(ids))
	for _, id := range ids {
		doubled = append(doubled, id, id)
	}
	return inTurn(NameTwice, doubled, signing)
}

// AtOnce sends n copies of each request at the same moment, one request after
// the other. n is held between 1 and [replay.MaxAtOnce].
func AtOnce(ids []capture.ID, n int, signing replay.Signing) replay.Scenario {
	n = min(max(n, 1), replay.MaxAtOnce)
	s := replay.Scenario{Name: NameAtOnce, Waves: make([]replay.Wave, 0, len(ids))}
	for _, id := range ids {
		s.Waves = append(s.Waves, slices.Repeat(replay.Wave{{Request: id, Signing: signing}}, n))
	}
	return s
}

func inTurn(name string, ids []capture.ID, signing replay.Signing) replay.Scenario {
	sends := make([]replay.Send, len(ids)) // one allocation for all waves: there may be many
	s := replay.Scenario{Name: name, Waves: make([]replay.Wave, len(ids))}
	for i, id := range ids {
		sends[i] = replay.Send{Request: id, Signing: signing}
		s.Waves[i] = sends[i : i+1 : i+1]
	}
	return s
}
