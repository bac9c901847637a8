package view

import (
	"slices"
	"strings"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
)

// A Choice is one of the values that a filter chip offers.
type Choice struct {
	Value string // "" for any
	Name  string
}

// ProviderChoices are any, and every provider that AnyHook knows, by title.
func ProviderChoices(desk Desk) []Choice {
	out := []Choice{{"", text.T("filter.provider.any")}}
	for _, p := range desk.Providers() {
		out = append(out, Choice{p.Name, p.Title})
	}
	slices.SortStableFunc(out[1:], func(a, b Choice) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return out
}

// usual are the providers that people try first, in this order.
var usual = []string{"stripe", "github", "shopify", "slack", "hubspot", "twilio"}

// SampleChoices offers the providers that there are samples of, those first
// that most people know.
func SampleChoices(desk Desk) []Choice {
	all := slices.DeleteFunc(ProviderChoices(desk)[1:], func(c Choice) bool { return len(desk.Samples(c.Value)) == 0 })
	rank := func(c Choice) int {
		if i := slices.Index(usual, c.Value); i >= 0 {
			return i
		}
		return len(usual)
	}
	slices.SortStableFunc(all, func(a, b Choice) int { return rank(a) - rank(b) })
	return all
}

// SignatureChoices offers the verdicts.
func SignatureChoices() []Choice {
	out := []Choice{{"", text.T("filter.signature.any")}, {"refused", text.T("filter.signature.refused")}}
	for _, s := range []capture.Status{
		capture.Valid, capture.Authenticated, capture.Unchecked, capture.Missing, capture.Invalid, capture.Stale, capture.Malformed,
	} {
		out = append(out, Choice{string(s), Verdict(s).Text})
	}
	return out
}

// OutcomeChoices offers how forwarding may stand.
func OutcomeChoices() []Choice {
	out := []Choice{{"", text.T("filter.outcome.any")}}
	for _, o := range []capture.Outcome{capture.OutcomeOK, capture.OutcomeFailed, capture.OutcomeWaiting, capture.OutcomeKept} {
		out = append(out, Choice{string(o), text.T("filter.outcome." + string(o))})
	}
	return out
}

// KindChoices offers the kinds of requests.
func KindChoices() []Choice {
	out := []Choice{{"", text.T("filter.kind.any")}}
	for _, k := range []capture.Kind{
		capture.Delivery, capture.Imported, capture.Made, capture.Handshake, capture.Other, capture.Stray, capture.Oversize, capture.Incomplete,
	} {
		out = append(out, Choice{string(k), text.T("kind." + string(k))})
	}
	return out
}

// Chips are the settings of the filter row, as the user sees them.
type Chips struct {
	Text       string `json:"text,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Provider   string `json:"provider,omitempty"`
	Signature  string `json:"signature,omitempty"`
	Outcome    string `json:"outcome,omitempty"`
	Duplicates bool   `json:"duplicates,omitempty"`
	Late       bool   `json:"late,omitempty"`
}

// Filter is what the chips choose.
func (c Chips) Filter() capture.Filter {
	f := capture.Filter{Text: strings.TrimSpace(c.Text), Provider: c.Provider, Duplicates: c.Duplicates, Late: c.Late}
	if c.Kind != "" {
		f.Kinds = []capture.Kind{capture.Kind(c.Kind)}
	}
	switch c.Signature {
	case "":
	case "refused":
		f.Signature = []capture.Status{capture.Missing, capture.Invalid, capture.Stale, capture.Malformed}
	default:
		f.Signature = []capture.Status{capture.Status(c.Signature)}
	}
	if c.Outcome != "" {
		f.Outcome = []capture.Outcome{capture.Outcome(c.Outcome)}
	}
	return f
}
