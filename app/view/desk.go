// Package view holds what the window shows, ready to draw, without a window:
// it knows neither Fyne nor SQL, so its tests need no display, and the command
// line prints from the same decisions that the window draws.
package view

import (
	"context"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/doctor"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/tunnel"
)

// A Desk is AnyHook at work, as the window sees it. app/session has it. All
// methods may be called from any goroutine; those with a context may take long
// and are not called on the goroutine that draws.
type Desk interface {
	Requests
	Deliveries
	Endpoints
	Senders
	Scenarios
	Tunnels
	Files
	Listener
	Settings
	Recipes

	// Changed returns a channel that is closed at the next change of anything
	// shown. Take it before looking, so that nothing is missed.
	Changed() <-chan struct{}
	// Status is a cheap snapshot.
	Status() Status
}

// Requests reads what was captured.
type Requests interface {
	Last(ctx context.Context) (capture.Seq, error)
	// Summaries returns those of the seqs that exist, in the order asked for.
	Summaries(ctx context.Context, seqs []capture.Seq) ([]capture.Summary, error)
	// Match returns, ascending, the requests of from ≤ seq ≤ to that f chooses.
	Match(ctx context.Context, f capture.Filter, from, to capture.Seq) ([]capture.Seq, error)
	Request(ctx context.Context, id capture.ID) (*capture.Request, error)
	// MadeFrom returns the first requests, at most limit, that were made from the one with the id, oldest first.
	MadeFrom(ctx context.Context, id capture.ID, limit int) ([]capture.Seq, error)
	// Check verifies the signature again, as of the arrival, and fills in Signature.Content.
	Check(ctx context.Context, r *capture.Request) capture.Signature
	// Examine looks for the reason why a signature does not fit.
	Examine(ctx context.Context, r *capture.Request) doctor.Finding
}

// Deliveries reads what was sent to the handler.
type Deliveries interface {
	// Standings returns one for each seq, in the order asked for.
	Standings(ctx context.Context, seqs []capture.Seq) ([]replay.Standing, error)
	// Attempts returns all attempts at a request, first to last.
	Attempts(ctx context.Context, id capture.ID) ([]replay.Attempt, error)
}

// Endpoints keeps the endpoints and their secrets.
type Endpoints interface {
	Endpoints(ctx context.Context) ([]capture.Endpoint, error)
	// SaveEndpoint replaces the endpoint called old, or adds one if old is "".
	SaveEndpoint(ctx context.Context, old string, e capture.Endpoint) error
	DeleteEndpoint(ctx context.Context, name string) error
	Providers() []capture.Provider
}

// A Listener dials targets, also those that no endpoint has yet.
type Listener interface {
	// Listening reports whether somebody listens at a target.
	Listening(ctx context.Context, target string) bool
	// OpenPorts returns usual ports of this machine where somebody else listens, ascending.
	OpenPorts(ctx context.Context) []int
}

// Settings keep what the user chose for the window, across starts.
type Settings interface {
	// Setting returns "" for what was never set.
	Setting(ctx context.Context, key string) (string, error)
	SetSetting(ctx context.Context, key, value string) error
}

// Senders sends to the handler, or to ourselves.
type Senders interface {
	// Replay carries out s and returns when it ended or ctx did. progress is
	// called after every attempt, from any goroutine. target "" means each
	// request's own endpoint's.
	Replay(ctx context.Context, s replay.Scenario, target string, progress func(replay.Run)) (replay.Run, error)
	// Make stores requests that were made here from captured ones, see capture.Request.From, and returns their new IDs.
	Make(ctx context.Context, rs []*capture.Request) ([]capture.ID, error)
	// SendSample sends a signed sample event to our own address, as the provider would.
	SendSample(ctx context.Context, provider, sample string) error
	Samples(provider string) []string
	// Practice starts or stops the practice handler, and points the default endpoint at it or back.
	Practice(ctx context.Context, on bool) error
	// Pause holds live forwarding; what arrives waits.
	Pause(on bool)
}

// Scenarios keeps scenarios, and what came of carrying them out.
type Scenarios interface {
	// Scenarios returns those that are saved, the one that changed last first.
	Scenarios(ctx context.Context) ([]replay.Scenario, error)
	// SaveScenario puts s in the place of the one called old, or adds it if old is "".
	SaveScenario(ctx context.Context, old string, s replay.Scenario) error
	DeleteScenario(ctx context.Context, name string) error
	// PastRuns returns the newest runs, the newest first; those that are under way, too.
	PastRuns(ctx context.Context, limit int) ([]replay.Run, error)
	// RunAttempts returns the attempts of a run, in the order of their beginning.
	RunAttempts(ctx context.Context, id replay.RunID) ([]replay.Attempt, error)
}

// Tunnels opens the way in.
type Tunnels interface {
	// Connect changes the way in, and remembers it.
	Connect(ctx context.Context, c TunnelChoice) error
	// RetryTunnel tries again at once.
	RetryTunnel()
	// TestURL asks for the public URL from outside; nil means that it leads here.
	TestURL(ctx context.Context) error
}

// Files moves requests in and out of files.
type Files interface {
	// Export writes the requests below dir and returns what it wrote. format is "fixture" or "curl".
	Export(ctx context.Context, dir, format string, redact bool, ids []capture.ID) ([]string, error)
	// Import reads fixtures back and returns how many requests it added.
	Import(ctx context.Context, paths []string) (int, error)
}

// A TunnelChoice is a way in. The last one is remembered as JSON, without Token.
type TunnelChoice struct {
	Kind  string `json:"kind"`          // "none", "ngrok" or "own"
	Token string `json:"-"`             // of ngrok; "" keeps the stored one
	URL   string `json:"url,omitempty"` // of own: the public URL; of ngrok: a fixed domain, or ""
}

// A Status is how AnyHook is doing.
type Status struct {
	Tunnel    tunnel.State
	Choice    TunnelChoice // Token is never filled in
	HasToken  bool
	TokenIn   string // where secrets are kept: "keychain", or the path of the 0600 file when there is none
	LocalURL  string // "http://127.0.0.1:4080"
	PortTaken int    // the port we wanted, when another program has it; else 0
	PublicURL string // "" while there is none
	Tested    bool   // the last test of PublicURL since the start was good: it leads to LocalURL

	Store    error // why nothing can be stored right now; nil when all is well
	Paused   bool
	Practice string // URL of the practice handler while it runs, else ""
	Charged  int    // events that the practice handler charged
	Twice    int    // of these, charged more than once
	Requests capture.Seq
	Waiting  int   // requests queued or retrying
	Failing  int   // requests given up, last attempt failed
	FileSize int64 // bytes of the database
	DataDir  string
	MaxBody  int64 // the largest body taken, in bytes
	Targets  []TargetStatus
}

// A TargetStatus is whether somebody listens at a target.
type TargetStatus struct {
	Endpoint  string
	Target    string
	Listening bool
	Failures  int       // in a row
	Since     time.Time // of the last change of Listening
}
