package view

import (
	"bytes"
	"slices"
	"strconv"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
)

// maxContent is how much of what was hashed is shown.
const maxContent = 64 << 10

// A Fact is a line of a table: what it is, and its value, which a click copies.
type Fact struct {
	Name, Value string
	Full        string // what Value is short for, to be shown and copied; "" for Value itself
}

// A SignatureView is a verdict with its reasons.
type SignatureView struct {
	Verdict Mark
	Reason  string // why, in a sentence
	Facts   []Fact
	Next    string    // one step to take; "" when there is nothing to do
	Fix     Fix       // what a click on the step does; the zero Fix if nothing can
	Content *Document // exactly what was hashed; nil when unknown
	Doctor  Diagnosis // why it does not fit; zero for one that does
	RawBody bool      // it fits here, and the handler refused it: show how to get at the bytes
}

// A Fix is something that the program offers to do about a failure.
type Fix struct {
	Do       string // "edit-endpoint", "resign", "target", "self-signed" …; "" for none
	Title    string // of the button
	Endpoint string // which one is changed
	Value    string // of "target": the new one
}

// ViewSignature explains s, the signature of r.
func ViewSignature(r *capture.Request, s capture.Signature, p capture.Provider, clock Clock) SignatureView {
	v := SignatureView{Verdict: Verdict(s.Status), Reason: reason(s)}
	if r.Kind == capture.Made {
		return SignatureView{Verdict: Mark{Tone: Muted, Text: text.T("signature.status.unchecked")}, Reason: text.T("signature.why.made"), Next: text.T("signature.next.made")}
	}
	if mark := signatureMark(r.Kind, s.Status); mark.Text == "" {
		return SignatureView{Verdict: Mark{Tone: Muted, Text: text.T("signature.status.unchecked")}, Reason: text.T("signature.why.kind")}
	}
	v.Facts = signatureFacts(r, s, p, clock)
	if s.Why != "" {
		v.Next = text.Or("signature.next."+string(s.Why), "")
		v.Fix = signatureFix(s.Why, r.Endpoint)
	}
	if s.Status == capture.Authenticated {
		v.Next = text.T("signature.next.authenticated")
	}
	if len(s.Content) > 0 {
		d := hashed(s.Content)
		v.Content = &d
	}
	return v
}

// reason says why the verdict is what it is.
func reason(s capture.Signature) string {
	if s.Why == "" {
		return text.Or("signature.good."+string(s.Status), "")
	}
	if s.Why == capture.WhyNoSecret || s.Why == capture.WhyNoProvider {
		return text.T("signature.why." + string(s.Why))
	}
	return text.Or("signature.why."+string(s.Why), s.Reason(), Clean(s.Detail, 300))
}

func signatureFacts(r *capture.Request, s capture.Signature, p capture.Provider, clock Clock) []Fact {
	var out []Fact
	add := func(name, value string) {
		if value != "" {
			out = append(out, Fact{Name: name, Value: value})
		}
	}
	add(text.T("signature.fact.scheme"), Clean(firstOf(s.Scheme, p.Scheme), 200))
	add(text.T("signature.fact.header"), p.Header)
	if s.Secret > 0 {
		add(text.T("signature.fact.secret"), text.T("signature.secret.nth", strconv.Itoa(s.Secret)))
	}
	if !s.At.IsZero() {
		out = append(out, clock.fact(text.T("signature.fact.at"), s.At, r.At))
		add(text.T("signature.fact.age"), age(r, s, p))
	}
	if n := size(s.Content); n > 0 {
		over := text.T("signature.over.parts")
		if len(s.Content) == 1 && bytes.Equal(s.Content[0], r.Body) {
			over = text.T("signature.over.body")
		}
		add(text.T("signature.fact.hashed"), text.Size(n)+" · "+over)
	}
	if s.Status != capture.Valid && r.URL != "" {
		add(text.T("signature.fact.url"), Clean(r.URL, 1000))
	}
	return out
}

// age is how old the signature was when it arrived, and what is allowed.
func age(r *capture.Request, s capture.Signature, p capture.Provider) string {
	d := r.At.Sub(s.At)
	out := text.T("signature.age", text.Number(int64(d.Seconds())))
	if d < 0 {
		out = text.T("signature.age.ahead", text.Number(int64(-d.Seconds())))
	}
	if p.Tolerance > 0 {
		out += " · " + text.T("signature.age.allowed", text.Number(int64(p.Tolerance.Seconds())))
	}
	return out
}

func signatureFix(why capture.Why, endpoint string) Fix {
	switch why {
	case capture.WhyNoSecret, capture.WhyNoProvider, capture.WhyNoMatch, capture.WhyBadSecret:
		return Fix{Do: "edit-endpoint", Title: text.T("fix.edit-endpoint"), Endpoint: endpoint}
	case capture.WhyTooOld:
		return Fix{Do: "resign", Title: text.T("fix.resign"), Endpoint: endpoint}
	default:
		return Fix{}
	}
}

// hashed lays out what was hashed, its parts joined as they were.
func hashed(content [][]byte) Document {
	all := bytes.Join(content, nil)
	d := Document{Rendering: Raw}
	if len(all) > maxContent {
		d.note(text.T("signature.content.cut", text.Size(maxContent), text.Size(int64(len(all)))))
		all = all[:maxContent]
	}
	d.raw(slices.Clone(all), "")
	return d
}

func size(parts [][]byte) int64 {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	return int64(n)
}

func firstOf(a ...string) string {
	for _, s := range a {
		if s != "" {
			return s
		}
	}
	return ""
}

// Apply makes the change to an endpoint that f offers.
func (f Fix) Apply(e capture.Endpoint) capture.Endpoint {
	switch f.Do {
	case "self-signed":
		e.SelfSigned = true
	case "target":
		e.Target = f.Value
	}
	return e
}
