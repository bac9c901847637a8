// Package deliver makes single HTTP deliveries to the developer's handler.
//
// A delivery is exactly one request on the wire, on a connection of its own.
// It is written by this package and not by net/http, because net/http sorts
// header fields, adds some of its own, and repeats a request by itself when it
// has an Idempotency-Key and the connection breaks (golang/go#19943); a tool
// that tests for duplicates must never make one. No redirect is followed, no
// proxy is used, and no answer is unpacked.
//
// What the handler reads is what the sender sent: the fields in their order
// and spelling, less those that belong to one connection (RFC 9110 section
// 7.6.1), with one Content-Length, the target's Host, and the X-AnyHook-
// fields at the end.
package deliver

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// Target is where an attempt goes; see [replay.Target].
type Target = replay.Target

// Order is an attempt to make; see [replay.Order].
type Order = replay.Order

// DefaultTimeout is that of a target that names none.
const DefaultTimeout = 30 * time.Second

// AwaitedKeep is how many bytes of an answer are kept when the sender waits for it.
const AwaitedKeep = 1 << 20

// TargetOf returns where the endpoint's requests go.
func TargetOf(ep capture.Endpoint) Target {
	return Target{
		URL: ep.Target, Timeout: ep.Timeout, KeepHost: ep.KeepHost,
		SelfSigned: ep.SelfSigned, AwayOK: ep.AwayOK,
	}
}

// LiveOrder is the order that live forwarding of r to its endpoint makes.
func LiveOrder(r *capture.Request, ep capture.Endpoint) Order {
	o := Order{Request: r, Target: TargetOf(ep)}
	if ep.Reply == capture.Wait {
		o.Keep = AwaitedKeep // it is passed on whole
	}
	return o
}

// A Journal writes attempts down, before and after. Begin sets ID and N.
type Journal interface {
	Begin(ctx context.Context, a *replay.Attempt) error
	End(ctx context.Context, a *replay.Attempt) error
}

// A Sender delivers requests. It keeps no state, and is safe for concurrent use.
type Sender struct {
	Journal Journal
	Now     func() time.Time

	// Sign signs r, a clone, in place, in a way other than as received. An
	// error says why that is impossible; it must not tell the secret.
	Sign func(r *capture.Request, how replay.Signing, now time.Time) error

	// Own reports whether AnyHook itself captures at an address, "127.0.0.1:4080",
	// or at a name and port, "x.ngrok.app:443": nothing is sent there. nil means nowhere.
	Own func(addr string) bool

	// Resolve looks up a name; nil asks the system.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)

	// Dial opens a connection to an address that is all digits; nil is TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// A job is an order being carried out.
type job struct {
	Order
	attempt replay.Attempt
	start   time.Time // with its monotonic reading
	gate    *gate     // nil to send at once
	wire    wire      // what is written
}

// Send makes one attempt and returns it when it has ended. A handler that
// fails is no error but an Outcome; an error means that AnyHook could not do
// its own work, such as write the attempt down. When ctx ends, the attempt
// ends as Canceled, and is written down all the same.
func (s *Sender) Send(ctx context.Context, o Order) (replay.Attempt, error) {
	j, err := s.begin(ctx, o)
	if err != nil {
		return j.attempt, err
	}
	s.carryOut(ctx, j)
	return s.end(ctx, j)
}

func (s *Sender) begin(ctx context.Context, o Order) (*job, error) {
	j := &job{Order: o, start: s.Now()}
	j.attempt = replay.Attempt{
		Request: o.Request.ID, Seq: o.Request.Seq, Run: o.Run, Replay: o.Replay,
		Signing: o.Signing, Target: o.Target.URL, Start: j.start.UTC(),
	}
	if err := s.Journal.Begin(ctx, &j.attempt); err != nil {
		return j, fmt.Errorf("write down attempt at %s: %w", o.Request.ID, err)
	}
	return j, nil
}

func (s *Sender) end(ctx context.Context, j *job) (replay.Attempt, error) {
	j.attempt.Took = s.Now().Sub(j.start)
	kept := j.attempt
	kept.Outcome.Body = kept.Outcome.Body[:min(len(kept.Outcome.Body), replay.MaxKept)]
	if err := s.Journal.End(context.WithoutCancel(ctx), &kept); err != nil {
		return j.attempt, fmt.Errorf("write down outcome of attempt %d at %s: %w", j.attempt.N, j.Request.ID, err)
	}
	return j.attempt, nil
}

// carryOut fills in the attempt's outcome.
func (s *Sender) carryOut(ctx context.Context, j *job) {
	defer j.gate.ready()
	ctx, cancel := withTimeout(ctx, j.Target.Timeout)
	defer cancel()
	out := &j.attempt.Outcome
	at, err := s.prepare(j)
	if err != nil {
		fail(ctx, j, replay.Dialing, err)
		return
	}
	conn, err := s.connect(ctx, j, at)
	if err != nil {
		return
	}
	s.exchange(ctx, j, conn)
	plainToTLS(out, at)
	if out.Failure == "" {
		hangUp(ctx, conn)
	} else {
		_ = conn.raw.Close()
	}
}

// prepare works out what to write, and where to.
func (s *Sender) prepare(j *job) (*place, error) {
	at, err := parse(j.Target.URL)
	if err != nil {
		return nil, &trouble{failure: replay.Blocked, text: "not sent: target: " + err.Error()}
	}
	r := j.Request
	if j.Signing != replay.AsReceived {
		r = r.Clone()
		if s.Sign == nil {
			return nil, &trouble{failure: replay.Blocked, text: "not sent: " + replay.SaysUnsigned}
		}
		if err := s.Sign(r, j.Signing, j.start); err != nil {
			return nil, &trouble{failure: replay.Blocked, text: "not sent: " + replay.SaysUnsigned + ": " + err.Error()}
		}
	}
	j.wire, err = compose(r, at, j.Target.KeepHost, &j.attempt)
	if err != nil {
		return nil, &trouble{failure: replay.Blocked, text: "not sent: " + err.Error()}
	}
	return at, nil
}

func (s *Sender) since(j *job) time.Duration { return max(s.Now().Sub(j.start), 1) }

func withTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d < 0 {
		return context.WithCancel(ctx)
	}
	if d == 0 {
		d = DefaultTimeout
	}
	return context.WithTimeoutCause(ctx, d, overtime(d))
}
