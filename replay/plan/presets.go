package plan

import (
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A Request is what a plan has to know of one.
type Request struct {
	ID       capture.ID
	Endpoint string
	Provider *capture.Provider // nil for an unknown sender
	Events   []capture.Event
	Signs    bool // it can be signed anew: as the provider does, with a key that is there
}

// A Choice is what a scenario is made of.
type Choice struct {
	Requests []Request // oldest first
	Signing  replay.Signing
	Copies   int    // of at-once: 2 to [replay.MaxAtOnce]
	Size     int    // of a batch, 1 to [MostParts]; of a sweep, how many kills
	Seed     uint64 // of what is random
}

// A Note is what has to be said of a scenario that was made. The words are keys
// of translations.
type Note string

// The notes.
const (
	NoteNone    Note = ""
	NoteArrival Note = "arrival" // nothing guards the order of the events: that of their arrival was taken
	NoteAlone   Note = "alone"   // no object has two events: nothing could be turned round
	NoteAssumed Note = "assumed" // the provider does not publish its pauses: they are made up
	NoteNever   Note = "never"   // the provider never sends again
	NoteWhole   Note = "whole"   // some requests are no batch that can be taken apart: they are sent as they are
)

// Needs is what a preset cannot be without.
type Needs struct {
	Requests int  // how many at least
	Command  bool // a handler that AnyHook starts, so that it can be killed
	Events   bool // the events of the requests: those that lists show do not do
	Batch    bool // a provider that sends several events in one request
}

// A Preset makes a scenario of a selection with one click.
type Preset struct {
	Name  string // stored, and a key of translations
	Needs Needs
	Make  func(Choice) (replay.Scenario, Note)
}

// Presets are all of them, in the order in which they are offered.
var Presets = []Preset{
	{NameTwice, Needs{Requests: 1}, func(c Choice) (replay.Scenario, Note) { return Twice(c.ids(), c.Signing), NoteNone }},
	{NameAtOnce, Needs{Requests: 1}, func(c Choice) (replay.Scenario, Note) { return AtOnce(c.ids(), max(c.Copies, 2), c.Signing), NoteNone }},
	{NameReversed, Needs{Requests: 2}, func(c Choice) (replay.Scenario, Note) { return Reversed(c.ids(), c.Signing), NoteNone }},
	{NameShuffled, Needs{Requests: 2}, func(c Choice) (replay.Scenario, Note) { return Shuffled(c), NoteNone }},
	{NameLateRetry, Needs{Requests: 2}, func(c Choice) (replay.Scenario, Note) { return LateRetry(c), NoteNone }},
	{NameLoseAnswer, Needs{Requests: 1}, func(c Choice) (replay.Scenario, Note) { return LoseAnswer(c), NoteNone }},
	{NameGateway, Needs{Requests: 1}, func(c Choice) (replay.Scenario, Note) { return Gateway(c), NoteNone }},
	{NameCancel, Needs{Requests: 1, Events: true}, CancelFirst},
	{NameKilled, Needs{Requests: 1, Command: true}, func(c Choice) (replay.Scenario, Note) { return KilledHalfway(c), NoteNone }},
	{NameSweep, Needs{Requests: 1, Command: true}, func(c Choice) (replay.Scenario, Note) { return Sweep(c), NoteNone }},
	{NameSplit, Needs{Requests: 1, Events: true, Batch: true}, Split},
	{NameMerge, Needs{Requests: 2, Events: true, Batch: true}, Merge},
	{NameMix, Needs{Requests: 1, Events: true, Batch: true}, Mix},
	{NameResize, Needs{Requests: 1, Events: true, Batch: true}, Resize},
	{NamePartial, Needs{Requests: 1, Events: true, Batch: true}, Partial},
}

// PresetOf returns the preset of a name.
func PresetOf(name string) (Preset, bool) {
	for _, p := range Presets {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}

func (c Choice) ids() []capture.ID {
	ids := make([]capture.ID, len(c.Requests))
	for i, r := range c.Requests {
		ids[i] = r.ID
	}
	return ids
}

// first is the send of a request as it came.
func (c Choice) first(r Request, faults ...replay.Fault) replay.Send {
	return replay.Send{Request: r.ID, Signing: c.Signing, Faults: faults}
}

// again is how the provider sends r for the n-th time, from 2: with its own
// attempt number, and signed anew where that is possible.
func (c Choice) again(r Request, n int) replay.Send {
	s := replay.Send{Request: r.ID, Signing: c.anew(r), Retry: true}
	if r.Signs && r.Provider != nil && r.Provider.Mark != nil {
		s.Try = tryOf(r) + n - 1
	}
	return s
}

// anew is the signature of what is not sent byte for byte as it came.
func (c Choice) anew(r Request) replay.Signing {
	if c.Signing == replay.AsReceived && r.Signs {
		return replay.Fresh
	}
	return c.Signing
}

// tryOf is the provider's number of the attempt that r is.
func tryOf(r Request) int {
	for _, e := range r.Events {
		if e.Try > 0 {
			return e.Try
		}
	}
	return 1
}

// scenario has each send in a wave of its own.
func scenario(name string, sends ...replay.Send) replay.Scenario {
	s := replay.Scenario{Name: name, Waves: make([]replay.Wave, len(sends))}
	for i := range sends {
		s.Waves[i] = sends[i : i+1 : i+1]
	}
	return s
}
