// Package doctor finds out why a signature does not fit, by trying what really
// goes wrong: another spelling of the secret, of the body, of the address, of
// the time. What it names has been computed: with that one change the
// provider's own rule gives the signature that came.
//
// It knows nothing of single schemes. It changes a copy of the request and
// asks the provider's row again, so that it works for every row there is.
package doctor

import (
	"bytes"
	"context"

	"anyhook.net/desktop/capture"
)

// A Patient is a request whose signature is refused, and what may explain it.
type Patient struct {
	Request  *capture.Request
	Provider *capture.Provider
	Secrets  []capture.Secret   // of its endpoint
	Others   []Holder           // who else has secrets
	Rows     *capture.Providers // whose it may be instead
	Bases    []string           // further schemes and hosts under which it may have been addressed: "https://old.example"
}

// A Holder is another endpoint and its secrets.
type Holder struct {
	Endpoint string
	Secrets  []capture.Secret
}

// A Finding is a change with which the signature fits. The zero Finding is none.
type Finding struct {
	Cause   Cause
	Detail  string         // what Cause speaks of: an address, an endpoint, a provider; never a secret
	Also    *Finding       // a second change that it takes
	Secret  int            // which of the endpoint's secrets it is, from 1; 0 for none of them
	Scheme  string         // what was computed then
	Status  capture.Status // what it would be worth then
	Content [][]byte       // exactly what is hashed then
}

// A Cause is what is wrong, as a word that translations know.
type Cause string

// The causes.
const (
	SecretSpace    Cause = "secret-space"    // white space or a line end around the secret, too much or too little
	SecretQuotes   Cause = "secret-quotes"   // the quotes of a settings file are in the secret
	SecretPrefix   Cause = "secret-prefix"   // the beginning such as whsec_ was kept or dropped
	SecretEncoding Cause = "secret-encoding" // the secret was decoded, or has to be
	SecretEscapes  Cause = "secret-escapes"  // the sender keeps the secret HTML-escaped (&amp;)
	OtherEndpoint  Cause = "other-endpoint"  // it is the secret of another endpoint; Detail: its name
	OtherProvider  Cause = "other-provider"  // it is signed as another provider signs; Detail: its title
	BodyLineEnd    Cause = "body-line-end"   // a line end at the end, or other line ends
	BodyCompact    Cause = "body-compact"    // the JSON was indented on the way
	BodyPretty     Cause = "body-pretty"     // the JSON lost its white space on the way
	BodyEscapes    Cause = "body-escapes"    // letters were escaped, or unescaped, on the way
	BodyMark       Cause = "body-mark"       // a byte order mark came or went
	BodyForm       Cause = "body-form"       // a form became JSON
	BodyJSON       Cause = "body-json"       // JSON within a form was taken out of it
	URLScheme      Cause = "url-scheme"      // http and https; Detail: the address that fits
	URLPort        Cause = "url-port"        // with or without the port; Detail likewise
	URLHost        Cause = "url-host"        // another host; Detail likewise
	URLSlash       Cause = "url-slash"       // a slash at the end; Detail likewise
	URLQuery       Cause = "url-query"       // the query in another order, decoded, or gone; Detail likewise
	TimeUnit       Cause = "time-unit"       // seconds and milliseconds
	SigEncoding    Cause = "sig-encoding"    // the signature is written otherwise: hex and base64, with and without its prefix
	URLUnknown     Cause = "url-unknown"     // nothing fits, but the address is signed: the provider may have another on file
	TestMode       Cause = "test-mode"       // nothing fits, but it is an event of the test mode, and another secret goes with that
)

// Causes are all of them.
var Causes = []Cause{
	SecretSpace, SecretQuotes, SecretPrefix, SecretEncoding, SecretEscapes, OtherEndpoint, OtherProvider,
	BodyLineEnd, BodyCompact, BodyPretty, BodyEscapes, BodyMark, BodyForm, BodyJSON,
	URLScheme, URLPort, URLHost, URLSlash, URLQuery, TimeUnit, SigEncoding, TestMode, URLUnknown,
}

// work is how many bytes are hashed at most, so that a large body cannot keep
// the doctor busy: about half a second's worth.
const work = 512 << 20

// Examine looks for the change that makes the signature fit. It tries single
// changes first, then pairs. It returns the zero Finding if nothing fits, or
// ctx ends. It never changes the request.
func Examine(ctx context.Context, p Patient) Finding {
	if p.Provider == nil || p.Provider.Verify == nil {
		return Finding{}
	}
	e := &examination{ctx: ctx, Patient: p, left: work}
	if f, ok := e.first(e.secrets(), e.bodies(), e.addresses(), e.times(), e.writings()); ok {
		return f
	}
	if f, ok := e.elsewhere(); ok {
		return f
	}
	for _, pair := range [][2][]change{
		{e.secrets(), e.bodies()}, {e.secrets(), e.addresses()}, {e.bodies(), e.addresses()}, {e.secrets(), e.writings()},
	} {
		if f, ok := e.pairs(pair[0], pair[1]); ok {
			return f
		}
	}
	if testMode(p.Request.Body) {
		return Finding{Cause: TestMode}
	}
	if e.signsAddress() {
		return Finding{Cause: URLUnknown}
	}
	return Finding{}
}

// signsAddress reports whether the address is part of what is signed.
func (e *examination) signsAddress() bool {
	s := e.Provider.Verify(e.Request, e.Secrets, e.Request.At)
	return s.Status == capture.Invalid && e.Request.URL != "" && bytes.Contains(bytes.Join(s.Content, nil), []byte(e.Request.URL))
}

// A change is one thing that may have gone wrong, undone.
type change struct {
	cause  Cause
	detail string
	secret func(string) string           // nil leaves the secrets
	undo   func(r *capture.Request) bool // nil leaves the request; false: nothing to undo
}

type examination struct {
	Patient
	ctx  context.Context //nolint:containedctx // of one call
	left int
}

// first returns the first of the changes that fits alone.
func (e *examination) first(lists ...[]change) (Finding, bool) {
	for _, list := range lists {
		for _, c := range list {
			if f, ok := e.fits(c); ok {
				return f, true
			}
		}
	}
	return Finding{}, false
}

// pairs returns the first pair of changes that fits.
func (e *examination) pairs(one, two []change) (Finding, bool) {
	for _, a := range one {
		for _, b := range two {
			if f, ok := e.fits(a, b); ok {
				return f, true
			}
		}
	}
	return Finding{}, false
}

// fits tries changes together.
func (e *examination) fits(changes ...change) (Finding, bool) {
	if e.left < 0 || e.ctx.Err() != nil {
		return Finding{}, false
	}
	r := e.Request.Clone()
	r.Header = r.Header.Clone()
	secrets := e.Secrets
	for _, c := range changes {
		if c.undo != nil {
			e.left -= len(r.Body) // it may be written anew
			if !c.undo(r) {
				return Finding{}, false
			}
		}
		if c.secret != nil {
			if secrets = changed(secrets, c.secret); secrets == nil {
				return Finding{}, false
			}
		}
	}
	f, ok := e.verify(e.Provider, r, secrets)
	if !ok {
		return Finding{}, false
	}
	f.Cause, f.Detail = changes[0].cause, changes[0].detail
	for _, c := range changes[1:] {
		f.Also = &Finding{Cause: c.cause, Detail: c.detail}
	}
	return f, true
}

// verify asks a row about a request, as long as there is work left.
func (e *examination) verify(p *capture.Provider, r *capture.Request, secrets []capture.Secret) (f Finding, ok bool) {
	e.left -= (len(r.Body) + 1024) * max(len(secrets), 1)
	if e.left < 0 || e.ctx.Err() != nil || len(secrets) == 0 {
		return Finding{}, false
	}
	defer func() {
		if recover() != nil { // a row that breaks knows nothing
			f, ok = Finding{}, false
		}
	}()
	s := p.Verify(r, secrets, r.At)
	if s.Status != capture.Valid && s.Status != capture.Stale && s.Status != capture.Authenticated {
		return Finding{}, false
	}
	return Finding{Secret: s.Secret, Scheme: s.Scheme, Status: s.Status, Content: s.Content}, true
}

// changed returns the secrets changed; nil if the change leaves all as they are.
// One that it leaves becomes empty, which is no secret, so that the numbers stay.
func changed(secrets []capture.Secret, change func(string) string) []capture.Secret {
	out := make([]capture.Secret, len(secrets))
	any := false
	for i, s := range secrets {
		if n := change(s.Reveal()); n != "" && n != s.Reveal() {
			out[i], any = capture.Secret(n), true
		}
	}
	if !any {
		return nil
	}
	return out
}

// elsewhere looks for the secret, or the provider, that it is of.
func (e *examination) elsewhere() (Finding, bool) {
	for _, h := range e.Others {
		if f, ok := e.verify(e.Provider, e.Request, h.Secrets); ok {
			f.Cause, f.Detail, f.Secret = OtherEndpoint, h.Endpoint, 0
			return f, true
		}
	}
	for i := range e.Rows.All() {
		row := &e.Rows.All()[i]
		if row.Name == e.Provider.Name || row.Verify == nil || row.Header == "" || e.Request.Header.Get(row.Header) == "" {
			continue
		}
		if f, ok := e.verify(row, e.Request, e.Secrets); ok && f.Status != capture.Authenticated {
			f.Cause, f.Detail = OtherProvider, row.Title
			return f, true
		}
	}
	return Finding{}, false
}
