// Package ngroktest is a stand-in for the ngrok service, for tests that run
// without a network. It speaks as much of the agent protocol (muxado streams
// over TLS, one JSON exchange per stream) as the ngrok SDK needs to log in, open
// an endpoint, receive requests, lose its session and come back. It listens on
// 127.0.0.1 only.
//
// What it does not imitate: traffic policies, HTTP/2 towards the agent,
// pooling, quotas, the interstitial page, and the exact wording of errors.
package ngroktest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Token is a well-formed authtoken, for Start.
const Token = "2abcdefGHIJKLmnopqrstuvwxyz_4fakeFAKEfake"

// ClientAddr is who the edge says has sent every request.
const ClientAddr = "203.0.113.7:54321"

// An Edge is one ngrok service. Its methods may be called at any time, from any goroutine.
type Edge struct {
	token  string
	pool   *x509.CertPool
	agents net.Listener // TLS; agents call here
	public net.Listener // plain HTTP; the side of the internet
	server *http.Server
	inward *http.Transport
	wg     sync.WaitGroup

	mu        sync.Mutex // guards what follows
	closed    bool
	sessions  map[*session]bool
	endpoints map[string]endpoint // by public host
	byToken   map[string]string   // bind token → public URL; outlives a session
	authErr   string
	bindErr   string
	bindFails int // how many binds fail; below 0 all
	forgotten bool
	refuse    bool
	frozen    bool
	logins    int
	tries     int
	binds     []Bind
	beats     int
	next      int
}

// An endpoint is one public URL that is online.
type endpoint struct {
	id      string
	session *session
}

// Start returns a running edge that lets in agents with token.
func Start(token string) (*Edge, error) {
	return StartDated(token, time.Unix(0, 0), time.Unix(4e9, 0))
}

// StartDated is Start with a certificate that is valid from begin to end only.
func StartDated(token string, begin, end time.Time) (*Edge, error) {
	cert, pool, err := selfSigned(begin, end)
	if err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	var lc net.ListenConfig
	agents, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	public, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		agents.Close()
		return nil, err
	}
	e := &Edge{
		token: token, pool: pool, public: public,
		agents:    tls.NewListener(agents, &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}),
		sessions:  map[*session]bool{},
		endpoints: map[string]endpoint{},
		byToken:   map[string]string{},
	}
	e.inward = &http.Transport{
		DialContext: e.dialAgent, MaxIdleConnsPerHost: 64, DisableCompression: true,
		MaxConnsPerHost: 100, // an agent queues 128 streams and resets what is beyond
	}
	e.server = &http.Server{Handler: e.proxy(), ReadHeaderTimeout: time.Minute}
	e.wg.Go(func() { _ = e.server.Serve(public) }) // until Close
	e.wg.Go(e.serveAgents)
	return e, nil
}

// ConnectAddr is where agents connect, host:port.
func (e *Edge) ConnectAddr() string { return e.agents.Addr().String() }

// CAs is whom agents have to trust.
func (e *Edge) CAs() *x509.CertPool { return e.pool }

// PublicURL is the side of the internet. The Host header chooses the endpoint.
func (e *Edge) PublicURL() string { return "http://" + e.public.Addr().String() }

// Client returns a client that finds every http host at this edge:
// Client().Post("http://hooks.example.com/…"). It ends with the edge.
func (e *Edge) Client() *http.Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", e.public.Addr().String())
	}
	return &http.Client{
		Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 200, DisableCompression: true},
		Timeout:   time.Minute,
	}
}

// FailAuth refuses logins with msg, which should end "\r\n\r\nERR_NGROK_107\r\n"; "" lets them in again.
func (e *Edge) FailAuth(msg string) { e.with(func() { e.authErr = msg }) }

// FailBind refuses endpoints with msg; "" allows them again.
func (e *Edge) FailBind(msg string) { e.FailBinds(msg, -1) }

// FailBinds refuses the next n endpoints with msg.
func (e *Edge) FailBinds(msg string, n int) { e.with(func() { e.bindErr, e.bindFails = msg, n }) }

// Forget makes the edge refuse agents that come back, as one that knows nothing
// of their session any more; new agents are let in.
func (e *Edge) Forget() { e.with(func() { e.forgotten = true }) }

// RefuseConns hangs up on agents right after they connect.
func (e *Edge) RefuseConns(on bool) { e.with(func() { e.refuse = on }) }

// Connections counts agents that connected, those that were refused too.
func (e *Edge) Connections() (n int) { e.with(func() { n = e.tries }); return n }

// Logins counts agents that were let in.
func (e *Edge) Logins() (n int) { e.with(func() { n = e.logins }); return n }

// Heartbeats counts the heartbeats answered.
func (e *Edge) Heartbeats() (n int) { e.with(func() { n = e.beats }); return n }

// Bound returns what agents asked to open, those that were refused too.
func (e *Edge) Bound() (b []Bind) { e.with(func() { b = append(b, e.binds...) }); return b }

// Online reports whether a public host is served.
func (e *Edge) Online(host string) (ok bool) {
	e.with(func() { _, ok = e.endpoints[host] })
	return ok
}

// Cut drops every agent without a goodbye, like a lost network.
func (e *Edge) Cut() {
	for _, s := range e.all() {
		s.conn.Close()
	}
}

// Freeze holds (or lets go) every byte to the agents, old and new, while their
// connections stay: only a heartbeat can tell.
func (e *Edge) Freeze(on bool) {
	e.with(func() { e.frozen = on })
	for _, s := range e.all() {
		s.conn.freeze(on)
	}
}

// StopEndpoint closes an endpoint for a reason, as the service does when an
// account is suspended.
func (e *Edge) StopEndpoint(host, msg, code string) error {
	var at endpoint
	var ok bool
	e.with(func() { at, ok = e.endpoints[host]; delete(e.endpoints, host) })
	if !ok {
		return fmt.Errorf("no endpoint %q", host)
	}
	at.session.tell(streamStop, stop{ID: at.id, Message: msg, ErrorCode: code})
	return nil
}

// Close ends everything and waits for it.
func (e *Edge) Close() {
	e.with(func() { e.closed = true })
	e.agents.Close()
	e.server.Close()
	e.Freeze(false)
	e.Cut()
	e.inward.CloseIdleConnections()
	e.wg.Wait()
}

func (e *Edge) with(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f()
}

func (e *Edge) all() (all []*session) {
	e.with(func() {
		for s := range e.sessions {
			all = append(all, s)
		}
	})
	return all
}
