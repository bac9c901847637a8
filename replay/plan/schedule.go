package plan

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// NameSchedule is the name of the scenarios that [Schedule] makes.
const NameSchedule = "schedule"

const (
	scheduleWithin  = 30 * time.Second
	scheduleLost    = 3  // tries that a provider does not hear of, where nobody says how many
	assumedTimes    = 8  // retries, where they are not published
	mostTries       = 64 // of one schedule: PayPal and its like do not need more to be understood
	assumedDuration = 24 * time.Hour
)

// A Timetable is how a provider sends again what was not acknowledged.
type Timetable struct {
	Pauses  []time.Duration // before each retry, in real time
	Assumed bool            // some are made up: the provider does not publish them
}

// TimetableOf returns the retries of a provider. Where its pauses are not
// published each is twice the one before, and a little off by the seed, as most
// providers do; they fill the time for which it is known to go on. It is empty
// for one that never sends again.
func TimetableOf(r capture.Retry, seed uint64) Timetable {
	if r.Never {
		return Timetable{}
	}
	times := cmp.Or(r.Times, max(len(r.After), assumedTimes))
	if r.Times == 0 && len(r.After) > 0 {
		times = len(r.After) // it goes on after these, and does not say how
	}
	t := Timetable{Pauses: slices.Clone(r.After[:min(len(r.After), times)])}
	missing := min(times, mostTries) - len(t.Pauses)
	if missing <= 0 {
		return t
	}
	t.Assumed = true
	left := cmp.Or(r.Within, assumedDuration)
	for _, p := range t.Pauses {
		left -= p
	}
	doubled := 9 // times: no pause is longer than that, be there ever so many
	if len(t.Pauses) > 0 {
		doubled = 0 // they have grown already
	}
	t.Pauses = append(t.Pauses, pauses(missing, max(left, time.Duration(missing)*time.Second), doubled, source(seed))...)
	return t
}

// pauses returns n of them that come to total, each about twice the one before
// until it was doubled so many times.
func pauses(n int, total time.Duration, doubled int, random *rand.Rand) []time.Duration {
	weights := make([]float64, n)
	sum := 0.0
	for i := range weights {
		weights[i] = float64(uint64(1)<<min(i, doubled)) * (0.8 + 0.4*random.Float64())
		sum += weights[i]
	}
	out := make([]time.Duration, n)
	for i, w := range weights {
		out[i] = min(time.Duration(w/sum*float64(total)).Round(time.Millisecond), replay.MaxWait)
	}
	return out
}

// Options are those of a schedule.
type Options struct {
	Within   time.Duration // how long the whole takes when it is played; 0 means 30 s
	Lost     int           // how many tries the provider does not hear of, the first included; 0 means 3
	All      bool          // it hears of none but the last: the whole timetable is played
	Deadline bool          // it hangs up at its deadline, in real time, in place of losing the answer
}

// Schedule plays how the provider sends a request again and again, with other
// requests, newer ones, in between, so that its third retry comes after them.
// The first of c is what is sent again, the others are spread before that
// retry. The pauses are those of the provider, and pass faster; every try is
// signed as of the moment it is really sent.
func Schedule(c Choice, o Options) (replay.Scenario, Note) {
	s := replay.Scenario{Name: NameSchedule, Seed: c.Seed, Speed: 1}
	if len(c.Requests) == 0 {
		return s, NoteNone
	}
	r, retry := c.Requests[0], capture.Retry{}
	if r.Provider != nil {
		retry = r.Provider.Retry
	}
	if retry.Never {
		return s, NoteNever
	}
	table := TimetableOf(retry, c.Seed)
	tries, total := c.tries(r, table, o)
	for _, t := range c.between(tries) {
		send := t.send
		send.Wait.Min = t.after
		s.Waves = append(s.Waves, replay.Wave{send})
	}
	if within := cmp.Or(o.Within, scheduleWithin); total > within {
		s.Speed = min(float64(total)/float64(within), replay.MaxSpeed)
	}
	if table.Assumed {
		return s, NoteAssumed
	}
	return s, NoteNone
}

// A timed is a send, and when: at since the first one, after since the one before.
type timed struct {
	send      replay.Send
	at, after time.Duration
}

// tries are the first delivery of r and its retries, and how long they take.
func (c Choice) tries(r Request, table Timetable, o Options) (tries []timed, at time.Duration) {
	lost := cmp.Or(o.Lost, scheduleLost)
	if o.All {
		lost = len(table.Pauses)
	}
	fault := replay.Fault{Kind: replay.LostAnswer}
	if r.Provider != nil && o.Deadline && r.Provider.Deadline > 0 {
		fault = replay.Fault{Kind: replay.HangUp, After: r.Provider.Deadline}
	}
	for n := range len(table.Pauses) + 1 {
		send := c.first(r)
		if n > 0 {
			at += table.Pauses[n-1]
			send = c.again(r, n+1)
		}
		if n < lost {
			send.Faults = []replay.Fault{fault}
		}
		tries = append(tries, timed{send: send, at: at})
	}
	return tries, at
}

// between spreads the requests behind the first evenly over the tries before
// the third retry, or the last if there are fewer.
func (c Choice) between(tries []timed) []timed {
	live := c.Requests[1:]
	until := tries[min(3, len(tries)-1)].at
	all := slices.Clone(tries)
	for i, r := range live {
		all = append(all, timed{send: c.first(r), at: until * time.Duration(i+1) / time.Duration(len(live)+1)})
	}
	slices.SortStableFunc(all, func(a, b timed) int { return cmp.Compare(a.at, b.at) })
	for i := range all[1:] {
		all[i+1].after = all[i+1].at - all[i].at
	}
	return all
}
