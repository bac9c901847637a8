package tunnel

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Own is the Backend of those who have a public URL already, from a tunnel or
// a server of their own that passes requests on to the local address. It
// carries nothing; it knows under which address the requests were sent.
type Own struct {
	URL string // "https://hooks.example.com"

	// Header is where what stands in front of AnyHook writes who sent the
	// request, "X-Forwarded-For"; its last element is taken. "" believes no header.
	Header string

	// Probe asks for url from outside, and returns what is wrong. nil asks nothing.
	Probe func(ctx context.Context, url string) error
	Every time.Duration // between probes; 0 means 30 s
}

// probing is how long one probe may take.
const probing = 10 * time.Second

// Name implements Backend.
func (*Own) Name() string { return "own" }

// Run implements Backend: Online at once, and Reconnecting while the probe fails.
func (o *Own) Run(ctx context.Context, _ Sink, report func(State)) error {
	u, err := ParseURL(o.URL)
	if err != nil {
		return err
	}
	report(State{Phase: Online, URL: u})
	if o.Probe == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	every := o.Every
	if every == 0 {
		every = 30 * time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		report(o.probe(ctx, u))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func (o *Own) probe(ctx context.Context, u string) State {
	ctx, cancel := context.WithTimeout(ctx, probing)
	defer cancel()
	if err := o.Probe(ctx, u); err != nil {
		return State{Phase: Reconnecting, URL: u, Err: err}
	}
	return State{Phase: Online, URL: u}
}

// ClientIP implements Backend.
func (o *Own) ClientIP(r *http.Request) string {
	if o.Header == "" {
		return ""
	}
	return Last(r.Header, o.Header)
}

// Fronted implements Front: by Host, or by X-Forwarded-Host where a neighbour
// on this machine wrote it.
func (o *Own) Fronted(r *http.Request) bool {
	u, err := url.Parse(strings.TrimSpace(o.URL))
	if err != nil {
		return false
	}
	if sameHost(r.Host, u.Host) {
		return true
	}
	ip, err := netip.ParseAddr(ipOf(r.RemoteAddr))
	return err == nil && ip.IsLoopback() && sameHost(Last(r.Header, "X-Forwarded-Host"), u.Host)
}

// ParseURL returns the public URL in s, white space and a final slash removed,
// or a fatal *Error that says what is wrong with it.
func ParseURL(s string) (string, error) {
	s = strings.TrimSpace(s)
	u, err := url.Parse(s)
	switch {
	case s == "":
		return "", badURL("url-empty", "There is no public URL.", "Type the address under which the provider reaches this machine.")
	case err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "":
		return "", badURL("url-invalid", "The public URL is not an address on the web.", "Write it like https://hooks.example.com.")
	case u.User != nil:
		return "", badURL("url-user", "The public URL holds a user name or a password.", "Remove what stands before the @: the provider would have to know it.")
	case strings.TrimSuffix(u.Path, "/") != "" || u.RawQuery != "" || u.ForceQuery || strings.Contains(s, "#"):
		return "", badURL("url-path", "The public URL has more than a host.", "Remove what comes after the host: the path is added for each endpoint.")
	}
	return u.Scheme + "://" + u.Host, nil
}

func badURL(advice, what, do string) *Error {
	return &Error{Msg: what, Fatal: true, Advice: advice, What: what, Do: do}
}
