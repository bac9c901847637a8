package ngroktest

import "golang.ngrok.com/muxado/v2"

// The types of streams: the first four bytes of each, big endian.
const (
	streamAuth    muxado.StreamType = 0
	streamBind    muxado.StreamType = 1
	streamUnbind  muxado.StreamType = 2
	streamProxy   muxado.StreamType = 3 // edge → agent
	streamSrvInfo muxado.StreamType = 8
	streamStop    muxado.StreamType = 9 // edge → agent
	streamBeat    muxado.StreamType = 0xFFFFFFFF
)

// The messages. Where a field has no tag, the agent writes the Go name.
type (
	authRequest struct {
		Version  []string
		ClientID string `json:"ClientId"`
		Extra    struct{ Authtoken, UserAgent, Metadata, Cookie string }
	}
	authAnswer struct {
		Version  string
		ClientID string `json:"ClientId"`
		Error    string
		Extra    authExtra
	}
	authExtra struct{ Version, Region, Cookie, AccountName, PlanName, AgentSessionID string }

	bindAnswer struct {
		ID    string `json:"Id"`
		URL   string
		Proto string
		Error string
		Opts  map[string]any
		Extra struct{ Token, TunnelID string }
	}
	unbind struct {
		ID string `json:"Id"`
	}
	stop struct {
		ID        string `json:"Id"`
		Message   string
		ErrorCode string
	}
	proxyHeader struct {
		ID             string `json:"Id"`
		ClientAddr     string `json:"ClientAddr"`
		Proto          string `json:"Proto"`
		EdgeType       string `json:"EdgeType"`
		PassthroughTLS bool   `json:"PassthroughTLS"`
	}
)

// A Bind is what an agent asked to open.
type Bind struct {
	ID         string `json:"Id"`
	Proto      string
	ForwardsTo string
	Opts       map[string]any
	Extra      struct {
		Name, Token, Metadata, Description string
		PoolingEnabled                     bool
	}
}
