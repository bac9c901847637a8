// Package replay holds what AnyHook sends to the developer's handler and what
// comes of it: attempts, outcomes, scenarios and runs.
//
// Like capture it is vocabulary only. Sending is in replay/deliver, keeping in
// replay/journal, live traffic in replay/forward, making scenarios in
// replay/plan, carrying them out in replay/run.
package replay

import (
	"time"

	"anyhook.net/desktop/capture"
)

// An Attempt is one delivery of one request to a target, and what came back.
// It is exactly one request on the wire.
type Attempt struct {
	ID      int64 // unique; order of beginning
	Request capture.ID
	Seq     capture.Seq
	N       int   // 1 for the first delivery of Request to Target, counting all since
	Run     RunID // "" for live traffic
	Place   Place // in the scenario of Run; zero for live traffic
	Replay  bool  // asked for by a person, not caused by the sender
	Signing Signing
	Faults  []Fault
	Try     int       // the provider's attempt number that was put in; 0 if none was
	Target  string    // the URL that was called, as the endpoint or the user has it
	Start   time.Time // UTC
	Took    time.Duration
	Outcome Outcome // the zero Outcome while under way
}

// An Outcome is what became of an attempt. Status is set if an answer came,
// Failure if something went wrong; both if the answer's body broke off.
type Outcome struct {
	Status   int     `json:"status,omitzero"`
	Failure  Failure `json:"failure,omitzero"`
	Phase    Phase   `json:"phase,omitzero"`     // where the failure came
	Detail   string  `json:"detail,omitzero"`    // English, for people: the address tried and the error's text
	Head     []byte  `json:"-"`                  // of the answer, byte for byte
	Body     []byte  `json:"-"`                  // of the answer, decoded of chunks, the first MaxKept bytes
	BodySize int64   `json:"body_size,omitzero"` // how many came, kept or not
	Timing   Timing  `json:"timing,omitzero"`
}

// MaxKept is how many bytes of an answer's body are kept.
const MaxKept = 64 << 10

// OK reports whether the handler took the request: a 2xx answer. A 2xx whose
// body broke off was taken all the same.
func (o Outcome) OK() bool { return o.Status >= 200 && o.Status < 300 }

// A Timing is when the phases ended, from the attempt's Start; 0 for those not reached.
type Timing struct {
	Dial      time.Duration `json:"dial,omitzero"`
	TLS       time.Duration `json:"tls,omitzero"`
	Written   time.Duration `json:"written,omitzero"`
	FirstByte time.Duration `json:"first_byte,omitzero"`
	Done      time.Duration `json:"done,omitzero"`
}

// A Failure is why there is no whole answer.
type Failure string

// The failures. The words are stored.
const (
	Refused  Failure = "refused"  // nobody listens at the target
	DNS      Failure = "dns"      // the target's name is unknown
	TLS      Failure = "tls"      // no trust in the target's certificate, or no TLS at all
	Reset    Failure = "reset"    // the handler reset the connection
	Cut      Failure = "cut"      // the connection ended before the answer did
	Timeout  Failure = "timeout"  // the handler may or may not have done its work: nobody knows
	Protocol Failure = "protocol" // what came back is not HTTP/1, or an answer nobody asked for
	Canceled Failure = "canceled" // the user stopped it; the handler may have run
	Lost     Failure = "lost"     // AnyHook itself ended before the answer came
	HungUp   Failure = "hung-up"  // we closed the connection on purpose: see Fault
	Killed   Failure = "killed"   // we killed the handler on purpose: see Fault
	Blocked  Failure = "blocked"  // not sent, and Detail says why: mostly a target that is not this machine, and that nobody confirmed
)

// A Phase is a part of an attempt.
type Phase string

// The phases, in order. The words are stored.
const (
	Dialing   Phase = "dial"
	Handshake Phase = "tls"
	Writing   Phase = "write" // the request
	Waiting   Phase = "wait"  // for the first byte of the answer
	Reading   Phase = "read"  // the answer
)
