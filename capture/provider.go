package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// A Provider is what AnyHook knows of one sender of webhooks. The rows are in
// capture/provider, one file each. A nil func means: this sender has no such thing.
type Provider struct {
	Name  string // "stripe"; stored, so never renamed
	Title string // "Stripe"

	// Facts, for people. Places in a request are written $.data.id for the
	// body and header:X-Id for a header.
	Scheme    string        // how it signs: "HMAC-SHA256 of t.body, hex"
	Header    string        // the header that holds the signature; "" when it is in the body
	Tolerance time.Duration // how old a signature may be; 0 when it has no time or no limit
	Deadline  time.Duration // how long it waits for an answer; 0 when not published
	Dedupe    string        // what its key is made of: "$.id"; "" when nothing tells occurrences apart
	Order     string        // what guards the order of events of one object; "" when nothing does
	Attempt   string        // where its own attempt number is; "" when it sends none
	Retry     Retry         // how it sends again
	Disabled  string        // what makes it stop sending, an English sentence; "" when not known
	Setup     string        // where in its dashboard the address goes, and the secret is, in English
	Note      string        // what else a developer has to know, an English sentence
	Trust     Trust         // how well all that is known
	Sources   []string      // where it is from

	// How it is recognised: by a header, or by the user agent of a POST, if
	// Match agrees; and by the body where no header tells who sent a request.
	// A row that has neither of them is known by Match alone.
	Marks []string              // header names of which one is in its requests
	Agent string                // the beginning of its User-Agent
	Match func(r *Request) bool // tells it from others with the same marks; nil takes all
	Body  func(r *Request) bool // whether a POST whose body has at most 64 KB is this provider's by its body

	// Members are names of which one is in the body that Body looks for, so that
	// it is not asked about others: of members of the outermost object, or of the
	// first of a list, or of fields of a form. nil: it is asked about all.
	Members []string

	// Verify checks r's signature against the secrets, any of which may match,
	// as of the arrival at now. With no secrets the status is Unchecked, or
	// Missing where even the header is not there.
	Verify func(r *Request, secrets []Secret, now time.Time) Signature

	// Sign signs r anew as of now, in place, as the provider would: r is a
	// Clone, and is changed with SetHeader and SetQuery or by assignment of Body.
	// An error says why that is impossible. nil where the key stays with the
	// provider, so that nobody else can sign.
	Sign func(r *Request, secret Secret, now time.Time) error

	// CheckSecret says why a text cannot be a secret of this provider, without
	// telling it; nil takes every text.
	CheckSecret func(Secret) error

	// Certificate returns the address of the certificate that Verify needs
	// among the secrets, in PEM; ok is false for an address that is not the
	// provider's own. nil where nothing is to be fetched.
	Certificate func(r *Request) (address string, ok bool)

	// Unchained says that the certificate comes without the chain that leads to
	// a root: that it is at the provider's own address has to do.
	Unchained bool

	// Events reads the events that r tells of. An error means that r is not of
	// the provider's shape; what could be read is returned with it.
	Events func(r *Request) ([]Event, error)

	// Mark puts the provider's own attempt number, from 1, into r, a Clone, as
	// the provider does when it sends again; r is signed after that. nil where
	// it sends none.
	Mark func(r *Request, try int) error

	// Batch returns the parts of the body that tell of one event each, byte for
	// byte, in their order. nil where a request always tells of one event.
	Batch func(r *Request) ([][]byte, error)

	// Join gives r, a Clone, a body of such parts. nil as Batch.
	Join func(r *Request, parts [][]byte) error

	// Handshake answers a set-up check. ok is false if r is none. It is asked
	// only when r's signature is good, or cannot be checked, or when there is
	// none and no body that could have been signed.
	Handshake func(r *Request, secrets []Secret) (a Answer, ok bool)

	// Learn returns the secret that a set-up check brings, for the user to keep.
	Learn func(r *Request) (Secret, bool)

	// Ack is what it wants to hear instead of an empty 200; the zero Answer is that.
	Ack Answer
}

// Fitting returns secret if it can be one of this provider's, and else one of
// its shape that follows from it: our own samples are signed with that.
func (p *Provider) Fitting(secret Secret) Secret {
	if p.CheckSecret == nil || secret == "" || p.CheckSecret(secret) == nil {
		return secret
	}
	sum := sha256.Sum256([]byte(secret.Reveal()))
	if hexed := Secret(hex.EncodeToString(sum[:])); p.CheckSecret(hexed) == nil {
		return hexed
	}
	return secret
}

// Retry is how a provider sends again what was not acknowledged. The zero
// Retry is not known.
type Retry struct {
	Never  bool            // it does not
	Times  int             // how often at most, the first delivery aside; 0 when not published
	Within time.Duration   // for how long; 0 when not published
	After  []time.Duration // the pauses, as far as published
}

// Trust is how well the facts of a provider are known.
type Trust struct{ Signature, Identity, Retry Grade }

// A Grade is what a fact rests on.
type Grade string

// The grades. Only what the first three say is verified.
const (
	BySDK     Grade = "sdk"    // the provider's own library was run or read
	ByDocs    Grade = "doc"    // its documentation says so
	BySource  Grade = "src"    // the source of the provider itself says so
	ByOthers  Grade = "sec"    // others who built on it say so
	ByHearsay Grade = "recall" // common knowledge that nobody has checked
)

// Verified reports whether the provider itself is the source.
func (g Grade) Verified() bool { return g == BySDK || g == ByDocs || g == BySource }

// An Answer is what a sender is told.
type Answer struct {
	Status int // 100 to 599
	Fields []Field
	Body   []byte
}
