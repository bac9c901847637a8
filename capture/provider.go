package capture

import "time"

// A Provider is what AnyHook knows of one sender of webhooks. The rows are in
// capture/provider, one file each. A nil func means: this sender has no such thing.
type Provider struct {
	Name  string // "stripe"; stored, so never renamed
	Title string // "Stripe"

	Scheme    string        // how it signs, for people: "HMAC-SHA256 of t.body, hex"
	Header    string        // the header that holds the signature
	Tolerance time.Duration // how old a signature may be; 0 when it has no time
	Deadline  time.Duration // how long it waits for an answer; 0 when not published
	Dedupe    string        // what its key is made of, for people: "$.id"
	Sources   []string      // where these facts are from

	// Match reports whether r looks like this provider's. It looks at headers
	// before it looks at the body, and never at the signature header alone
	// where several providers use the same one.
	Match func(r *Request) bool

	// Verify checks r's signature against the secrets, any of which may match,
	// as of the arrival at now. With no secrets the status is Unchecked, or
	// Missing where even the header is not there.
	Verify func(r *Request, secrets []Secret, now time.Time) Signature

	// Sign signs r anew as of now, in place, as the provider would: r is a
	// Clone, and is changed with SetHeader and SetQuery or by assignment of Body.
	// An error says why that is impossible.
	Sign func(r *Request, secret Secret, now time.Time) error

	// Events reads the events that r tells of. An error means that r is not of
	// the provider's shape; what could be read is returned with it.
	Events func(r *Request) ([]Event, error)

	// Handshake answers a set-up check. ok is false if r is none. It is asked
	// only when r's signature is good, or cannot be checked, or when there is
	// none and no body that could have been signed.
	Handshake func(r *Request, secrets []Secret) (a Answer, ok bool)
}

// An Answer is what a sender is told.
type Answer struct {
	Status int // 100 to 599
	Fields []Field
	Body   []byte
}
