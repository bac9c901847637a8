package view

import (
	"slices"
	"strings"
	"time"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
)

// A ProviderLine is a provider in the list of providers.
type ProviderLine struct {
	Name, Title string
	Scheme      string
	Deadline    string
	Retries     string
	Key         string
	Verified    Mark
}

// ProviderLines lists the providers that match what is searched for, those of
// the user first, then by title.
func ProviderLines(all []capture.Provider, search string, own func(name string) bool) []ProviderLine {
	var out []ProviderLine
	words := strings.Fields(strings.ToLower(search))
	for _, p := range all {
		in := strings.ToLower(p.Name + " " + p.Title + " " + p.Header + " " + p.Scheme)
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(in, w) }) {
			continue
		}
		l := ProviderLine{Name: p.Name, Title: p.Title, Scheme: p.Scheme, Deadline: Seconds(p.Deadline), Retries: Retries(p.Retry), Key: firstOf(places(p.Dedupe), text.T("provider.key.none"))}
		l.Verified = verified(p.Trust.Signature)
		if own(p.Name) {
			l.Verified = Mark{Tone: Busy, Text: text.T("provider.own")}
		}
		out = append(out, l)
	}
	slices.SortStableFunc(out, func(a, b ProviderLine) int {
		if x, y := own(a.Name), own(b.Name); x != y {
			if x {
				return -1
			}
			return 1
		}
		return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
	})
	return out
}

// places writes where something is in a request for people: a header by its
// name alone, and what counts where the first is not there behind it.
func places(s string) string {
	return strings.NewReplacer("header:", "", "form:", "", "|", ", ").Replace(s)
}

// verified says how well a fact is known.
func verified(g capture.Grade) Mark {
	switch {
	case g == "":
		return Mark{}
	case g.Verified():
		return Mark{Tone: Good, Text: text.T("provider.verified." + string(g))}
	}
	return Mark{Tone: Muted, Text: text.T("provider.unverified." + string(g))}
}

// Seconds writes a deadline; "" when there is none.
func Seconds(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return text.T("span.s", seconds(d))
}

// Retries says how a provider sends again.
func Retries(r capture.Retry) string {
	switch {
	case r.Never:
		return text.T("provider.retry.never")
	case r.Times > 0 && r.Within > 0:
		return text.N("provider.retry.within", int64(r.Times), stretch(r.Within))
	case r.Times > 0:
		return text.N("provider.retry.times", int64(r.Times))
	case r.Within > 0:
		return text.T("provider.retry.for", stretch(r.Within))
	}
	return ""
}

// stretch writes a length of time exactly: in days, hours or minutes if it is
// a whole number of them, else in seconds.
func stretch(d time.Duration) string {
	whole := time.Minute
	if d >= 48*time.Hour {
		whole = 24 * time.Hour
	} else if d >= time.Hour {
		whole = time.Hour
	}
	if d%whole == 0 {
		return Span(d)
	}
	return Seconds(d)
}

// A ProviderPage is all that is known of a provider.
type ProviderPage struct {
	Title   string
	Marks   []Mark
	Setup   string // where the address goes and the secret is
	Notes   []string
	Facts   []ProviderFact
	Sources []string
	CanSign bool
}

// A ProviderFact is a fact with how well it is known.
type ProviderFact struct {
	Name, Value string
	Known       Mark
}

// ViewProvider lays out what is known of p.
func ViewProvider(p capture.Provider) ProviderPage {
	page := ProviderPage{Title: p.Title, Sources: p.Sources, CanSign: p.Sign != nil}
	page.Setup = text.Fact(p.Name, "setup", p.Setup)
	for _, n := range []string{text.Fact(p.Name, "note", p.Note), text.Fact(p.Name, "disabled", p.Disabled)} {
		if n != "" {
			page.Notes = append(page.Notes, n)
		}
	}
	if !page.CanSign {
		page.Notes = append(page.Notes, text.T("provider.private", p.Title))
	}
	add := func(key, value string, known capture.Grade) {
		if value != "" {
			page.Facts = append(page.Facts, ProviderFact{text.T("provider.fact." + key), value, verified(known)})
		}
	}
	t := p.Trust
	add("scheme", p.Scheme, t.Signature)
	add("header", p.Header, t.Signature)
	add("tolerance", Seconds(p.Tolerance), t.Signature)
	add("key", firstOf(places(p.Dedupe), text.T("provider.key.none")), t.Identity)
	add("order", firstOf(places(p.Order), text.T("provider.order.none")), t.Identity)
	add("attempt", places(p.Attempt), t.Identity)
	add("deadline", Seconds(p.Deadline), t.Retry)
	add("retry", Retries(p.Retry), t.Retry)
	add("after", pauses(p.Retry.After), t.Retry)
	return page
}

// pauses writes the pauses between deliveries.
func pauses(after []time.Duration) string {
	var out []string
	for _, d := range after {
		out = append(out, stretch(d))
	}
	return strings.Join(out, ", ")
}
