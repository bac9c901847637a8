package capture

import (
	"context"
	"net/http"
	"time"
)

// Checks are what an Ingest needs of others to see to signatures and set-up
// checks. A nil func means: that is not done.
type Checks struct {
	// Certificate returns the certificate of a provider, at an address of its
	// own, in PEM; it may fetch it until ctx ends. ok is false if it is not to be had.
	Certificate func(ctx context.Context, p *Provider, address string) (cert Secret, ok bool)

	// Pass sends a set-up check to the handler of the endpoint, once, and
	// returns what the handler says; ok is false if it says nothing.
	Pass func(ctx context.Context, r *Request, ep Endpoint) (a Answer, ok bool)

	// Learn keeps the secret that a set-up check of a provider brought, if the
	// endpoint names that provider and has no secret yet.
	Learn func(ctx context.Context, endpoint, provider string, s Secret) error
}

// maxFetching is how long one request may wait for a certificate.
const maxFetching = 3 * time.Second

// What is in the notes of set-up checks.
const (
	NotePassed  = "passed to the handler, which answers it"                                   // see Endpoint.PassChecks
	NoteLearned = "it brings the secret of the endpoint, which is kept once this is answered" // see Provider.Learn
)

// judge says what a request that came whole is, and answers it.
func (in *Ingest) judge(x exchange) {
	p := Verify(x.r, in.Providers, x.ep, in.certificate(x)...)
	a, asked := p.handshake(x.r, x.ep.Secrets)
	switch {
	case in.passes(x, p, asked):
		x.r.Kind = Handshake
		in.pass(x, p)
	case asked:
		x.r.Kind = Handshake
		in.answer(x, p, a)
	case wantsAnswer(x.r) && in.waits(x.ep) && !x.r.Signature.Status.Refused():
		x.r.Kind = Delivery
		in.reply(x, p)
	case isOther(x.r, p):
		if wantsAnswer(x.r) {
			x.r.note("a set-up check: let the endpoint wait for the handler, which can answer it")
		}
		x.r.Kind, x.r.Provider = Other, ""
		x.r.Signature = Signature{Status: Unchecked, Why: WhyNoProvider}
		in.storeThenSay(x, Answer{Status: otherStatus(x.r)})
	case x.r.Signature.Status.Refused() && len(x.ep.Secrets) > 0:
		x.r.Kind = Delivery
		in.storeThenSay(x, refusal(x.r.Signature.Status))
	default:
		x.r.Kind = Delivery
		in.reply(x, p)
	}
}

// certificate returns what the signature of a request is checked with, if it
// is not a secret of the endpoint but a certificate of the provider.
func (in *Ingest) certificate(x exchange) []Secret {
	p, address := CertificateOf(x.r, in.Providers, x.ep)
	if p == nil || in.Checks.Certificate == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(x.hr.Context(), maxFetching)
	defer cancel()
	if cert, ok := in.Checks.Certificate(ctx, p, address); ok {
		return []Secret{cert}
	}
	return nil
}

// passes reports whether a request is a set-up check that the handler answers.
// One that we could not answer, for want of the secret, is one all the same.
func (in *Ingest) passes(x exchange, p *Provider, asked bool) bool {
	switch {
	case in.Checks.Pass == nil || !x.ep.PassChecks || x.ep.Target == "":
		return false
	case asked:
		return true
	case p.mayAsk(x.r, x.ep.Secrets):
		if _, asked = p.ask(x.r, []Secret{"any"}); asked {
			return true
		}
	}
	return wantsAnswer(x.r) && !x.r.Signature.Status.Refused()
}

// pass lets the handler answer a set-up check. There is one attempt and no
// other: nobody waits for what comes later.
func (in *Ingest) pass(x exchange, p *Provider) {
	x.r.note(NotePassed)
	secret := in.learns(x, p)
	if !in.store(x) {
		return
	}
	unhurried(x.w)
	ctx, cancel := context.WithTimeout(x.hr.Context(), waitFor(x.ep, p))
	defer cancel()
	a, ok := in.Checks.Pass(ctx, x.r, x.ep)
	switch {
	case ok && final(a.Status):
	case ctx.Err() != nil:
		a = Answer{Status: http.StatusGatewayTimeout}
	default:
		a = Answer{Status: http.StatusBadGateway}
	}
	if a.Status < 300 && !in.keep(x, p, secret) {
		return
	}
	in.sayThenNote(x, a)
}

// answer answers a set-up check for the handler. A secret that it brings is
// kept before the sender, which tells it once, believes that we have it.
func (in *Ingest) answer(x exchange, p *Provider, a Answer) {
	secret := in.learns(x, p)
	if secret == "" {
		in.storeThenSay(x, a)
		return
	}
	if in.store(x) && in.keep(x, p, secret) {
		in.sayThenNote(x, a)
	}
}

// learns returns the secret that a set-up check brings for its endpoint, and
// notes it; "" if it brings none, or one that is not to be kept.
func (in *Ingest) learns(x exchange, p *Provider) Secret {
	secret, ok := p.learn(x.r)
	switch {
	case !ok || in.Checks.Learn == nil:
		return ""
	case x.ep.Provider != p.Name:
		x.r.note("it brings a secret, which is not kept: the endpoint does not name " + p.Title)
		return ""
	case len(x.ep.Secrets) > 0:
		x.r.note("it brings a secret, which is not kept: the endpoint has one")
		return ""
	}
	x.r.note(NoteLearned)
	return secret
}

// keep keeps the secret of a set-up check, and answers 503 if it cannot.
func (in *Ingest) keep(x exchange, p *Provider, secret Secret) bool {
	if secret == "" {
		return true
	}
	err := in.Checks.Learn(context.WithoutCancel(x.hr.Context()), x.ep.Name, p.Name, secret)
	if err != nil {
		in.Logger.ErrorContext(x.hr.Context(), "secret of a set-up check not kept", "id", x.r.ID, "err", err)
		unavailable(x.w)
	}
	return err == nil
}
