package replay

import (
	"time"

	"anyhook.net/desktop/capture"
)

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
