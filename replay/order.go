package replay

import (
	"time"

	"anyhook.net/desktop/capture"
)

// A Target is where an attempt goes, and how it gets there.
type Target struct {
	URL        string        // "http://localhost:3000/webhooks"; without a path, the path that the sender used
	Timeout    time.Duration // of the whole attempt, the answer's body included; 0 means 30 s, below 0 none
	KeepHost   bool          // send the sender's Host instead of the target's
	SelfSigned bool          // take a certificate nobody vouches for; loopback only
	AwayOK     bool          // the user confirmed a target that is not this machine
}

// An Order is an attempt to make.
type Order struct {
	Request *capture.Request // never changed
	Target  Target
	Signing Signing
	Run     RunID
	Replay  bool // asked for by a person
	Keep    int  // how many bytes of the answer's body to return; 0 means MaxKept

	Place  Place
	Faults []Fault
	Try    int           // the provider's attempt number to put in; 0 leaves what came
	Wait   time.Duration // of one of several at once: from the release of all
	Kill   func()        // kills the handler, for a Fault that does; returns when it is dead
}

// MaxAtOnce is how many sends a wave can have.
const MaxAtOnce = 64
