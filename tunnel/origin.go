package tunnel

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// carried is a connection that a backend brought. It says so through its
// remote address, which lives on whatever is wrapped around it.
type carried struct {
	net.Conn
	by *sink
}

func (c *carried) RemoteAddr() net.Addr {
	addr := c.Conn.RemoteAddr()
	if addr == nil {
		addr = nowhere{}
	}
	return &sender{addr, c.by}
}

type sender struct {
	net.Addr
	by *sink
}

type carriedBy struct{}

// ConnContext notes in ctx which backend brought c, for Origin. It is called in
// http.Server.ConnContext, with the connection that Accept returned or one
// around it that passes RemoteAddr on.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	if from, ok := c.RemoteAddr().(*sender); ok {
		return context.WithValue(ctx, carriedBy{}, from.by)
	}
	return ctx
}

// Origin returns the scheme and the host to which r was sent,
// "https://example.ngrok-free.app", and the address of who sent it, "" if
// nobody knows. X-Forwarded headers are believed only from the tunnel.
func (k *Keeper) Origin(r *http.Request) (base, peer string) {
	if s, ok := r.Context().Value(carriedBy{}).(*sink); ok {
		k.mu.Lock()
		public := s.url
		k.mu.Unlock()
		return carriedBase(r, public), sentFrom(s.r.backend, r)
	}
	k.mu.Lock()
	public, run := k.state.URL, k.run
	k.mu.Unlock()
	if run != nil && public != "" {
		if front, ok := run.backend.(Front); ok && front.Fronted(r) {
			return public, sentFrom(front, r)
		}
	}
	return "http://" + cmp.Or(r.Host, k.Addr().String()), ipOf(r.RemoteAddr)
}

// carriedBase is the base of a request that a tunnel brought, whose public URL
// is known: the host as the sender wrote it, or as the tunnel says it was.
func carriedBase(r *http.Request, public string) string {
	u, err := url.Parse(public)
	if err != nil || u.Host == "" {
		u = &url.URL{Scheme: "https"}
	}
	scheme := strings.ToLower(Last(r.Header, "X-Forwarded-Proto"))
	if scheme != "http" && scheme != "https" {
		scheme = u.Scheme
	}
	host := r.Host
	if forwarded := Last(r.Header, "X-Forwarded-Host"); !sameHost(host, u.Host) && sameHost(forwarded, u.Host) {
		host = forwarded
	}
	return scheme + "://" + cmp.Or(host, u.Host)
}

func sentFrom(b Backend, r *http.Request) string {
	if ip := ipOf(b.ClientIP(r)); ip != "" {
		return ip
	}
	return ipOf(r.RemoteAddr)
}

// ipOf returns the IP address in s, with or without a port; "" if there is none.
func ipOf(s string) string {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().String()
	}
	if ip, err := netip.ParseAddr(strings.Trim(s, "[]")); err == nil {
		return ip.Unmap().String()
	}
	return ""
}

// Last returns the last element of a header that is a list, which is what the
// nearest proxy wrote: whatever stands before it, the sender could have written.
func Last(h http.Header, name string) string {
	lines := h.Values(name)
	if len(lines) == 0 {
		return ""
	}
	last := lines[len(lines)-1]
	return strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
}

// sameHost compares hosts without their case and without the ports that go without saying.
func sameHost(a, b string) bool {
	return a != "" && bare(a) == bare(b)
}

func bare(host string) string {
	host = strings.ToLower(host)
	for _, port := range []string{":443", ":80"} {
		if s, ok := strings.CutSuffix(host, port); ok {
			return s
		}
	}
	return host
}
