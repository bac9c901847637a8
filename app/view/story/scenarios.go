package story

import (
	"context"
	"errors"
	"slices"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// Scenarios implements view.Desk.
func (d *Desk) Scenarios(context.Context) ([]replay.Scenario, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.scenarios), nil
}

// SaveScenario implements view.Desk.
func (d *Desk) SaveScenario(_ context.Context, old string, s replay.Scenario) error {
	if err := s.Check(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	named := func(name string) bool {
		return slices.ContainsFunc(d.scenarios, func(o replay.Scenario) bool { return o.Name == name })
	}
	switch {
	case old != s.Name && named(s.Name):
		return errors.New("there is a scenario of that name already")
	case old != "" && !named(old):
		return ErrNotFound
	}
	d.scenarios = slices.DeleteFunc(d.scenarios, func(o replay.Scenario) bool { return o.Name == old })
	d.scenarios = slices.Insert(d.scenarios, 0, s)
	d.ring()
	return nil
}

// DeleteScenario implements view.Desk.
func (d *Desk) DeleteScenario(_ context.Context, name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.scenarios = slices.DeleteFunc(d.scenarios, func(o replay.Scenario) bool { return o.Name == name })
	d.ring()
	return nil
}

// PastRuns implements view.Desk.
func (d *Desk) PastRuns(_ context.Context, limit int) ([]replay.Run, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.runs[:min(max(limit, 0), len(d.runs))]), nil
}

// RunAttempts implements view.Desk.
func (d *Desk) RunAttempts(_ context.Context, id replay.RunID) ([]replay.Attempt, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.made[id]), nil
}

// play adds what was played with the last requests of the day: two scenarios,
// and two runs of the first, before and after its handler was mended.
func (d *Desk) play(t time.Time) {
	n := len(d.requests)
	paid, slack, intent := d.requests[n-4].ID, d.requests[n-2].ID, d.requests[n-1].ID
	retry := replay.Scenario{
		Name: "The retry overtakes the answer", Seed: 20261201, Speed: 60,
		Waves: []replay.Wave{
			{{Request: paid, Signing: replay.Fresh, Faults: []replay.Fault{{Kind: replay.HangUp, After: 200 * time.Millisecond}}}},
			{
				{Request: paid, Signing: replay.Fresh, Try: 2, Retry: true},
				{Request: intent, Wait: replay.Wait{Min: 2 * time.Second, Max: 5 * time.Second}},
			},
			{{Request: intent, Faults: []replay.Fault{{Kind: replay.LostAnswer}}}},
			{{Request: intent, Wait: replay.Wait{Min: time.Minute}, Retry: true}},
			{{Request: slack, Signing: replay.WrongSecret}},
		},
		Hold: []replay.Expect{{URL: "http://localhost:3000/state", JQ: ".invoices[\"in_1QkAvYB7kZ2m\"].paid == 1"}},
	}
	d.scenarios = []replay.Scenario{retry, {Name: "Killed half-way", Waves: []replay.Wave{
		{{Request: paid, Faults: []replay.Fault{{Kind: replay.Kill, Share: 50}}}},
		{{Request: paid, Wait: replay.Wait{Min: time.Second}, Retry: true}},
	}}}
	bad := t.Add(-50 * time.Minute)
	good := t.Add(-20 * time.Minute)
	d.made = map[replay.RunID][]replay.Attempt{
		"run_day_1": played(retry, "run_day_1", bad, []came{
			{after: 0, took: 201 * time.Millisecond, failure: replay.HungUp},
			{after: 202 * time.Millisecond, took: 640 * time.Millisecond, status: 500},
			{after: 255 * time.Millisecond, took: 38 * time.Millisecond, status: 200},
			{after: 843 * time.Millisecond, took: 35 * time.Millisecond, status: 200},
			{after: 1878 * time.Millisecond, took: 31 * time.Second, failure: replay.Lost},
		}),
		"run_day_2": played(retry, "run_day_2", good, []came{
			{after: 0, took: 201 * time.Millisecond, failure: replay.HungUp},
			{after: 203 * time.Millisecond, took: 44 * time.Millisecond, status: 200},
			{after: 256 * time.Millisecond, took: 36 * time.Millisecond, status: 200},
			{after: 293 * time.Millisecond, took: 39 * time.Millisecond, status: 200},
			{after: 1332 * time.Millisecond, took: 33 * time.Millisecond, status: 200},
			{after: 1366 * time.Millisecond, took: 9 * time.Millisecond, status: 401},
		}),
	}
	d.runs = []replay.Run{
		{
			ID: "run_day_2", Scenario: retry, Target: target, Start: good, End: good.Add(1400 * time.Millisecond), Done: 5,
			Sent: 6, OK: 5, Faulted: 1, Spread: []time.Duration{53 * time.Millisecond}, Held: []replay.Held{{Got: "true"}},
		},
		{
			ID: "run_day_1", Scenario: retry, Target: target, Start: bad, End: bad.Add(33 * time.Second), Done: 3, Err: replay.Ended,
			Sent: 5, OK: 2, Failed: 2, Faulted: 1, Skipped: 1, Spread: []time.Duration{53 * time.Millisecond},
		},
	}
}

// A came is what came of one send, in the order of the scenario.
type came struct {
	after, took time.Duration
	status      int
	failure     replay.Failure
}

func played(s replay.Scenario, id replay.RunID, start time.Time, all []came) (out []replay.Attempt) {
	n := map[capture.ID]int{}
	for w, wave := range s.Waves {
		for k, send := range wave {
			i := len(out)
			if i == len(all) {
				return out
			}
			n[send.Request]++
			a := answered(start.Add(all[i].after), all[i].status, `{"received":true}`)
			if all[i].status == 0 {
				a.Outcome = replay.Outcome{Failure: all[i].failure, Phase: replay.Waiting}
			}
			a.ID, a.N, a.Request, a.Run, a.Replay, a.Place = int64(i+1), n[send.Request], send.Request, id, true, replay.Place{Wave: w + 1, Send: k + 1}
			a.Signing, a.Faults, a.Try, a.Took = send.Signing, send.Faults, send.Try, all[i].took
			out = append(out, a)
		}
	}
	return out
}
