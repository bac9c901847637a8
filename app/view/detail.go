package view

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// maxEvents is how many events of one request are listed.
const maxEvents = 200

// A Detail is all there is to know of one request.
type Detail struct {
	Request   *capture.Request
	Provider  capture.Provider
	Endpoint  capture.Endpoint
	Title     string // "invoice.paid"
	Subtitle  string // "Stripe · #41 · in_1Q…"
	Marks     []Mark
	Sentences []string // what happened, in words
	Facts     []Fact
	Events    []EventView
	Headers   Headers
	Body      Body
	Signature SignatureView
	Attempts  []AttemptView
	From      *Link  // of what was made here: the request it was made from
	Made      []Link // the first that were made from it
	CanResign bool   // the endpoint has a secret, and the provider's signature can be made
	Stale     string // that a handler will probably refuse the signature by now; "" if not
}

// An EventView is one event of a request.
type EventView struct {
	Type, Object, Key, Time string
	Marks                   []Mark
}

// LoadDetail reads a request with its attempts. It may take long.
func LoadDetail(ctx context.Context, desk Desk, clock Clock, id capture.ID) (*Detail, error) {
	r, err := desk.Request(ctx, id)
	if err != nil {
		return nil, err
	}
	attempts, err := desk.Attempts(ctx, id)
	if err != nil {
		return nil, err
	}
	stands, err := desk.Standings(ctx, []capture.Seq{r.Seq})
	if err != nil {
		return nil, err
	}
	endpoints, err := desk.Endpoints(ctx)
	if err != nil {
		return nil, err
	}
	d := &Detail{Request: r, Body: BodyOf(r)}
	for _, e := range endpoints {
		if e.Name == r.Endpoint {
			d.Endpoint = e
		}
	}
	d.Provider = providerOf(desk, firstOf(r.Provider, d.Endpoint.Provider))
	d.CanResign = canSign(d.Provider, d.Endpoint, r.Signature.Worth())
	if err := d.links(ctx, desk); err != nil {
		return nil, err
	}
	checked := r.Signature
	if r.Kind != capture.Made { // nobody signed it so
		checked = desk.Check(ctx, r)
	}
	kept := r.Signature
	kept.Content = checked.Content
	if r.Kind.Replayable() && r.Kind != capture.Made && !kept.Status.Refused() {
		d.Stale = stale(d.Provider, kept.At, clock.Now())
	}
	st := standing(stands, r.Seq)
	d.fill(clock, kept, st, attempts)
	if s := checked.Status; s == capture.Invalid || s == capture.Malformed {
		d.Signature.Doctor = Diagnose(desk.Examine(ctx, r))
		if d.Signature.Doctor.Says != "" && !d.Signature.Doctor.Here {
			d.Signature.Fix = Fix{}
		}
	}
	d.Signature.RawBody = HashesElse(kept.Status, attempts)
	if checked.Status != kept.Status && r.Kind.Replayable() {
		d.Sentences = append(d.Sentences, text.T("summary.recheck", Verdict(checked.Status).Text))
		d.Signature.Facts = append(d.Signature.Facts, Fact{Name: text.T("signature.fact.now"), Value: Verdict(checked.Status).Text})
	}
	return d, nil
}

func (d *Detail) fill(clock Clock, s capture.Signature, st replay.Standing, attempts []replay.Attempt) {
	r := d.Request
	sum := summaryOf(r)
	title := func(string) string { return d.Provider.Title }
	row := NewRow(sum, st, clock, title)
	d.Title = row.What
	d.Subtitle = strings.Join(slices.DeleteFunc([]string{row.Provider, "#" + row.Number, row.Object}, func(s string) bool { return s == "" }), " · ")
	if row.Signature.Text != "" {
		d.Marks = append(d.Marks, row.Signature)
	}
	d.Marks = append(d.Marks, row.Badges...)
	d.Signature = ViewSignature(r, s, d.Provider, clock)
	d.Headers = HeadersOf(r.Head, !local(r.URL))
	for _, a := range slices.Backward(attempts) {
		d.Attempts = append(d.Attempts, ViewAttempt(a, s.Status, d.Endpoint, clock))
	}
	d.Sentences = []string{d.arrived(clock), d.judged(s), delivered(attempts, st, r)}
	if r.Kind != capture.Made && d.Endpoint.Provider == "" && d.Provider.Name == "" && r.Kind.Replayable() {
		d.Sentences[1] = text.T("summary.unknown")
	}
	d.Sentences = append(d.Sentences, d.remarks(sum)...)
	d.facts(clock)
	d.events(clock)
}

// arrived is the first sentence: what came, from whom, when.
func (d *Detail) arrived(clock Clock) string {
	r := d.Request
	when := clock.local(r.At, "15:04:05")
	who := firstOf(d.Provider.Title, text.T("summary.somebody"))
	switch {
	case r.Kind == capture.Stray:
		return text.T("summary.arrived.stray", when, Clean(r.Note, 200))
	case r.Kind == capture.Oversize, r.Kind == capture.Incomplete:
		return text.T("summary.arrived.broken", who, when, Clean(r.Note, 200))
	case r.Kind == capture.Handshake:
		return text.T("summary.arrived.handshake", who, when)
	case r.Kind == capture.Imported:
		return text.T("summary.arrived.imported", who, d.Title, clock.Write(r.At))
	case r.Kind == capture.Made && d.From != nil:
		return text.T("summary.arrived.made", d.From.Text, clock.Write(r.At))
	case r.Kind == capture.Other:
		return text.T("summary.arrived.other", when, Clean(r.Method+" "+pathOf(r.URL), 200))
	case len(r.Events) > 1:
		return text.N("summary.arrived.events", int64(len(r.Events)), who, when)
	case len(r.Events) == 1 && r.Events[0].Object != "":
		return text.T("summary.arrived.event", who, Clean(r.Events[0].Type, 120), Clean(r.Events[0].Object, 120), when)
	case len(r.Events) == 1:
		return text.T("summary.arrived.type", who, Clean(r.Events[0].Type, 120), when)
	}
	return text.T("summary.arrived.request", who, Clean(r.Method+" "+pathOf(r.URL), 200), when)
}

// judged is the second sentence: what the signature is worth, and what the sender was told.
func (d *Detail) judged(s capture.Signature) string {
	r := d.Request
	if r.Kind == capture.Made {
		return text.T("summary.signature.made")
	}
	said := text.T("summary.told", strconv.Itoa(r.Answered))
	if r.Answered == 0 {
		said = text.T("summary.told.nothing")
	}
	if signatureMark(r.Kind, s.Status).Text == "" {
		return said
	}
	if r.Kind == capture.Imported { // nobody was told anything
		return text.T("summary.signature." + string(s.Status))
	}
	return text.T("summary.signature."+string(s.Status)) + " " + said
}

// remarks are sentences about duplicates and lateness.
func (d *Detail) remarks(s capture.Summary) []string {
	var out []string
	if s.Seen > 1 {
		out = append(out, text.T("summary.seen", Nth(s.Seen)))
	}
	if s.Late {
		out = append(out, text.T("summary.late"))
	}
	if strings.Contains(d.Request.Note, capture.NoteLearned) && d.Request.Answered >= 200 && d.Request.Answered < 300 {
		out = append(out, text.T("summary.learned"))
	}
	if strings.Contains(pathOf(d.Request.URL), "//") && d.Request.Kind.Replayable() {
		out = append(out, text.T("summary.slashes"))
	}
	return out
}

func (d *Detail) facts(clock Clock) {
	r := d.Request
	add := func(name, value string) {
		if value != "" {
			d.Facts = append(d.Facts, Fact{Name: name, Value: value})
		}
	}
	add(text.T("fact.id"), string(r.ID))
	d.Facts = append(d.Facts, Fact{Name: text.T("fact.arrived"), Value: zoned(r.At, clock.shown()), Full: clock.Both(r.At)})
	add(text.T("fact.url"), Clean(r.URL, 2000))
	add(text.T("fact.peer"), Clean(r.Peer, 100))
	add(text.T("fact.endpoint"), r.Endpoint)
	add(text.T("fact.body"), text.N("size.bytes", int64(len(r.Body))))
	if r.Header.Get("Transfer-Encoding") != "" {
		add(text.T("fact.framing"), Clean(r.Header.Get("Transfer-Encoding"), 60))
	}
	if len(r.Events) == 1 {
		e := r.Events[0]
		add(text.T("fact.key"), keyText(e.Key))
		add(text.T("fact.group"), Clean(e.Group, 200))
		if !e.At.IsZero() {
			d.Facts = append(d.Facts, clock.fact(text.T("fact.occurred"), e.At, r.At))
		}
		if e.Try > 0 {
			add(text.T("fact.try"), strconv.Itoa(e.Try))
		}
	}
	if d.Provider.Dedupe != "" && r.Kind.Replayable() {
		add(text.T("fact.dedupe"), d.Provider.Dedupe)
	}
	add(text.T("fact.note"), Clean(r.Note, 500))
}

func keyText(k capture.Key) string {
	if k.Value == "" {
		return ""
	}
	if k.Exact {
		return Clean(k.Value, 300) + " · " + text.T("key.exact")
	}
	return Clean(k.Value, 300) + " · " + text.T("key.composite")
}

// events lists the events of a request that tells of several.
func (d *Detail) events(clock Clock) {
	if len(d.Request.Events) < 2 {
		return
	}
	for _, e := range d.Request.Events[:min(len(d.Request.Events), maxEvents)] {
		v := EventView{Type: Clean(e.Type, 120), Object: Clean(e.Object, 120), Key: Clean(e.Key.Value, 200), Time: clock.Write(e.At)}
		if e.Seen > 1 {
			v.Marks = append(v.Marks, Mark{Warn, Nth(e.Seen), SignAgain})
		}
		if e.Late {
			v.Marks = append(v.Marks, Mark{Warn, text.T("badge.late"), SignLate})
		}
		d.Events = append(d.Events, v)
	}
}

// summaryOf makes a summary of a whole request.
func summaryOf(r *capture.Request) capture.Summary {
	s := capture.Summary{
		Seq: r.Seq, ID: r.ID, From: r.From, Kind: r.Kind, Endpoint: r.Endpoint, At: r.At, Method: r.Method, URL: r.URL, Note: r.Note,
		BodySize: int64(len(r.Body)), Provider: r.Provider, Signature: r.Signature.Status, Answered: r.Answered,
		Read: true, Events: len(r.Events),
	}
	for i, e := range r.Events {
		if i == 0 {
			s.Type, s.Object, s.Key = e.Type, e.Object, e.Key.Value
		}
		s.Seen = max(s.Seen, e.Seen)
		s.Late = s.Late || e.Late
	}
	return s
}

func providerOf(desk Desk, name string) capture.Provider {
	for _, p := range desk.Providers() {
		if p.Name == name {
			return p
		}
	}
	return capture.Provider{}
}

// StaleFix offers to re-sign, where that is possible.
func (d *Detail) StaleFix() Fix {
	if !d.CanResign {
		return Fix{}
	}
	return Fix{Do: "resign", Title: text.T("fix.resign"), Endpoint: d.Endpoint.Name}
}

// stale predicts whether a signature made at is too old for a handler that
// checks it now; "" when it is not, or the provider does not care.
func stale(p capture.Provider, at, now time.Time) string {
	if age := now.Sub(at); p.Tolerance > 0 && !at.IsZero() && age > p.Tolerance {
		return text.T("plan.stale", text.Number(int64(age.Seconds())), text.Number(int64(p.Tolerance.Seconds())))
	}
	return ""
}
