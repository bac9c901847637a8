package view

import (
	"slices"
	"strconv"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A Row is one line of the inbox, ready to be drawn.
type Row struct {
	Loaded    bool // false while only Seq and Number are known
	Seq       capture.Seq
	ID        capture.ID
	Number    string // "41"
	Time      string
	Mark      string // name of the provider, for its colour; "" if unknown
	Provider  string // "Stripe"
	What      string // the type, or what it is instead of an event
	Object    string // what it happened to; "" if unknown
	Signature Mark
	Badges    []Mark
	Outcome   Mark
}

// Equal reports whether r looks the same as o.
func (r Row) Equal(o Row) bool {
	return r.Loaded == o.Loaded && r.Seq == o.Seq && r.ID == o.ID && r.Number == o.Number && r.Time == o.Time &&
		r.Mark == o.Mark && r.Provider == o.Provider && r.What == o.What && r.Object == o.Object &&
		r.Signature == o.Signature && r.Outcome == o.Outcome && slices.Equal(r.Badges, o.Badges)
}

// Title returns a provider as people know it; the name itself if nobody knows it.
func Title(desk Desk, name string) string {
	for _, p := range desk.Providers() {
		if p.Name == name {
			return p.Title
		}
	}
	return name
}

func number(seq capture.Seq) string { return strconv.FormatInt(int64(seq), 10) }

// NewRow formats a row. title gives the provider's title.
func NewRow(s capture.Summary, st replay.Standing, clock Clock, title func(string) string) Row {
	r := Row{
		Loaded: true, Seq: s.Seq, ID: s.ID, Number: number(s.Seq), Time: clock.Short(s.At),
		Mark: s.Provider, Provider: title(s.Provider),
		What: what(s), Object: Clean(s.Object, 120),
		Signature: signatureMark(s.Kind, s.Signature),
		Badges:    badges(s, st),
		Outcome:   Outcome(s, st, clock),
	}
	if r.Provider == "" {
		r.Provider = text.T("row.provider.unknown")
	}
	return r
}

// what says in a few words what arrived.
func what(s capture.Summary) string {
	switch {
	case s.Type != "" && s.Events > 1:
		return Clean(s.Type, 120) + " ×" + strconv.Itoa(s.Events)
	case s.Type != "":
		return Clean(s.Type, 120)
	case s.Note != "":
		return Clean(s.Note, 120)
	case s.Kind.Replayable() && !s.Read:
		return text.T("row.what.reading")
	}
	return Clean(s.Method+" "+pathOf(s.URL), 120)
}

// signatureMark is the verdict in a word. What cannot carry a signature has none.
func signatureMark(kind capture.Kind, s capture.Status) Mark {
	switch kind {
	case capture.Other, capture.Stray, capture.Oversize, capture.Incomplete, capture.Made:
		return Mark{Tone: Muted, Text: ""}
	case capture.Delivery, capture.Handshake, capture.Imported:
	}
	return Verdict(s)
}

// Verdict is the worth of a signature in a word.
func Verdict(s capture.Status) Mark {
	tones := map[capture.Status]Tone{
		capture.Valid: Good, capture.Authenticated: Good, capture.Unchecked: Muted,
		capture.Stale: Warn, capture.Missing: Bad, capture.Invalid: Bad, capture.Malformed: Bad,
	}
	if s == "" {
		return Mark{Tone: Muted, Text: ""}
	}
	return Mark{Tone: tones[s], Text: text.Or("signature.status."+string(s), string(s))}
}

// badges are the remarks that a row carries.
func badges(s capture.Summary, st replay.Standing) []Mark {
	var out []Mark
	if s.Kind != capture.Delivery && s.Kind != "" {
		m := Mark{Muted, text.Or("kind."+string(s.Kind), string(s.Kind)), SignStray}
		switch s.Kind {
		case capture.Handshake:
			m.Tone, m.Sign = Busy, SignHandshake
		case capture.Oversize, capture.Incomplete:
			m.Tone, m.Sign = Bad, ""
		case capture.Imported:
			m.Tone, m.Sign = Muted, SignImported
		case capture.Made:
			m.Tone, m.Sign = Busy, SignMade
		case capture.Delivery, capture.Other, capture.Stray:
		}
		out = append(out, m)
	}
	if s.Seen > 1 {
		out = append(out, Mark{Warn, Nth(s.Seen), SignAgain})
	}
	if s.Late {
		out = append(out, Mark{Warn, text.T("badge.late"), SignLate})
	}
	if st.Replays > 0 {
		out = append(out, Mark{Busy, text.T("badge.replayed", text.Number(int64(st.Replays))), SignReplayed})
	}
	return out
}

// Nth writes which arrival of the same event this is: "2nd".
func Nth(n int) string { return text.Nth("badge.nth", int64(n)) }

// Outcome says in a few words how the forwarding of a request stands.
func Outcome(s capture.Summary, st replay.Standing, clock Clock) Mark {
	switch {
	case st.Attempts == 0 && s.Answered >= 300:
		return Mark{Tone: Muted, Text: text.T("outcome.answered", strconv.Itoa(s.Answered))}
	case st.Attempts == 0 && st.Progress == replay.Queued:
		return Mark{Tone: Busy, Text: text.T("outcome.waiting")}
	case st.Attempts == 0 && s.Kind == capture.Handshake:
		return Mark{Tone: Good, Text: text.T("outcome.answered", strconv.Itoa(s.Answered))}
	case st.Attempts == 0 && !s.Kind.Replayable():
		return Mark{Tone: Muted, Text: ""}
	case st.Attempts == 0:
		return Mark{Tone: Muted, Text: text.T("outcome.kept")}
	}
	last, tone := lastWord(st), Bad
	if st.Status >= 200 && st.Status < 300 {
		tone = Good
	}
	switch st.Progress {
	case replay.Retrying:
		if st.Due.IsZero() {
			return Mark{Tone: Warn, Text: text.T("outcome.then.waiting", last)}
		}
		return Mark{Tone: Warn, Text: text.T("outcome.then.retry", last, Span(max(0, st.Due.Sub(clock.Now()))))}
	case replay.Queued:
		return Mark{Tone: Warn, Text: text.T("outcome.then.waiting", last)}
	case replay.GaveUp, replay.Delivered, replay.Kept:
	}
	if st.Attempts > 1 {
		return Mark{Tone: tone, Text: last + " · " + text.N("outcome.tries", int64(st.Attempts))}
	}
	return Mark{Tone: tone, Text: last}
}

// lastWord is how the last attempt ended, in a word.
func lastWord(st replay.Standing) string {
	if st.Failure != "" && (st.Status < 200 || st.Status > 299) || st.Status == 0 {
		return FailureWord(st.Failure)
	}
	return strconv.Itoa(st.Status)
}

// FailureWord names a failure in a word or two.
func FailureWord(f replay.Failure) string {
	if f == "" {
		return text.T("failure.none")
	}
	return text.Or("failure."+string(f), string(f))
}
