package provider

import (
	"crypto/hmac"
	"errors"
	"hash"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// A way is one reading of what a signature covers. Most schemes have one; a
// signed URL has several spellings.
type way struct {
	scheme string   // for people
	parts  [][]byte // what is hashed, one after the other
}

// A claim is a signature that has the right shape and waits for a secret.
type claim struct {
	ways  []way
	clock clock
	keys  keys
	match func(secret string, parts [][]byte) bool
}

// A clock is the time window of a scheme. The zero clock has none.
type clock struct {
	at     time.Time     // when it was signed
	unit   time.Duration // resolution of at
	window time.Duration // how old it may be; 0 when nobody says
	both   bool          // the provider's own library refuses the future, too
}

// keys says what a secret of a scheme looks like, so that a token of another kind is named as such.
type keys struct {
	want   string                   // what is expected, for people
	alien  []string                 // beginnings of the provider's other tokens
	usable func(secret string) bool // whether it can be a key at all; nil: any text can
}

// judge checks a claim against the secrets. An empty secret is no secret: a
// signature with an empty key could be made by anybody.
func (c claim) judge(secrets []capture.Secret, now time.Time) capture.Signature {
	s := capture.Signature{Scheme: c.ways[0].scheme, At: c.clock.at, Content: c.ways[0].parts}
	tried := false
	for i, secret := range secrets {
		key := secret.Reveal()
		if key == "" {
			continue
		}
		tried = true
		for _, w := range c.ways {
			if c.match(key, w.parts) {
				s.Scheme, s.Content, s.Secret = w.scheme, w.parts, i+1
				return c.clock.judge(s, now)
			}
		}
	}
	if !tried {
		s.Status, s.Why = capture.Unchecked, capture.WhyNoSecret
		return s
	}
	s.Status, s.Why, s.Detail = capture.Invalid, capture.WhyNoMatch, s.Scheme
	if c.keys.wrong(secrets) {
		s.Why, s.Detail = capture.WhyBadSecret, c.keys.want
	}
	return s
}

// judge sets the status of a signature that matched.
func (c clock) judge(s capture.Signature, now time.Time) capture.Signature {
	s.Status = capture.Valid
	if c.at.IsZero() || c.window == 0 {
		return s
	}
	age := now.Truncate(c.unit).Sub(c.at)
	switch {
	case age > c.window:
		s.Status, s.Why, s.Detail = capture.Stale, capture.WhyTooOld, seconds(age)
	case -age > c.window:
		s.Why, s.Detail = capture.WhyFuture, seconds(-age)
		if c.both {
			s.Status = capture.Stale
		}
	}
	return s
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
}

// wrong reports whether not one of the secrets can be a key of the scheme.
func (k keys) wrong(secrets []capture.Secret) bool {
	for _, secret := range secrets {
		if s := secret.Reveal(); s != "" && k.fits(s) {
			return false
		}
	}
	return true
}

func (k keys) fits(secret string) bool {
	for _, p := range k.alien {
		if strings.HasPrefix(secret, p) {
			return false
		}
	}
	return k.usable == nil || k.usable(secret)
}

// check returns why a secret cannot sign; the error does not tell the secret.
func (k keys) check(secret capture.Secret) error {
	switch {
	case secret == "":
		return errNoSecret
	case !k.fits(secret.Reveal()):
		return errors.New("the secret cannot be a key: expected " + k.want)
	}
	return nil
}

var errNoSecret = errors.New("no secret to sign with")

// mac returns the HMAC of the parts under the secret's own bytes.
func mac(newHash func() hash.Hash, secret string, parts ...[]byte) []byte {
	h := hmac.New(newHash, []byte(secret))
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// anyMAC returns a match that accepts any of the signatures.
func anyMAC(newHash func() hash.Hash, sigs ...[]byte) func(string, [][]byte) bool {
	return func(secret string, parts [][]byte) bool {
		want := mac(newHash, secret, parts...)
		for _, sig := range sigs {
			if hmac.Equal(sig, want) {
				return true
			}
		}
		return false
	}
}

// refuse is the verdict on a signature that cannot be checked. Without a
// secret nothing would have been checked anyway, and only a header that is
// not there is worth telling.
func refuse(secrets []capture.Secret, status capture.Status, why capture.Why, detail string) capture.Signature {
	if status != capture.Missing && !anySecret(secrets) {
		return capture.Signature{Status: capture.Unchecked, Why: capture.WhyNoSecret}
	}
	return capture.Signature{Status: status, Why: why, Detail: detail}
}

func anySecret(secrets []capture.Secret) bool {
	for _, s := range secrets {
		if s != "" {
			return true
		}
	}
	return false
}
