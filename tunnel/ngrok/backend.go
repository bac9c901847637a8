// Package ngrok is the ngrok service as a tunnel.Backend, through ngrok's own SDK.
//
// The SDK decides the shape of this package. It never gives up on a refused
// token, its listener's Close can hang for ever, its handlers run inside its
// locks, and its errors hide their codes. So every Run makes a new agent, learns
// everything from events, and leaves by ending the session's context and closing
// the connections underneath, never by Close.
//
// ngrok's service is told the host name and the path of this program: the SDK
// sends both with every endpoint, and has no way to leave them out.
package ngrok

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.ngrok.com/ngrok/v2"

	"anyhook.net/desktop/tunnel"
)

// A Backend is one ngrok account's tunnel. Its fields do not change once it runs.
type Backend struct {
	Token   string `json:"-"` // the authtoken; never in a text, a log or an error
	URL     string // a domain of the account; "" takes the one the account was given
	Version string // of this program, for ngrok's statistics
	Logger  *slog.Logger

	// Proxy says through which proxy to reach ngrok, as in http.Transport:
	// http.ProxyFromEnvironment, or nil for none. http and socks5 are known.
	Proxy func(*http.Request) (*url.URL, error)

	ConnectURL string         // of the service, host:port; "" means ngrok's own
	ConnectCAs *x509.CertPool // whom to trust there; nil means ngrok's own

	heartbeat, tolerance, silence time.Duration // for tests; 0 means the defaults
}

// Heartbeats find a dead connection within 25 s. If the SDK itself says
// nothing for as long as silence, it hangs, and is given up.
const (
	heartbeat = 10 * time.Second
	tolerance = 15 * time.Second
	silence   = 55 * time.Second
)

// refusals is how many times in a row the service may refuse an agent before
// another, with a new session, takes its place.
const refusals = 3

// The SDK may take gracefully to end its session by itself, and then leaving to
// notice that its connections are closed. The keeper allows two seconds.
const (
	gracefully = 300 * time.Millisecond
	leaving    = 1200 * time.Millisecond
)

// Name implements tunnel.Backend.
func (Backend) Name() string { return "ngrok" }

// ClientIP implements tunnel.Backend: ngrok appends the sender's address to
// X-Forwarded-For, and advises to take the last one.
func (Backend) ClientIP(r *http.Request) string { return tunnel.Last(r.Header, "X-Forwarded-For") }

// String leaves the token out.
func (b Backend) String() string { return "ngrok " + b.URL }

// GoString leaves the token out.
func (b Backend) GoString() string { return b.String() }

// LogValue leaves the token out.
func (b Backend) LogValue() slog.Value { return slog.StringValue(b.String()) }

// Run implements tunnel.Backend. All its errors are *tunnel.Error, but ctx.Err().
func (b Backend) Run(ctx context.Context, sink tunnel.Sink, report func(tunnel.State)) error {
	endpoint, err := endpointURL(b.URL)
	if err != nil {
		return err
	}
	token := strings.TrimSpace(b.Token)
	hide := redactor(token)
	if token == "" {
		return byCode("ERR_NGROK_4018", "")
	}
	session, end := context.WithCancel(ctx)
	d := &dialer{proxy: b.Proxy, life: session}
	w := newWatch()
	agent, err := ngrok.NewAgent(b.agentOptions(token, hide, d, w)...)
	if err != nil {
		end()
		return explain(err, hide)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		listen(session, agent, endpoint, w, sink)
	}()
	defer func() {
		end()
		if !within(gracefully, done) { // it would try to reconnect if it lost its connection first
			d.closeAll()
			within(leaving, done) // else it is stuck, and holds no connection any more
		}
		d.closeAll()
	}()
	return b.follow(ctx, w, report, hide)
}

// within reports whether done is closed within d.
func within(d time.Duration, done <-chan struct{}) bool {
	late := time.NewTimer(d)
	defer late.Stop()
	select {
	case <-done:
		return true
	case <-late.C:
		return false
	}
}

// listen opens the endpoint and passes on what arrives, until the session ends.
func listen(ctx context.Context, agent ngrok.Agent, endpoint string, w *watch, sink tunnel.Sink) {
	opts := []ngrok.EndpointOption{ngrok.WithDescription("AnyHook Desktop")}
	if endpoint != "" {
		opts = append(opts, ngrok.WithURL(endpoint))
	}
	l, err := agent.Listen(ctx, opts...)
	if err != nil {
		w.note(func(n *news) { n.refused = err })
		return
	}
	w.note(func(n *news) { n.url = l.URL().String() })
	for {
		c, err := l.Accept()
		if err != nil {
			w.note(func(n *news) { n.stopped = err })
			return
		}
		sink.Deliver(c)
	}
}

// follow reports what happens to the session until it is of no use any more.
func (b Backend) follow(ctx context.Context, w *watch, report func(tunnel.State), hide func(string) string) error {
	patience := cmp.Or(b.silence, silence)
	quiet := time.NewTimer(patience)
	defer quiet.Stop()
	for {
		more := w.changed()
		n := w.look()
		st, err := n.verdict(hide)
		if ctx.Err() != nil {
			return ctx.Err() // whatever else there is comes from it
		}
		if err != nil {
			return err
		}
		report(st)
		select {
		case <-more:
			quiet.Reset(patience)
		case <-quiet.C:
			return byWord("silent", "")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (b Backend) agentOptions(token string, hide func(string) string, d *dialer, w *watch) []ngrok.AgentOption {
	opts := []ngrok.AgentOption{
		ngrok.WithAuthtoken(token),
		ngrok.WithClientInfo("anyhook-desktop", cmp.Or(b.Version, "dev")),
		ngrok.WithLogger(quietLogger(b.Logger, hide)),
		ngrok.WithHeartbeatInterval(cmp.Or(b.heartbeat, heartbeat)),
		ngrok.WithHeartbeatTolerance(cmp.Or(b.tolerance, tolerance)),
		ngrok.WithDialer(d),
		ngrok.WithEventHandler(w.event),
	}
	if b.ConnectURL != "" {
		name := serverName(b.ConnectURL)
		opts = append(opts,
			ngrok.WithAgentConnectURL(b.ConnectURL),
			ngrok.WithTLSConfig(func(c *tls.Config) { c.ServerName = name })) // the SDK takes "[" from [::1]:443
	}
	if b.ConnectCAs != nil {
		opts = append(opts, ngrok.WithAgentConnectCAs(b.ConnectCAs))
	}
	return opts
}

// endpointURL makes a URL of what people type for a domain; "" stays "".
func endpointURL(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", nil
	}
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := tunnel.ParseURL(s)
	if err != nil {
		if e, ok := errors.AsType[*tunnel.Error](err); ok {
			return "", e
		}
		return "", err
	}
	return u, nil
}
