package deliver

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"anyhook.net/desktop/replay"
)

var (
	loopback4 = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	loopback6 = netip.IPv6Loopback()
)

// eachDial bounds one of several addresses, so that a dead one does not use up the time of the next.
const eachDial = 5 * time.Second

// probeDial bounds a look at whether somebody listens.
const probeDial = time.Second

// A link is a connection to the handler: what is read and written, and what is below TLS.
type link struct {
	net.Conn
	raw net.Conn
}

// connect dials, and shakes hands where the target is https. An error has been recorded.
func (s *Sender) connect(ctx context.Context, j *job, at *place) (*link, error) {
	raw, addr, err := s.reach(ctx, at, j.Target.AwayOK)
	if err != nil {
		fail(ctx, j, replay.Dialing, err)
		return nil, err
	}
	j.attempt.Outcome.Timing.Dial = s.since(j)
	if !at.tls {
		return &link{raw, raw}, nil
	}
	conn := tls.Client(raw, &tls.Config{
		ServerName: at.host, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12,
		InsecureSkipVerify: j.Target.SelfSigned && addr.Addr().IsLoopback(), //nolint:gosec // the user said so, and nobody is between
	})
	if err := conn.HandshakeContext(ctx); err != nil {
		_ = raw.Close()
		fail(ctx, j, replay.Handshake, err)
		return nil, err
	}
	j.attempt.Outcome.Timing.TLS = s.since(j)
	return &link{conn, raw}, nil
}

// reach connects to the first of the place's addresses that takes a
// connection. What is dialed is the address that was looked at, not the name
// again: a name that changes its mind in between gains nothing.
func (s *Sender) reach(ctx context.Context, at *place, awayOK bool) (net.Conn, netip.AddrPort, error) {
	if s.own(at.hostPort()) {
		return nil, netip.AddrPort{}, ownPort(at.hostPort())
	}
	addrs, err := s.addresses(ctx, at.host)
	if err != nil {
		return nil, netip.AddrPort{}, err
	}
	may, err := s.allowed(at, addrs, awayOK)
	if err != nil {
		return nil, netip.AddrPort{}, err
	}
	var tried []netip.AddrPort
	var last error
	for _, addr := range may {
		conn, err := s.dialOne(ctx, addr, len(may) > 1)
		if err == nil {
			return conn, addr, nil
		}
		if ctx.Err() != nil {
			return nil, addr, err
		}
		tried = append(tried, addr)
		if last == nil || !refused(err) {
			last = err
		}
	}
	if refused(last) {
		last = &trouble{replay.Refused, s.nobody(ctx, tried)}
	}
	return nil, netip.AddrPort{}, last
}

// allowed leaves those addresses to which may be sent.
func (s *Sender) allowed(at *place, addrs []netip.Addr, awayOK bool) ([]netip.AddrPort, error) {
	var may []netip.AddrPort
	for _, a := range addrs {
		addr := netip.AddrPortFrom(a, at.port)
		if s.own(addr.String()) {
			return nil, ownPort(addr.String())
		}
		if awayOK || here(a) {
			may = append(may, addr)
		}
	}
	if len(may) == 0 {
		name := at.host
		if name != addrs[0].String() {
			name += " (" + addrs[0].String() + ")"
		}
		return nil, &trouble{replay.Blocked, "not sent: " + name + " " + replay.SaysUnconfirmed + "; confirm the target to send there"}
	}
	return may, nil
}

func ownPort(addr string) error {
	return &trouble{replay.Blocked, "not sent: " + addr + " " + replay.SaysOwnPort + ": the request would come back for ever"}
}

func (s *Sender) own(addr string) bool { return s.Own != nil && s.Own(addr) }

// addresses returns those of host, never none without an error. "localhost"
// is both loopbacks, whatever the hosts file says of it (RFC 6761 section 6.3).
func (s *Sender) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		switch a = a.Unmap(); {
		case a == netip.IPv4Unspecified():
			return []netip.Addr{loopback4, loopback6}, nil
		case a == netip.IPv6Unspecified():
			return []netip.Addr{loopback6, loopback4}, nil
		}
		return []netip.Addr{a}, nil
	}
	name := strings.TrimSuffix(strings.ToLower(host), ".")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return []netip.Addr{loopback4, loopback6}, nil
	}
	resolve := s.Resolve
	if resolve == nil {
		resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	found, err := resolve(ctx, host)
	if err != nil || len(found) == 0 {
		return nil, &trouble{replay.DNS, fmt.Sprintf("the name %s is not known: no address found for it", host)}
	}
	for i := range found {
		found[i] = found[i].Unmap()
	}
	return found, nil
}

// here reports whether an address is this machine's.
func here(a netip.Addr) bool {
	if a.IsLoopback() {
		return true
	}
	ifs, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, i := range ifs {
		if n, ok := i.(*net.IPNet); ok {
			if own, ok := netip.AddrFromSlice(n.IP); ok && own.Unmap() == a.WithZone("") {
				return true
			}
		}
	}
	return false
}

func (s *Sender) dialOne(ctx context.Context, addr netip.AddrPort, bounded bool) (net.Conn, error) {
	if bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, eachDial)
		defer cancel()
	}
	if s.Dial != nil {
		return s.Dial(ctx, "tcp", addr.String())
	}
	d := net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: false}, KeepAlive: -1}
	return d.DialContext(ctx, "tcp", addr.String())
}

// nobody says where nobody listens; and where somebody does, if a loopback
// was tried and the other one is served.
func (s *Sender) nobody(ctx context.Context, tried []netip.AddrPort) string {
	names := make([]string, len(tried))
	for i, a := range tried {
		names[i] = a.String()
	}
	text := "connection refused - nothing is listening on " + strings.Join(names, " or ")
	if len(tried) != 1 || !tried[0].Addr().IsLoopback() {
		return text
	}
	other := netip.AddrPortFrom(loopback4, tried[0].Port())
	if tried[0].Addr() == loopback4 {
		other = netip.AddrPortFrom(loopback6, tried[0].Port())
	}
	if !s.own(other.String()) && s.listens(ctx, other) {
		text += ", " + replay.SaysListensElse + other.String()
	}
	return text
}

func (s *Sender) listens(ctx context.Context, addr netip.AddrPort) bool {
	ctx, cancel := context.WithTimeout(ctx, probeDial)
	defer cancel()
	conn, err := s.dialOne(ctx, addr, false)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// Listening reports whether somebody takes connections at the target. It
// sends nothing, and answers within seconds.
func (s *Sender) Listening(ctx context.Context, target Target) bool {
	at, err := parse(target.URL)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, 2*probeDial)
	defer cancel()
	conn, _, err := s.reach(ctx, at, target.AwayOK)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
