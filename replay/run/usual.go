package run

import (
	"slices"
	"time"

	"anyhook.net/desktop/replay"
)

// mostKept is how many times are kept, the newest.
const mostKept = 1000

// A usual knows how long the handler takes: from the whole request to the
// first byte of the answer.
type usual struct {
	took []time.Duration
	next int // where the next one goes when it is full
}

// add takes an attempt into account that was answered.
func (u *usual) add(a replay.Attempt) {
	if a.Outcome.Status == 0 {
		return
	}
	took := a.Took
	if t := a.Outcome.Timing; t.FirstByte > 0 {
		took = t.FirstByte - t.Written
	}
	if len(u.took) < mostKept {
		u.took = append(u.took, took)
		return
	}
	u.took[u.next] = took
	u.next = (u.next + 1) % mostKept
}

// median is false if no attempt was answered.
func (u *usual) median() (time.Duration, bool) {
	if len(u.took) == 0 {
		return 0, false
	}
	return slices.Sorted(slices.Values(u.took))[len(u.took)/2], true
}
