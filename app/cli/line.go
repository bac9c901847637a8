package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// The lines of serve --json. Their fields are a contract: only ever added to.

type readyLine struct {
	Kind      string `json:"kind"` // "ready"
	LocalURL  string `json:"local_url"`
	PublicURL string `json:"public_url"`
	Target    string `json:"target"`
	PortTaken int    `json:"port_taken,omitzero"` // the port that was asked for, where another program listens
}

type requestLine struct {
	Kind      string        `json:"kind"` // "request"
	Seq       capture.Seq   `json:"seq"`
	ID        capture.ID    `json:"id"`
	Arrived   capture.Kind  `json:"arrived"`
	From      capture.ID    `json:"from,omitzero"` // of "made": what it was made from
	At        string        `json:"at"`
	Method    string        `json:"method"`
	URL       string        `json:"url"`
	Endpoint  string        `json:"endpoint"`
	Provider  string        `json:"provider"`
	Signature signatureLine `json:"signature"`
	Events    []eventLine   `json:"events"`
	Answered  int           `json:"answered"`
	BodySize  int64         `json:"body_size"`
	Note      string        `json:"note,omitzero"`

	at time.Time
}

type signatureLine struct {
	Status capture.Status `json:"status"`
	Reason string         `json:"reason"`
	Secret int            `json:"secret,omitzero"`
}

type eventLine struct {
	Key    string `json:"key"`
	Exact  bool   `json:"exact"`
	Group  string `json:"group,omitzero"`
	Type   string `json:"type"`
	Object string `json:"object"`
	At     string `json:"at"`
	Order  int64  `json:"order,omitzero"`
	Try    int    `json:"try,omitzero"`
	Seen   int    `json:"seen"`
	Late   bool   `json:"late"`
}

type attemptLine struct {
	Kind    string         `json:"kind"` // "attempt"
	Request capture.ID     `json:"request"`
	N       int            `json:"n"`
	Replay  bool           `json:"replay"`
	Signing replay.Signing `json:"signing,omitzero"`
	Target  string         `json:"target"`
	Status  int            `json:"status"`
	Failure replay.Failure `json:"failure"`
	Detail  string         `json:"detail,omitzero"`
	TookMS  float64        `json:"took_ms"`
}

func newRequestLine(r *capture.Request) requestLine {
	l := requestLine{
		Kind: "request", Seq: r.Seq, ID: r.ID, Arrived: r.Kind, From: r.From, At: stamp(r.At), Method: r.Method, URL: r.URL,
		Endpoint: r.Endpoint, Provider: r.Provider, Answered: r.Answered, BodySize: int64(len(r.Body)), Note: r.Note, at: r.At,
		Signature: signatureLine{r.Signature.Status, r.Signature.Reason(), r.Signature.Secret},
		Events:    []eventLine{},
	}
	for _, e := range r.Events {
		l.Events = append(l.Events, eventLine{
			e.Key.Value, e.Key.Exact, e.Group, e.Type, e.Object, stamp(e.At), e.Order, e.Try, e.Seen, e.Late,
		})
	}
	return l
}

func newAttemptLine(a replay.Attempt) attemptLine {
	return attemptLine{
		Kind: "attempt", Request: a.Request, N: a.N, Replay: a.Replay, Signing: a.Signing, Target: a.Target,
		Status: a.Outcome.Status, Failure: a.Outcome.Failure, Detail: a.Outcome.Detail,
		TookMS: float64(a.Took.Microseconds()) / 1000,
	}
}

// String is the request in one line for a person.
func (l requestLine) String() string {
	what := l.Method
	switch {
	case len(l.Events) == 1:
		what = l.Events[0].Type
	case len(l.Events) > 1:
		what = fmt.Sprintf("%s and %d more", l.Events[0].Type, len(l.Events)-1)
	}
	parts := []string{fmt.Sprintf("%d", l.Seq), human(l.at), string(l.ID)}
	if l.Arrived != capture.Delivery {
		parts = append(parts, string(l.Arrived))
	}
	if l.From != "" {
		parts = append(parts, "from "+string(l.From))
	}
	if l.Provider != "" {
		parts = append(parts, l.Provider)
	}
	parts = append(parts, what, fmt.Sprintf("%d bytes", l.BodySize), "signature "+string(l.Signature.Status))
	if l.Signature.Reason != "" {
		parts = append(parts, "("+l.Signature.Reason+")")
	}
	seen, late := 0, false
	for _, e := range l.Events {
		seen, late = max(seen, e.Seen), late || e.Late
	}
	if seen > 1 {
		parts = append(parts, fmt.Sprintf("seen %d times", seen))
	}
	if late {
		parts = append(parts, "late")
	}
	if l.Answered != 0 {
		parts = append(parts, fmt.Sprintf("answered %d", l.Answered))
	}
	if l.Note != "" {
		parts = append(parts, l.Note)
	}
	return printable(strings.Join(parts, "  "))
}

// String is the attempt in one line for a person.
func (l attemptLine) String() string {
	what := fmt.Sprint(l.Status)
	if l.Failure != "" {
		what = string(l.Failure)
		if l.Status != 0 {
			what = fmt.Sprintf("%d, then %s", l.Status, l.Failure)
		}
	}
	kind := "attempt"
	if l.Replay {
		kind = "replay, attempt"
	}
	s := fmt.Sprintf("   → %s  %s %d  %s  %.1f ms", l.Request, kind, l.N, what, l.TookMS)
	if l.Detail != "" {
		s += "  " + l.Detail
	}
	return printable(s)
}

// String is the URLs for a person.
func (l readyLine) String() string {
	s := "listening on " + l.LocalURL
	if l.PortTaken != 0 {
		s += fmt.Sprintf(" (another program listens on port %d)", l.PortTaken)
	}
	if l.PublicURL != "" {
		s += ", public " + l.PublicURL
	}
	if l.Target == "" {
		return printable(s + ", forwarding nothing (no --target)")
	}
	return printable(s + ", forwarding to " + l.Target)
}

// write prints v as a line of JSON, or as a person reads it.
func (c *program) write(w io.Writer, v fmt.Stringer) error {
	if !c.json {
		_, err := fmt.Fprintln(w, v)
		return err
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(escaped(b), '\n'))
	return err
}

// stamp is RFC 3339 in UTC; "" for no time.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
