package capture

import (
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// A Status is the worth of a signature.
type Status string

// The statuses. The words are stored.
const (
	Unchecked     Status = "unchecked"     // no secret, or no provider that could check it
	Valid         Status = "valid"         // signed by a holder of the secret, and fresh when it arrived
	Authenticated Status = "authenticated" // a token matched; nothing of the body is covered
	Missing       Status = "missing"       // no signature
	Invalid       Status = "invalid"       // no secret gives this signature
	Stale         Status = "stale"         // signed by a holder of the secret, but outside the time window
	Malformed     Status = "malformed"     // there is a signature, but not of the provider's shape
)

// Good reports whether a holder of the secret sent the request, and in time.
func (s Status) Good() bool { return s == Valid || s == Authenticated }

// Refused reports whether an endpoint that has a secret turns such a request away.
func (s Status) Refused() bool {
	return !s.Good() && s != Unchecked
}

// A Why is the reason behind a Status, as a word that translations know.
type Why string

// The reasons. The words are stored; what %s stands for is in Detail.
const (
	WhyNoSecret    Why = "no-secret"           // nothing to check with
	WhyNoProvider  Why = "no-provider"         // nobody's shape
	WhyNoHeader    Why = "no-header"           // Detail: the header's name
	WhyNoTimestamp Why = "no-timestamp"        // Detail: the header's name
	WhyBadShape    Why = "bad-shape"           // Detail: what the header should look like
	WhyBadTime     Why = "bad-time"            // Detail: the timestamp's text, cut short
	WhyNoMatch     Why = "no-match"            // Detail: the scheme
	WhyWrongToken  Why = "wrong-token"         // what was shown is not a secret of the endpoint; Detail: none
	WhyNoCert      Why = "no-certificate"      // the provider's certificate is not at hand; Detail: its address
	WhyForeignCert Why = "foreign-certificate" // it names a certificate that is not on the provider's own hosts; Detail: the address
	WhyBodyChanged Why = "body-changed"        // Detail: the field that holds the body's hash
	WhyTooOld      Why = "too-old"             // Detail: the age, "301s"
	WhyFuture      Why = "future"              // Detail: how far ahead, "600s"
	WhyBadSecret   Why = "bad-secret"          // the secret cannot be a key of this scheme; Detail: what is expected
	WhyMade        Why = "made"                // made here: nobody signed it so; Detail: the status of the request that it was made from
	WhyTwice       Why = "twice"               // more than one, and nobody can tell which counts; Detail: the header's or field's name
)

var whyText = map[Why]string{
	WhyNoSecret:    "no secret to check with",
	WhyNoProvider:  "no provider recognised",
	WhyNoHeader:    "no %s header",
	WhyNoTimestamp: "no timestamp in %s",
	WhyBadShape:    "not of the shape %s",
	WhyBadTime:     "timestamp %s is not a time",
	WhyNoMatch:     "no secret gives this signature (%s)",
	WhyWrongToken:  "the token is none of the secrets",
	WhyNoCert:      "cannot check: no certificate from %s",
	WhyForeignCert: "it asks for a certificate at %s, which is not the provider's",
	WhyBodyChanged: "the body does not match %s",
	WhyTooOld:      "the signature matches, but it was made %s before it arrived",
	WhyFuture:      "the signature matches, but its time is %s after it arrived: is this clock right?",
	WhyBadSecret:   "the secret cannot be a key: expected %s",
	WhyMade:        "made here from a request whose signature was %s",
	WhyTwice:       "more than one %s: which of them counts is anybody's guess",
}

// A Signature is what the check of a request's signature came to.
type Signature struct {
	Status Status    `json:"status"`
	Why    Why       `json:"why,omitzero"`    // "" when Valid, but for WhyFuture where the provider's own library lets it pass
	Detail string    `json:"detail,omitzero"` // what Why speaks of; never a secret, never an expected signature
	Scheme string    `json:"scheme,omitzero"` // what was checked: "HMAC-SHA256 of t.body"
	Secret int       `json:"secret,omitzero"` // which of the endpoint's secrets matched, from 1
	At     time.Time `json:"at,omitzero"`     // when it was signed, if it says

	// Content is what was hashed, in parts that alias the request. Not stored.
	Content [][]byte `json:"-"`
}

// Worth returns Status, or, of a request that was made here, that of the
// request it was made from.
func (s Signature) Worth() Status {
	if s.Why == WhyMade {
		return Status(s.Detail)
	}
	return s.Status
}

// Reason returns Why in English; "" for a valid signature of which nothing more is to be told.
func (s Signature) Reason() string {
	t, ok := whyText[s.Why]
	if !ok {
		return string(s.Why)
	}
	if !strings.Contains(t, "%s") {
		return t
	}
	return fmt.Sprintf(t, s.Detail)
}

// A Secret is a signing secret, as the provider's dashboard shows it. It
// prints, logs and marshals as ****; only Reveal gives it away.
type Secret string

const mask = "****"

// Reveal returns the secret itself, for a hash or the keychain.
func (s Secret) Reveal() string { return string(s) }

// String masks.
func (Secret) String() string { return mask }

// GoString masks.
func (Secret) GoString() string { return mask }

// LogValue masks.
func (Secret) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalText masks.
func (Secret) MarshalText() ([]byte, error) { return []byte(mask), nil }
