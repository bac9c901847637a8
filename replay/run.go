package replay

import (
	"slices"
	"time"
)

// A RunID names a Run.
type RunID string

// A Run is a Scenario carried out, or on its way.
type Run struct {
	ID       RunID
	Scenario Scenario
	Target   string // "" means each request's own endpoint's
	Start    time.Time
	End      time.Time       // zero while it runs
	Sent     int             // attempts that ended, those blocked aside
	OK       int             // of those, answered as they should be; see Attempt.Judge
	Failed   int             // of those, not
	Faulted  int             // of those, broken on purpose so that there was no answer; Sent == OK + Failed + Faulted
	Skipped  int             // sends that were not made: stopped, blocked, or no target
	Spared   int             // retries that were not needed; Sends() == Sent + Skipped + Spared at the end
	Err      string          // why it stopped before its end; "" if it did not
	Note     string          // why sends were skipped, for people; "" if none was
	Done     int             // waves carried out: what is left of the scenario starts there
	Spread   []time.Duration // for each wave of several sends: from the first release to the last
	Practice *Practised      // what the practice handler made of it; nil if nothing was sent there
	Held     []Held          // what came of each of Scenario.Hold, in its order; nil if nobody looked
}

// The Err of a Run that ended before its end. The words are stored.
const (
	Stopped = "stopped"                          // by a person
	Ended   = "AnyHook ended before the run did" // and the sends under way are lost
)

// Count adds an attempt that ended to the sums. It reports false for one that
// was never sent: it could not begin, or AnyHook held it back.
func (r *Run) Count(a Attempt) bool {
	if a.Outcome.Status == 0 && (a.Outcome.Failure == "" || a.Outcome.Failure == Blocked) {
		return false
	}
	r.Sent++
	switch a.Judge() {
	case Right:
		r.OK++
	case Wrong:
		r.Failed++
	case Broken:
		r.Faulted++
	}
	return true
}

// Holds reports whether all held that had to.
func (r *Run) Holds() bool {
	return len(r.Held) == len(r.Scenario.Hold) && !slices.ContainsFunc(r.Held, func(h Held) bool { return h.Why != "" })
}

// A Held is what a look at the handler, an Expect, came to. The names of its
// fields are stored.
type Held struct {
	Got string `json:"got,omitzero"` // what was there, shortened: what JQ made of it, or the body
	Why string `json:"why,omitzero"` // why it does not hold, in English; "" if it does
}

// A Practised is what the practice handler did with the events of a run, as it
// was when the run ended.
type Practised struct {
	Charged int // events that it charged
	Twice   int // of these, charged once more than they may be, by this run
}
