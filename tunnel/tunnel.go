// Package tunnel keeps a public address open and hands in what arrives there.
// It knows nothing of webhooks.
package tunnel

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// A Phase is what a tunnel is doing.
type Phase string

// The phases.
const (
	Offline      Phase = "offline"
	Connecting   Phase = "connecting"
	Online       Phase = "online"
	Reconnecting Phase = "reconnecting"
)

// A State is how a tunnel is doing.
type State struct {
	Backend string // name of the Backend, "" for none
	Phase   Phase
	URL     string // last known; live only while Online; may change on a reconnect
	Err     error  // why Reconnecting or Offline; often an *Error
	Since   time.Time
	Latency time.Duration // of the last heartbeat, 0 if the backend has none
}

// An Error is a refusal by the tunnel service.
type Error struct {
	Code  string // "ERR_NGROK_107", "" if it has none
	Msg   string // what the service says; never holds a token
	Fatal bool   // not worth trying again unchanged

	Advice string // a stable word that translations know ("token-invalid"), "" if there is none
	What   string // what happened, in English; "" if there is no Advice
	Do     string // what to do about it, in English
}

func (e *Error) Error() string {
	msg := cmp.Or(e.Msg, e.What)
	if e.Code == "" {
		return msg
	}
	return e.Code + ": " + msg
}

// Advice returns the word for what err means to the user, for translations;
// "" if there is none.
func Advice(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Advice
	}
	return ""
}

// A Sink takes what a backend brings in.
type Sink interface {
	Deliver(c net.Conn) // of backends that carry connections themselves
	LocalURL() string   // for backends that forward to a local address
}

// A Backend keeps one tunnel up until ctx ends or a fatal *Error; it
// reconnects by itself, and calls report on every change. report does not block.
type Backend interface {
	Name() string
	Run(ctx context.Context, sink Sink, report func(State)) error
	// ClientIP says who sent r, which came in by this backend: from what the
	// tunnel vouches for, never from what the sender could have written.
	ClientIP(r *http.Request) string
}

// A Front is a Backend whose requests come in by the local address, from
// something in front of AnyHook that the Keeper did not start.
type Front interface {
	Backend
	// Fronted reports whether r, which came in by the local address, was sent
	// to the public URL.
	Fronted(r *http.Request) bool
}
