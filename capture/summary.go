package capture

import "time"

// A Summary is what a list shows of a request: no bodies, so that a million fit.
type Summary struct {
	Seq       Seq
	ID        ID
	Kind      Kind
	Endpoint  string
	At        time.Time
	Method    string
	URL       string
	Note      string
	From      ID // of Made
	BodySize  int64
	Provider  string
	Signature Status
	Answered  int

	Read   bool   // false until the events are read: milliseconds after the arrival
	Events int    // how many events it tells of
	Type   string // of the first event
	Object string // of the first event
	Key    string // of the first event
	Seen   int    // the highest Seen of its events: 2 and more mean a duplicate
	Late   bool   // one of its events is late
}

// A Filter chooses requests. The zero Filter chooses all; fields combine with and.
type Filter struct {
	Text       string    // a substring of type, key, object, URL, head or body; letters of A to Z match either case
	Kinds      []Kind    // any of these
	Endpoint   string    // its name
	Provider   string    // its name
	Signature  []Status  // any of these
	Outcome    []Outcome // any of these
	Duplicates bool      // only requests with an event seen before
	Late       bool      // only requests with a late event
	Since      time.Time // arrived at or after; zero for no bound
	Until      time.Time // arrived before; zero for no bound
}

// An Outcome is how the forwarding of a request stands, as a filter asks for it.
type Outcome string

// The outcomes.
const (
	OutcomeOK      Outcome = "ok"      // the last attempt got a 2xx
	OutcomeFailed  Outcome = "failed"  // the last attempt did not
	OutcomeWaiting Outcome = "waiting" // not tried yet, or due again
	OutcomeKept    Outcome = "kept"    // not forwarded
)
