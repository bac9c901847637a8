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
	Replay  bool  // asked for by a person, not caused by the sender
	Signing Signing
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

// A Scenario says what to send, in waves: the sends of one wave go out
// together, and a wave starts when the one before has been answered.
// "Twice" is two waves of one; "twice at once" is one wave of two.
type Scenario struct {
	Name  string
	Seed  uint64 // of whatever chose the order; 0 if nobody did
	Waves []Wave
}

// Sends counts the deliveries that s makes.
func (s Scenario) Sends() int {
	n := 0
	for _, w := range s.Waves {
		n += len(w)
	}
	return n
}

// A Wave is a set of sends that are released at the same moment.
type Wave []Send

// A Send is one delivery to make.
type Send struct {
	Request capture.ID
	Signing Signing
}

// A RunID names a Run.
type RunID string

// A Run is a Scenario carried out, or on its way.
type Run struct {
	ID       RunID
	Scenario Scenario
	Target   string // "" means each request's own endpoint's
	Start    time.Time
	End      time.Time       // zero while it runs
	Sent     int             // attempts that ended, those blocked aside
	OK       int             // of those, taken by the handler
	Failed   int             // of those, not taken; Sent == OK + Failed
	Skipped  int             // sends that were not made: stopped, blocked, or no target. Sends() == Sent + Skipped at the end
	Err      string          // why it stopped before its end; "" if it did not
	Note     string          // why sends were skipped, for people; "" if none was
	Done     int             // waves carried out: what is left of the scenario starts there
	Spread   []time.Duration // for each wave of several sends: from the first release to the last
	Practice *Practised      // what the practice handler made of it; nil if nothing was sent there
}

// Stopped is the Err of a Run that a person stopped.
const Stopped = "stopped"

// A Practised is what the practice handler did with the events of a run, as it
// was when the run ended.
type Practised struct {
	Charged int // events that it charged
	Twice   int // of these, charged once more than they may be, by this run
}

// A Progress is the state of live forwarding of one request.
type Progress string

// The states. The words are stored.
const (
	Queued    Progress = "queued"    // waits for its turn, or for the handler to listen
	Retrying  Progress = "retrying"  // failed, and is due again
	Delivered Progress = "delivered" // the handler took it
	GaveUp    Progress = "gave-up"   // out of retries
	Kept      Progress = "kept"      // not to be forwarded: refused signature, no target, not a delivery
)

// MaxKept is how many bytes of an answer's body are kept.
const MaxKept = 64 << 10

// A Standing is how the deliveries of one request stand: the state of its live
// forwarding, and its last attempt of any kind.
type Standing struct {
	Seq      capture.Seq
	Request  capture.ID
	Endpoint string
	Progress Progress
	Tries    int       // live attempts so far that use up retries; those that nobody listened to do not
	Due      time.Time // of Retrying: when it is tried again

	// Read only: kept up to date by the journal when attempts end.
	Attempts int     // of any kind, to any target
	Replays  int     // of these, asked for by a person
	Status   int     // of the last attempt that ended; 0 if it got no answer
	Failure  Failure // of the last attempt that ended
	Failures int     // attempts that failed since the last that did not
}
