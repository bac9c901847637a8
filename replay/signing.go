package replay

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// A Signing says what signature a send carries.
type Signing string

// The signings. The words are stored. All but the first two are wrong on
// purpose: they show whether a handler really looks.
const (
	AsReceived  Signing = ""             // the bytes that came
	Fresh       Signing = "fresh"        // signed now, with the endpoint's secret
	WrongSecret Signing = "wrong-secret" // signed now, with a secret that nobody has
	Altered     Signing = "altered"      // signed now, and the body changed after that
	Stale       Signing = "stale"        // signed with the right secret, too long ago
	Unsigned    Signing = "unsigned"     // without its signature
)

// Signings are all of them.
var Signings = []Signing{AsReceived, Fresh, WrongSecret, Altered, Stale, Unsigned}

// Wrong reports whether a handler ought to refuse such a send.
func (s Signing) Wrong() bool { return s != AsReceived && s != Fresh }

// Sign gives r, a clone, the signature that s asks for, as p signs, as of now.
// An error says why that is impossible; it does not tell the secret.
func (s Signing) Sign(p *capture.Provider, r *capture.Request, secret capture.Secret, now time.Time) error {
	if s == AsReceived {
		return nil
	}
	if p.Sign == nil {
		return errors.New("only " + p.Title + " has the key to sign it with: send it as received")
	}
	switch s {
	case AsReceived, Fresh:
		return p.Sign(r, secret, now)
	case WrongSecret:
		return p.Sign(r, spoiled(secret), now)
	case Altered:
		return alter(p, r, secret, now)
	case Stale:
		if p.Tolerance == 0 {
			return errors.New("a signature of " + p.Title + " is never too old")
		}
		return p.Sign(r, secret, now.Add(-p.Tolerance-time.Minute))
	case Unsigned:
		return unsign(p, r, secret, now)
	}
	return fmt.Errorf("%q is no way of signing", string(s))
}

// spoiled returns a secret of the same shape that is another: every letter and
// digit behind its beginning is turned into the next.
func spoiled(secret capture.Secret) capture.Secret {
	b := []byte(secret.Reveal())
	start := strings.IndexByte(secret.Reveal(), '_') + 1
	for i := start; i < len(b); i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '8', c >= 'a' && c <= 'e', c >= 'A' && c <= 'E':
			b[i]++
		case c == '9':
			b[i] = '0'
		case c == 'f', c == 'F':
			b[i] -= 5
		case c >= 'g' && c < 'z', c >= 'G' && c < 'Z':
			b[i]++
		}
	}
	if string(b) == secret.Reveal() {
		return secret + "0"
	}
	return capture.Secret(b)
}

// alter signs, and then changes the body so that it still can be read.
func alter(p *capture.Provider, r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := p.Sign(r, secret, now); err != nil {
		return err
	}
	r.Body = append(slices.Clone(r.Body), ' ')
	if s := p.Verify(r, []capture.Secret{secret}, now).Status; s.Good() {
		return errors.New(p.Title + " does not sign the body: changing it breaks no signature")
	}
	return nil
}

// unsign takes the signature out: the headers that depend on the secret.
func unsign(p *capture.Provider, r *capture.Request, secret capture.Secret, now time.Time) error {
	one, two := r.Clone(), r.Clone()
	one.Header, two.Header = one.Header.Clone(), two.Header.Clone()
	if err := p.Sign(one, secret, now); err != nil {
		return err
	}
	if err := p.Sign(two, spoiled(secret), now); err != nil {
		return err
	}
	gone := changed(one.Header, two.Header)
	if len(gone) == 0 {
		return errors.New("the signature of " + p.Title + " is in the body")
	}
	for _, name := range gone {
		r.RemoveHeader(name)
	}
	return nil
}

// changed returns the names whose values differ.
func changed(a, b http.Header) (names []string) {
	for name, values := range a {
		if !slices.Equal(values, b[name]) {
			names = append(names, name)
		}
	}
	return names
}
