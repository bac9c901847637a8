package view

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A Way is how selected requests are sent again.
type Way string

// The ways.
const (
	AsReceived Way = "replay"  // once each, in arrival order, the bytes that came
	Resigned   Way = "resign"  // once each, re-signed now
	Twice      Way = "twice"   // each two times, one after the other
	AtOnce     Way = "at-once" // each N times at the same moment
	Reversed   Way = "reverse" // once each, the newest first
	Ordered    Way = "reorder" // once each, in the order given
	OfRange    Way = "range"   // once each, in arrival order: a time range
	OfFailed   Way = "failed"  // once each, in arrival order: all that failed
	chunk          = 500       // summaries read at once
	maxPlanned     = 100_000   // requests in one plan
)

// MostAtOnce is how many copies of one request can go out at the same moment.
const MostAtOnce = replay.MaxAtOnce

// A Plan is what a click would send, told before it is sent.
type Plan struct {
	Way      Way
	Title    string // "Twice: invoice.paid"
	Scenario replay.Scenario
	Notes    []Notice // predictions, and what is left out
	Away     int      // how many sends go to another machine: these are confirmed first
}

// A Planner makes plans.
type Planner struct {
	Desk    Desk
	Clock   Clock
	Signing replay.Signing // of every send; Resigned means Fresh by itself
}

// Plan plans to send the requests again. n is of AtOnce: copies of each, 2 to
// replay.MaxAtOnce. What cannot be replayed is left out, with a note.
func (p Planner) Plan(ctx context.Context, way Way, seqs []capture.Seq, n int) (Plan, error) {
	if way != Ordered {
		seqs = slices.Sorted(slices.Values(seqs))
	}
	if way == Reversed {
		slices.Reverse(seqs)
	}
	sums, err := p.summaries(ctx, seqs)
	if err != nil {
		return Plan{}, err
	}
	endpoints, err := p.Desk.Endpoints(ctx)
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{Way: way}
	signing := p.Signing
	if way == Resigned {
		signing = replay.Fresh
	}
	kept := slices.DeleteFunc(slices.Clone(sums), func(s capture.Summary) bool { return !Replayable(s) })
	if left := len(sums) - len(kept); left > 0 {
		plan.note(Warn, text.N("plan.left", int64(left)))
	}
	plan.Scenario.Waves = waves(way, kept, signing, n)
	plan.predict(p, kept, endpoints, signing)
	plan.Title = planTitle(way, kept, n)
	if way != Resigned && signing != replay.AsReceived {
		plan.Title += " · " + SigningWord(signing)
	}
	plan.Scenario.Name = plan.Title
	return plan, nil
}

func (p *Plan) note(t Tone, s string, commands ...string) {
	p.Notes = append(p.Notes, Notice{Mark: Mark{Tone: t, Text: s}, Commands: commands})
}

// Replayable reports whether a request can be sent again: it came whole, and is an ordinary webhook.
func Replayable(s capture.Summary) bool { return s.Kind.Replayable() }

// waves lays the sends out.
func waves(way Way, sums []capture.Summary, signing replay.Signing, n int) []replay.Wave {
	var out []replay.Wave
	for _, s := range sums {
		send := replay.Send{Request: s.ID, Signing: signing}
		switch way {
		case Twice:
			out = append(out, replay.Wave{send}, replay.Wave{send})
		case AtOnce:
			out = append(out, slices.Repeat(replay.Wave{send}, min(max(n, 2), replay.MaxAtOnce)))
		default:
			out = append(out, replay.Wave{send})
		}
	}
	return out
}

// canSign reports whether requests can be re-signed: with a secret of the
// endpoint, or, as a sample that is good without one, with that of samples.
func canSign(p capture.Provider, ep capture.Endpoint, s capture.Status) bool {
	return p.Sign != nil && (len(ep.Secrets) > 0 || s.Good())
}

// predict says what will probably happen: signatures too old, targets that are missing or away.
func (p *Plan) predict(pl Planner, sums []capture.Summary, endpoints []capture.Endpoint, signing replay.Signing) {
	old, noTarget, noSecret := 0, 0, 0
	worst := ""
	for _, s := range sums {
		ep := endpointOf(endpoints, s.Endpoint)
		provider := providerOf(pl.Desk, firstOf(s.Provider, ep.Provider))
		switch {
		case ep.Target == "":
			noTarget++
		case !local(ep.Target):
			p.Away += sendsOf(p.Scenario, s.ID)
		}
		if signing != replay.AsReceived && !canSign(provider, ep, s.Signature) {
			noSecret++
		}
		signed := s.Signature == capture.Valid || s.Signature == capture.Stale || s.Signature == capture.Unchecked
		if signing == replay.AsReceived && signed {
			if w := stale(provider, s.At, pl.Clock.Now()); w != "" {
				old++
				worst = firstOf(worst, w)
			}
		}
	}
	if old > 0 {
		p.note(Warn, worst, "resign")
	}
	if noTarget > 0 {
		p.note(Bad, text.N("plan.notarget", int64(noTarget)), "endpoints")
	}
	if noSecret > 0 {
		p.note(Bad, text.N("plan.nosecret", int64(noSecret)), "endpoints")
	}
	if p.Away > 0 {
		p.note(Warn, text.N("plan.away", int64(p.Away)))
	}
}

func sendsOf(s replay.Scenario, id capture.ID) int {
	n := 0
	for _, w := range s.Waves {
		for _, send := range w {
			if send.Request == id {
				n++
			}
		}
	}
	return n
}

func planTitle(way Way, sums []capture.Summary, n int) string {
	name := strings.TrimSuffix(text.T("cmd."+string(way)), "…") // which is of commands that ask first
	if way == AtOnce {
		name = text.T("plan.at-once", text.Number(int64(n)))
	}
	if len(sums) == 1 {
		return text.T("plan.title.one", name, what(sums[0]))
	}
	return text.N("plan.title", int64(len(sums)), name)
}

func (p Planner) summaries(ctx context.Context, seqs []capture.Seq) ([]capture.Summary, error) {
	if len(seqs) > maxPlanned {
		return nil, fmt.Errorf("%s", text.N("plan.toomany", maxPlanned))
	}
	out := make([]capture.Summary, 0, len(seqs))
	for part := range slices.Chunk(seqs, chunk) {
		sums, err := p.Desk.Summaries(ctx, part)
		if err != nil {
			return nil, err
		}
		out = append(out, sums...)
	}
	return out, nil
}

func endpointOf(all []capture.Endpoint, name string) capture.Endpoint {
	for _, e := range all {
		if e.Name == name {
			return e
		}
	}
	return capture.Endpoint{}
}

// Lines returns what a list for reordering says of the requests, in the order given.
func (p Planner) Lines(ctx context.Context, seqs []capture.Seq) ([]Row, error) {
	sums, err := p.summaries(ctx, seqs)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, 0, len(sums))
	for _, s := range sums {
		if Replayable(s) {
			rows = append(rows, NewRow(s, replay.Standing{Seq: s.Seq}, p.Clock, func(n string) string { return Title(p.Desk, n) }))
		}
	}
	return rows, nil
}

// Failed returns the requests whose last attempt failed, oldest first.
func (p Planner) Failed(ctx context.Context) ([]capture.Seq, error) {
	last, err := p.Desk.Last(ctx)
	if err != nil || last == 0 {
		return nil, err
	}
	return p.Desk.Match(ctx, capture.Filter{Kinds: capture.Replayable, Outcome: []capture.Outcome{capture.OutcomeFailed}}, 1, last)
}

// A Range is a span of arrival times: Since included, Until not.
type Range struct {
	Since, Until time.Time
}

// A Preview is what a range holds.
type Preview struct {
	Range Range
	Seqs  []capture.Seq // oldest first, those of one moment in arrival order
	Count string        // "250 requests", or that there are none
	Edges []string      // both, in local time and in UTC
}

// Preview counts what arrived in a range and can be sent again.
func (p Planner) Preview(ctx context.Context, r Range) (Preview, error) {
	out := Preview{Range: r, Edges: []string{
		text.T("range.since", p.Clock.Both(r.Since)), text.T("range.until", p.Clock.Both(r.Until)),
	}}
	last, err := p.Desk.Last(ctx)
	if err != nil {
		return out, err
	}
	if last > 0 {
		f := capture.Filter{Kinds: capture.Replayable, Since: r.Since, Until: r.Until}
		if out.Seqs, err = p.Desk.Match(ctx, f, 1, last); err != nil {
			return out, err
		}
	}
	out.Count = text.N("range.count", int64(len(out.Seqs)))
	if len(out.Seqs) == 0 {
		out.Count = text.T("range.none")
	}
	return out, nil
}

// SigningWord names a way of signing.
func SigningWord(s replay.Signing) string { return text.T("signing." + firstOf(string(s), "received")) }
