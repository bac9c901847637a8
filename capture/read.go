package capture

import (
	"net/http"
	"slices"
)

// Read fills in the provider of r and the events that r tells of. It never
// fails: what cannot be read stays empty. A handshake and what is not a
// delivery at all tell of nothing.
func Read(r *Request, providers *Providers, ep Endpoint) {
	r.Provider, r.Events = "", nil
	if r.Kind == Stray || r.Kind == Other {
		return
	}
	p := recognise(r, providers, ep)
	if p == nil {
		return
	}
	r.Provider = p.Name
	if r.Kind.Replayable() || r.Kind == "" {
		r.Events = p.events(r)
	}
}

// Verify fills in the provider of r, which it returns, nil if there is none,
// and what its signature was worth at r.At. The certificates, see
// CertificateOf, are checked with beside the secrets of the endpoint. A request
// that is too large or cut short is not to be verified: its signature says nothing.
func Verify(r *Request, providers *Providers, ep Endpoint, certificates ...Secret) *Provider {
	p := recognise(r, providers, ep)
	if p == nil {
		r.Provider, r.Signature = "", Signature{Status: Unchecked, Why: WhyNoProvider}
		return nil
	}
	r.Provider, r.Signature = p.Name, p.verify(r, slices.Concat(ep.Secrets, certificates))
	if r.Signature.Secret > len(ep.Secrets) { // a certificate is no secret of the endpoint
		r.Signature.Secret = 0
	}
	if len(ep.Secrets) == 0 && ep.Sample != "" {
		if s := p.verify(r, []Secret{p.Fitting(ep.Sample)}); s.Status.Good() {
			r.Signature = s // one of our own samples: nobody else has that secret
		}
	}
	return p
}

// CertificateOf returns the provider whose certificate r's signature is checked
// with, and the certificate's address, if the endpoint names the provider and
// the address is the provider's own: what a stranger sends makes nobody fetch
// anything. nil means that none is needed, or none is to be had.
func CertificateOf(r *Request, providers *Providers, ep Endpoint) (p *Provider, address string) {
	if ep.Provider == "" {
		return nil, ""
	}
	if p = recognise(r, providers, ep); p == nil || p.Certificate == nil {
		return nil, ""
	}
	defer func() {
		if recover() != nil {
			p, address = nil, ""
		}
	}()
	address, own := p.Certificate(r)
	if !own {
		return nil, ""
	}
	return p, address
}

// recognise returns the provider that the endpoint names, or else the first
// that says that r is its own.
func recognise(r *Request, providers *Providers, ep Endpoint) *Provider {
	if r.Header == nil {
		r.Header = r.Head.Header()
	}
	if r.Method == "" {
		r.Method, _, _ = r.Head.Line()
	}
	if ep.Provider != "" {
		p, _ := providers.Named(ep.Provider)
		return p
	}
	return providers.Of(r)
}

// The methods below stand for the funcs of a row, where nil means no such thing
// and a panic is a bug that outside bytes have found: it costs the answer to
// one question, and never turns a refusal into a yes.

func (p *Provider) match(r *Request) (ok bool) {
	if p.Match == nil {
		return true
	}
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return p.Match(r)
}

func (p *Provider) body(r *Request) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return p.Body(r)
}

func (p *Provider) verify(r *Request, secrets []Secret) (s Signature) {
	if p.Verify == nil {
		return Signature{Status: Unchecked, Why: WhyNoProvider}
	}
	defer func() {
		if recover() != nil {
			s = Signature{Status: Malformed, Why: WhyBadShape, Detail: p.Scheme}
		}
	}()
	s = p.Verify(r, secrets, r.At)
	if s.Status == "" {
		s.Status = Unchecked
	}
	return s
}

func (p *Provider) events(r *Request) (all []Event) {
	if p.Events == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			all = nil
		}
	}()
	all, _ = p.Events(r)
	return all
}

// mayAsk reports whether r may ask for the answer to a set-up check: whoever
// holds the secret may, anyone while there is nothing to check with, and anyone
// where there is no body that could have been signed (a GET with a challenge in
// its query), or where it brings the secret. Some answers are made with the
// secret, so nobody may choose what goes into them and then send it as a signed body.
func (p *Provider) mayAsk(r *Request, secrets []Secret) bool {
	if p == nil || p.Handshake == nil {
		return false
	}
	if r.Signature.Status != Missing {
		return !r.Signature.Status.Refused()
	}
	_, brings := p.learn(r)
	return len(r.Body) == 0 || len(secrets) == 0 || brings
}

// handshake answers a set-up check to those who may ask.
func (p *Provider) handshake(r *Request, secrets []Secret) (a Answer, ok bool) {
	if !p.mayAsk(r, secrets) {
		return Answer{}, false
	}
	return p.ask(r, secrets)
}

// ask has the provider answer a set-up check with the secrets.
func (p *Provider) ask(r *Request, secrets []Secret) (a Answer, ok bool) {
	defer func() {
		if recover() != nil {
			a, ok = Answer{}, false
		}
	}()
	return p.Handshake(r, secrets)
}

// learn returns the secret that a set-up check brings.
func (p *Provider) learn(r *Request) (s Secret, ok bool) {
	if p == nil || p.Learn == nil {
		return "", false
	}
	defer func() {
		if recover() != nil {
			s, ok = "", false
		}
	}()
	s, ok = p.Learn(r)
	return s, ok && s != ""
}

// ack is what the provider wants to hear when its request is stored.
func (p *Provider) ack() Answer {
	if p == nil || !final(p.Ack.Status) {
		return Answer{Status: http.StatusOK}
	}
	return p.Ack
}
