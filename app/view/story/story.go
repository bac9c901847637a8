// Package story has a Desk with a made-up day of work in memory: what the
// storybook draws and what tests of the window click on. It behaves like a real
// one, with a handler that answers 200; nothing is sent anywhere.
package story

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/doctor"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/replay"
)

// ErrNotFound says that there is no such request.
var ErrNotFound = errors.New("no such request")

// A Desk is a view.Desk in memory.
type Desk struct {
	Now       func() time.Time
	Hold      func(context.Context)              // called before each send; nil for no wait
	Answer    func(replay.Send) replay.Outcome   // of the handler; nil for 200
	Ports     []int                              // open ones of this machine
	Practised *replay.Practised                  // what the practice handler makes of every run; nil for none
	Unreached error                              // of TestURL
	Finding   doctor.Finding                     // of Examine; zero for a body that was written anew
	Dial      func(target string) (listens bool) // nil for nobody

	mu        sync.Mutex
	requests  []*capture.Request
	standings []replay.Standing
	attempts  map[capture.ID][]replay.Attempt
	endpoints []capture.Endpoint
	status    view.Status
	bell      chan struct{}
	calls     map[string]int
	sent      []replay.Scenario
	settings  map[string]string
	recipes   []provider.Recipe
	scenarios []replay.Scenario
	runs      []replay.Run                      // newest first
	made      map[replay.RunID][]replay.Attempt // of runs
}

// New returns an empty desk.
func New(now func() time.Time) *Desk {
	return &Desk{
		Now: now, attempts: map[capture.ID][]replay.Attempt{}, bell: make(chan struct{}), calls: map[string]int{}, settings: map[string]string{},
		endpoints: []capture.Endpoint{{Name: "default", Path: "/"}},
		status:    view.Status{LocalURL: "http://127.0.0.1:4080", DataDir: "/home/ada/.config/anyhook", TokenIn: "keychain", MaxBody: 32 << 20, Choice: view.TunnelChoice{Kind: "none"}},
	}
}

// Set changes the status and rings.
func (d *Desk) Set(change func(*view.Status)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.status)
	d.ring()
}

func (d *Desk) ring() {
	close(d.bell)
	d.bell = make(chan struct{})
}

// Add appends a request with its standing and attempts, and rings.
func (d *Desk) Add(r *capture.Request, st replay.Standing, attempts ...replay.Attempt) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r.Seq = capture.Seq(len(d.requests) + 1)
	if r.ID == "" {
		r.ID = capture.ID(fmt.Sprintf("req_%06d", r.Seq))
	}
	if r.Header == nil {
		r.Header = r.Head.Header()
	}
	st.Seq, st.Request, st.Endpoint = r.Seq, r.ID, r.Endpoint
	d.requests = append(d.requests, r)
	d.standings = append(d.standings, st)
	for i, a := range attempts {
		a.ID, a.Request, a.Seq, a.N = int64(i+1), r.ID, r.Seq, i+1
		d.attempts[r.ID] = append(d.attempts[r.ID], a)
	}
	d.status.Requests = r.Seq
	d.ring()
}

// Calls tells how often a method was called.
func (d *Desk) Calls(method string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls[method]
}

// Changed implements view.Desk.
func (d *Desk) Changed() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.bell
}

// Status implements view.Desk.
func (d *Desk) Status() view.Status {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.status
	s.Targets = slices.Clone(s.Targets)
	return s
}

// Last implements view.Desk.
func (d *Desk) Last(context.Context) (capture.Seq, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return capture.Seq(len(d.requests)), nil
}

// Summaries implements view.Desk.
func (d *Desk) Summaries(_ context.Context, seqs []capture.Seq) ([]capture.Summary, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls["Summaries"]++
	var out []capture.Summary
	for _, seq := range seqs {
		if seq >= 1 && int(seq) <= len(d.requests) {
			out = append(out, summary(d.requests[seq-1]))
		}
	}
	return out, nil
}

func summary(r *capture.Request) capture.Summary {
	s := capture.Summary{
		Seq: r.Seq, ID: r.ID, From: r.From, Kind: r.Kind, Endpoint: r.Endpoint, At: r.At, Method: r.Method, URL: r.URL, Note: r.Note,
		BodySize: int64(len(r.Body)), Provider: r.Provider, Signature: r.Signature.Status, Answered: r.Answered, Read: true, Events: len(r.Events),
	}
	for i, e := range r.Events {
		if i == 0 {
			s.Type, s.Object, s.Key = e.Type, e.Object, e.Key.Value
		}
		s.Seen, s.Late = max(s.Seen, e.Seen), s.Late || e.Late
	}
	return s
}

// Match implements view.Desk.
func (d *Desk) Match(_ context.Context, f capture.Filter, from, to capture.Seq) ([]capture.Seq, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls["Match"]++
	var out []capture.Seq
	for _, r := range d.requests {
		if r.Seq >= from && r.Seq <= to && chosen(f, r, d.standings[r.Seq-1]) {
			out = append(out, r.Seq)
		}
	}
	return out, nil
}

func chosen(f capture.Filter, r *capture.Request, st replay.Standing) bool {
	s := summary(r)
	all := strings.ToLower(string(r.Head) + string(r.Body) + r.URL + s.Type + s.Object + s.Key)
	return (f.Text == "" || strings.Contains(all, strings.ToLower(f.Text))) &&
		(len(f.Kinds) == 0 || slices.Contains(f.Kinds, r.Kind)) &&
		(f.Endpoint == "" || f.Endpoint == r.Endpoint) && (f.Provider == "" || f.Provider == r.Provider) &&
		(len(f.Signature) == 0 || slices.Contains(f.Signature, r.Signature.Status)) &&
		(len(f.Outcome) == 0 || slices.Contains(f.Outcome, outcome(st))) &&
		(!f.Duplicates || s.Seen > 1) && (!f.Late || s.Late) &&
		(f.Since.IsZero() || !r.At.Before(f.Since)) && (f.Until.IsZero() || r.At.Before(f.Until))
}

func outcome(st replay.Standing) capture.Outcome {
	switch {
	case st.Progress == replay.Queued || st.Progress == replay.Retrying:
		return capture.OutcomeWaiting
	case st.Attempts == 0:
		return capture.OutcomeKept
	case st.Status >= 200 && st.Status < 300:
		return capture.OutcomeOK
	}
	return capture.OutcomeFailed
}

// Request implements view.Desk.
func (d *Desk) Request(_ context.Context, id capture.ID) (*capture.Request, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.requests {
		if r.ID == id {
			return r.Clone(), nil
		}
	}
	return nil, ErrNotFound
}

// Examine implements view.Desk: it has a finding for the one that is refused.
func (d *Desk) Examine(_ context.Context, r *capture.Request) doctor.Finding {
	if r.Signature.Status != capture.Invalid {
		return doctor.Finding{}
	}
	if d.Finding.Cause != "" {
		return d.Finding
	}
	return doctor.Finding{
		Cause: doctor.BodyPretty, Secret: 1, Status: capture.Valid, Scheme: r.Signature.Scheme,
		Content: [][]byte{[]byte(`{"id":"evt_1Q9","object":"event","type":"invoice.paid"}`)},
	}
}

// Check implements view.Desk: what was stored, over the body.
func (d *Desk) Check(_ context.Context, r *capture.Request) capture.Signature {
	s := r.Signature
	s.Content = [][]byte{r.Body}
	if !s.At.IsZero() {
		s.Content = [][]byte{fmt.Appendf(nil, "%d.", s.At.Unix()), r.Body}
	}
	return s
}

// Standings implements view.Desk.
func (d *Desk) Standings(_ context.Context, seqs []capture.Seq) ([]replay.Standing, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]replay.Standing, 0, len(seqs))
	for _, seq := range seqs {
		if seq >= 1 && int(seq) <= len(d.standings) {
			out = append(out, d.standings[seq-1])
		}
	}
	return out, nil
}

// Attempts implements view.Desk.
func (d *Desk) Attempts(_ context.Context, id capture.ID) ([]replay.Attempt, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.attempts[id]), nil
}

// Settle changes the progress of a request's forwarding, and rings.
func (d *Desk) Settle(seq capture.Seq, p replay.Progress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.standings[seq-1].Progress = p
	d.ring()
}

// End ends all attempts at a request that are under way with a 200, and rings.
func (d *Desk) End(id capture.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, a := range d.attempts[id] {
		if a.Outcome.Status == 0 && a.Outcome.Failure == "" {
			d.attempts[id][i].Outcome.Status = 200
		}
	}
	d.ring()
}

// Sent tells what was replayed.
func (d *Desk) Sent() []replay.Scenario {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.sent)
}
