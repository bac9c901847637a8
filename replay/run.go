package replay

import "time"

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
}

// Stopped is the Err of a Run that a person stopped.
const Stopped = "stopped"

// A Practised is what the practice handler did with the events of a run, as it
// was when the run ended.
type Practised struct {
	Charged int // events that it charged
	Twice   int // of these, charged once more than they may be, by this run
}
