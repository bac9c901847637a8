package replay

import "time"

// A Fault is what is done to one send on purpose, as real networks, senders
// and machines do it by themselves.
type Fault struct {
	Kind  FaultKind     `json:"kind"`
	Bytes int           `json:"bytes,omitzero"` // of Cut: how many bytes of the request go out, its head included; 0 is all of the head and half of the body
	After time.Duration `json:"after,omitzero"` // of HangUp and Kill: since the whole request was out; of Slow: how long the request takes to go out
	Share int           `json:"share,omitzero"` // of Kill, in place of After: percent of the time that the handler usually takes
	Point Point         `json:"point,omitzero"` // of Kill: where
}

// A FaultKind is a kind of fault.
type FaultKind string

// The faults. The words are stored, and those of the notation.
const (
	LostAnswer FaultKind = "lost"   // the handler answers, and nobody hears it
	Gateway    FaultKind = "502"    // the same, and a load balancer in front says 502 in its place
	CutRequest FaultKind = "cut"    // the connection ends in the midst of the request
	HangUp     FaultKind = "hangup" // the connection ends before the answer, while the handler is at work: the sender's deadline has passed
	Slow       FaultKind = "slow"   // the request comes in small pieces
	Kill       FaultKind = "kill"   // the handler is killed, all its processes, and started again
)

// FaultKinds are all of them.
var FaultKinds = []FaultKind{LostAnswer, Gateway, CutRequest, HangUp, Slow, Kill}

// A Point is where in a delivery the handler is killed.
type Point string

// The points. The words are stored, and those of the notation.
const (
	AfterBody   Point = ""       // when the whole request is out, and After or Share has passed
	AfterHead   Point = "head"   // when the head is out, and nothing of the body
	AfterAnswer Point = "answer" // as soon as the answer is there
)

// FaultOf returns the fault of that kind, or nil.
func FaultOf(faults []Fault, kind FaultKind) *Fault {
	for i := range faults {
		if faults[i].Kind == kind {
			return &faults[i]
		}
	}
	return nil
}

// Heard reports whether the sender, as it is played, hears the answer of the
// handler if there is one.
func Heard(faults []Fault) bool {
	return FaultOf(faults, LostAnswer) == nil && FaultOf(faults, Gateway) == nil && !Breaks(faults)
}

// Breaks reports whether the faults leave no answer to judge: the request does
// not get through, or nobody waits, or the handler is killed meanwhile.
func Breaks(faults []Fault) bool {
	kill := FaultOf(faults, Kill)
	return FaultOf(faults, CutRequest) != nil || FaultOf(faults, HangUp) != nil || kill != nil && kill.Point != AfterAnswer
}

// Acknowledged reports whether the sender, as it is played, takes the request
// for delivered: it heard a 2xx.
func (a Attempt) Acknowledged() bool { return a.Outcome.OK() && Heard(a.Faults) }

// A Judgement is what an attempt came to, as against what it should.
type Judgement string

// The judgements.
const (
	Right  Judgement = "right"  // taken, or refused with a 4xx where the signature is wrong on purpose
	Wrong  Judgement = "wrong"  // anything else
	Broken Judgement = "broken" // broken on purpose: there is no answer to judge
)

// Judge judges an attempt that ended.
func (a Attempt) Judge() Judgement {
	refused := a.Outcome.Status >= 400 && a.Outcome.Status < 500
	switch {
	case Breaks(a.Faults) && a.Outcome.Failure != Refused && a.Outcome.Failure != DNS && a.Outcome.Failure != TLS:
		return Broken
	case a.Signing.Wrong() && refused, !a.Signing.Wrong() && a.Outcome.OK():
		return Right
	}
	return Wrong
}
