package provider

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// A token is a password that a sender shows in a header: it says who sends,
// and nothing of what is sent.
type token struct {
	header string
	basic  bool   // the secret is user:password of HTTP's Basic authentication
	scheme string // before the token, "Bearer"; it may be left out by the sender
	keys   keys
}

func (t token) String() string {
	if t.basic {
		return "user and password (Basic); nothing of the body is signed"
	}
	return "a token in " + t.header + "; nothing of the body is signed"
}

func (t token) verify(r *capture.Request, secrets []capture.Secret, _ time.Time) capture.Signature {
	shown, bad := signature(r, t.header, secrets)
	if bad != nil {
		return *bad
	}
	if t.basic {
		name, text, _ := strings.Cut(shown, " ")
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !strings.EqualFold(name, "Basic") || !strings.Contains(string(b), ":") {
			return refuse(secrets, capture.Malformed, capture.WhyBadShape, t.header+": Basic, and base64 of user:password")
		}
		shown = string(b)
	}
	return judgeToken(t.String(), shown, secrets, t.prefixed)
}

// prefixed returns what may be shown for a secret. One without a colon is the
// password, or the user, alone.
func (t token) prefixed(secret string) []string {
	switch {
	case t.basic && !strings.Contains(secret, ":"):
		return []string{":" + secret, secret + ":"}
	case t.scheme == "":
		return []string{secret}
	}
	return []string{secret, t.scheme + " " + secret}
}

// judgeToken compares what was shown with what may be shown for a secret, in
// constant time whatever the lengths.
func judgeToken(says, shown string, secrets []capture.Secret, may func(secret string) []string) capture.Signature {
	s := capture.Signature{Status: capture.Invalid, Why: capture.WhyWrongToken, Scheme: says}
	got := sha256.Sum256([]byte(shown))
	for i, secret := range secrets {
		if secret == "" {
			continue
		}
		for _, m := range may(secret.Reveal()) {
			want := sha256.Sum256([]byte(m))
			if hmac.Equal(got[:], want[:]) {
				s.Status, s.Why, s.Secret = capture.Authenticated, "", i+1
				return s
			}
		}
	}
	if !anySecret(secrets) {
		s.Status, s.Why = capture.Unchecked, capture.WhyNoSecret
	}
	return s
}

func (t token) sign(r *capture.Request, secret capture.Secret, _ time.Time) error {
	if err := t.keys.check(secret); err != nil {
		return err
	}
	shown := secret.Reveal()
	switch {
	case strings.ContainsAny(shown, "\r\n\x00"):
		return errors.New("the secret cannot stand in a header: it has a line end")
	case t.basic:
		shown = "Basic " + base64.StdEncoding.EncodeToString([]byte(t.prefixed(shown)[0]))
	case t.scheme != "" && strings.HasPrefix(r.Header.Get(t.header), t.scheme+" "):
		shown = t.scheme + " " + shown
	}
	r.SetHeader(t.header, shown)
	return nil
}
