// Package capture holds what AnyHook received: requests as they arrived, the
// events they tell of, and what their signatures were worth; and it holds the
// [Ingest] that answers providers.
//
// It is the vocabulary of the program and imports the standard library only.
// What it knows of single providers is in capture/provider, what it keeps on
// disk in capture/store.
package capture

import (
	"net/http"
	"slices"
	"time"
)

// An ID names a Request for good. It is ours, not the provider's, and is what
// a handler sees in X-AnyHook-Delivery on every attempt.
type ID string

// A Seq is a place in the log. The first request has Seq 1; there are no gaps.
type Seq int64

// A Request is one HTTP request as it arrived. The fields above the line are
// evidence and never change; those below are our reading of them, and a later
// version of AnyHook may read better.
type Request struct {
	Seq      Seq       // zero until appended
	ID       ID        // made by Ingest
	Kind     Kind      // what arrived
	Endpoint string    // name of the Endpoint it came in by, "" for a stray
	At       time.Time // arrival, UTC, to the nanosecond
	Peer     string    // who called, as the tunnel tells it: an IP address, or ""
	URL      string    // public scheme, host and request target exactly as the sender addressed it; some providers sign it
	Head     Head      // request line and header lines up to and with the empty line, byte for byte
	Body     []byte    // the exact body, without chunk framing; never nil once stored
	Note     string    // why a stray, oversize or incomplete request is one, and how one was made, for people; "" otherwise
	From     ID        // of Made: the request that it was made from

	// ----

	Header    http.Header // of Head; names canonicalised, for look-ups only
	Method    string      // of Head
	Provider  string      // name of a Provider, or "" when none matched
	Signature Signature
	Events    []Event // none until read; see Read
	Answered  int     // the status the sender got; 0 while it waits
}

// A Kind says what arrived.
type Kind string

// The kinds. The words are stored.
const (
	Delivery   Kind = "delivery"   // an ordinary webhook: the only kind that is forwarded by itself
	Imported   Kind = "imported"   // read from a file: shown and replayed like a delivery, but it did not arrive here
	Made       Kind = "made"       // made here from another request: edited, or a batch put together
	Handshake  Kind = "handshake"  // a provider's set-up check, answered for the handler
	Other      Kind = "other"      // not webhook traffic: a browser, a crawler, a health check
	Stray      Kind = "stray"      // not readable as HTTP; Head has the bytes
	Oversize   Kind = "oversize"   // refused: the body is over the limit, and is not kept
	Incomplete Kind = "incomplete" // the sender went away before the whole body came
)

// Replayable are the kinds of requests that can be sent to a handler.
var Replayable = []Kind{Delivery, Imported, Made}

// Replayable reports whether such a request can be sent to a handler.
func (k Kind) Replayable() bool { return slices.Contains(Replayable, k) }

// An Event is one occurrence that a Request tells of. Most providers send one
// a request; HubSpot sends up to a hundred.
type Event struct {
	Key    Key       `json:"key"`
	Group  string    `json:"group,omitzero"`  // same occurrence told by several requests (Shopify event id), or ""
	Type   string    `json:"type"`            // the provider's word: "invoice.paid"
	Object string    `json:"object,omitzero"` // what it happened to; order has a meaning only within one object
	At     time.Time `json:"at,omitzero"`     // by the provider's clock; zero if it does not say
	Order  int64     `json:"order,omitzero"`  // a version or sequence number, where the provider has a better guard than At
	Try    int       `json:"try,omitzero"`    // the provider's own attempt number, from 1; 0 if it does not say

	// Seen and Late are filled in by the store, from what came before.
	Seen int  `json:"seen,omitzero"` // 1 for the first arrival of Key, 2 for the second …
	Late bool `json:"late,omitzero"` // a newer event of the same Object had arrived already
}

// A Key tells occurrences apart: two events of one provider with one Value are the same one.
type Key struct {
	Value string `json:"value"`
	Exact bool   `json:"exact,omitzero"` // the provider promises that it is unique; else it is a rule of thumb
}

// Older reports whether e happened before o, by the best guard that both have.
// It is false when nobody can tell.
func (e Event) Older(o Event) bool {
	switch {
	case e.Order != 0 && o.Order != 0:
		return e.Order < o.Order
	case e.At.IsZero() || o.At.IsZero():
		return false
	}
	return e.At.Before(o.At)
}
