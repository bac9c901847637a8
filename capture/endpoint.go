package capture

import "time"

// An Endpoint is a path on the tunnel: who calls it, how its signatures are
// checked, what the caller is told, and where its requests go.
type Endpoint struct {
	Name     string   `yaml:"name" json:"name"`                  // unique; stored with every request
	Path     string   `yaml:"path" json:"path"`                  // "/stripe": it and all below it; "/" catches what no other does
	Provider string   `yaml:"provider" json:"provider,omitzero"` // name of a Provider, or "" to recognise each request
	Secrets  []Secret `yaml:"secrets" json:"-"`                  // any may match; with none, nothing is refused
	Target   string   `yaml:"target" json:"target,omitzero"`     // the developer's handler, "http://localhost:3000/webhooks"; "" forwards nothing
	Sample   Secret   `yaml:"-" json:"-"`                        // signs our own samples where there are no Secrets; see Verify

	Command string `yaml:"command" json:"command,omitzero"` // starts the handler, for faults that kill it: "node server.js"; "" for none
	Dir     string `yaml:"dir" json:"dir,omitzero"`         // where Command runs; "" is where AnyHook does

	Reply    Reply         `yaml:"reply" json:"reply,omitzero"`       // what the sender is told
	Deadline time.Duration `yaml:"deadline" json:"deadline,omitzero"` // of Wait; 0 means the provider's, or 10 s
	Fixed    Fixed         `yaml:"fixed" json:"fixed,omitzero"`       // of FixedReply

	PassChecks bool `yaml:"pass_checks" json:"pass_checks,omitzero"` // set-up checks go to the handler, once, and the sender hears what it says

	Timeout        time.Duration `yaml:"timeout" json:"timeout,omitzero"`                 // of one attempt; 0 means 30 s, below 0 none
	KeepHost       bool          `yaml:"keep_host" json:"keep_host,omitzero"`             // send the sender's Host instead of the target's
	SelfSigned     bool          `yaml:"self_signed" json:"self_signed,omitzero"`         // take a certificate nobody vouches for; loopback targets only
	Strict         bool          `yaml:"strict" json:"strict,omitzero"`                   // strict order: what fails blocks what comes behind it
	Parallel       int           `yaml:"parallel" json:"parallel,omitzero"`               // attempts under way at once; 0 means 1
	ForwardRefused bool          `yaml:"forward_refused" json:"forward_refused,omitzero"` // forward what was answered 401, too
	AwayOK         bool          `yaml:"away_ok" json:"away_ok,omitzero"`                 // the user confirmed a target that is not this machine
}

// A Reply is a way to answer the sender.
type Reply string

// The replies. The words are stored.
const (
	Ack        Reply = ""      // store, then 200
	Wait       Reply = "wait"  // store, wait for the handler, pass its answer on; after Deadline, 200
	FixedReply Reply = "fixed" // store, then what Fixed says, for the next Fixed.Times requests; then Ack
)

// Fixed is an answer made up by the user, so that a real provider really retries.
type Fixed struct {
	Status int           `yaml:"status" json:"status,omitzero"` // 200 to 599
	Body   string        `yaml:"body" json:"body,omitzero"`
	Delay  time.Duration `yaml:"delay" json:"delay,omitzero"` // before the answer
	Times  int           `yaml:"times" json:"times,omitzero"` // how many requests; 0 means all
}
