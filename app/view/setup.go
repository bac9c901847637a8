package view

import (
	"context"
	"strings"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
)

// A Setup is what a person does so that a provider sends to an endpoint.
type Setup struct {
	URL   string // to paste into the provider's settings
	Note  string // that nobody can reach it yet; "" when the tunnel is open
	Where string // where that is, and where the secret is shown; "" when not known
	Facts string // how long it waits and how it sends again, in a line
}

// ViewSetup says how p is set up for an endpoint with a path.
func ViewSetup(p capture.Provider, path string, st Status) Setup {
	s := Setup{URL: strings.TrimSuffix(firstOf(st.PublicURL, st.LocalURL), "/") + cleanPath(path), Where: text.Fact(p.Name, "setup", p.Setup)}
	if st.PublicURL == "" {
		s.Note = text.T("setup.local")
	}
	var facts []string
	if p.Deadline > 0 {
		facts = append(facts, text.T("setup.waits", Seconds(p.Deadline)))
	}
	if again := Retries(p.Retry); again != "" {
		facts = append(facts, text.T("setup.retries", again))
	}
	s.Facts = strings.Join(facts, " · ")
	return s
}

// SecretProblem says at once what is wrong with the shape of a secret; "" for nothing.
func SecretProblem(p capture.Provider, secret string) string {
	secret = strings.TrimSpace(secret)
	if secret == "" || p.CheckSecret == nil {
		return ""
	}
	if err := p.CheckSecret(capture.Secret(secret)); err != nil {
		return text.T("setup.secret.bad", p.Title, Clean(err.Error(), 200))
	}
	return ""
}

// A FirstEvent is whether anything came in by an endpoint.
type FirstEvent struct {
	Seq  capture.Seq // the newest; 0 while nothing came
	Mark Mark
	Text string
}

// Newest looks for the newest request that came in by an endpoint.
func Newest(ctx context.Context, desk Desk, clock Clock, endpoint string) (FirstEvent, error) {
	const back = 2000 // requests that are looked at
	waiting := FirstEvent{Mark: Mark{Tone: Busy, Text: text.T("setup.waiting")}, Text: text.T("setup.waiting.text")}
	last, err := desk.Last(ctx)
	if err != nil {
		return waiting, err
	}
	seqs, err := desk.Match(ctx, capture.Filter{Endpoint: endpoint, Kinds: []capture.Kind{capture.Delivery, capture.Handshake}}, max(1, last-back), last)
	if err != nil || len(seqs) == 0 {
		return waiting, err
	}
	newest := seqs[len(seqs)-1]
	sums, err := desk.Summaries(ctx, []capture.Seq{newest})
	if err != nil || len(sums) == 0 {
		return waiting, err
	}
	s := sums[0]
	return FirstEvent{
		Seq: newest, Mark: Verdict(s.Signature),
		Text: text.T("setup.arrived", text.Number(int64(newest)), Clean(firstOf(s.Type, string(s.Kind)), 80), clock.local(s.At, "15:04:05")),
	}, nil
}
