package deliver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A place is a target taken apart.
type place struct {
	tls       bool
	host      string // a name or an address, without brackets
	port      uint16
	authority string // as the target has it, for Host
	path      string // escaped; "" when the sender's is used
	query     string // without the question mark
	hasQuery  bool
}

// ParseTarget returns what a person typed as a target in the form in which it
// is kept: "3000" is http://localhost:3000, "localhost:3000/hook" is
// http://localhost:3000/hook. The error says what is wrong, for people.
func ParseTarget(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", errors.New("it is empty; a target looks like http://localhost:3000/webhooks")
	}
	switch scheme, rest, colon := strings.Cut(s, ":"); {
	case digitsAhead(s): // "3000", "3000/hook"
		s = "http://localhost:" + s
	case scheme == "": // ":3000"
		s = "http://localhost" + s
	case strings.Contains(s, "://"):
	case !colon, strings.HasPrefix(s, "["), digitsAhead(rest): // "localhost", "[::1]:3000", "localhost:3000"
		s = "http://" + s
	default:
		return "", fmt.Errorf("%q does not start a target; a target looks like http://localhost:3000/webhooks", clip(scheme))
	}
	if _, err := parse(s); err != nil {
		return "", err
	}
	return s, nil
}

// Away reports whether a target is known to be another machine, of which a
// person has to say that it may be sent to. A name that nobody knows is not
// known to be. It asks for the addresses of a name, and sends nothing.
func Away(ctx context.Context, target string) bool {
	p, err := parse(target)
	if err != nil {
		return false
	}
	addrs, err := new(Sender).addresses(ctx, p.host)
	return err == nil && !slices.ContainsFunc(addrs, here)
}

// digitsAhead reports whether s is digits up to its path: "3000/hook".
func digitsAhead(s string) bool {
	if i := strings.IndexAny(s, "/?"); i >= 0 {
		s = s[:i]
	}
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Note returns what a person should know about a target that is taken
// otherwise than it is written; "" for most.
func Note(target string) string {
	p, err := parse(target)
	if err != nil {
		return ""
	}
	if a, err := netip.ParseAddr(p.host); err == nil && a.IsUnspecified() {
		return fmt.Sprintf("%s is no address to send to: %s is used", p.host, loopbackOf(a, p.port))
	}
	return ""
}

func loopbackOf(a netip.Addr, port uint16) netip.AddrPort {
	if a.Is4() {
		return netip.AddrPortFrom(loopback4, port)
	}
	return netip.AddrPortFrom(loopback6, port)
}

func parse(target string) (*place, error) {
	for _, c := range []byte(target) {
		if c < 0x20 || c == 0x7f {
			return nil, errors.New("it has a control character")
		}
	}
	u, err := url.Parse(target)
	if err != nil {
		return nil, fmt.Errorf("%q is not a URL", clip(target)) // the error's own text may hold a password
	}
	p := &place{tls: strings.EqualFold(u.Scheme, "https"), host: u.Hostname(), authority: u.Host}
	switch {
	case !p.tls && !strings.EqualFold(u.Scheme, "http"):
		return nil, fmt.Errorf("%q is not http or https", clip(u.Scheme))
	case u.Opaque != "" || p.host == "":
		return nil, errors.New("it names no host")
	case u.User != nil:
		return nil, errors.New("it has a user name or password; a handler is called without")
	case u.Fragment != "" || strings.Contains(target, "#"):
		return nil, errors.New("it has a fragment (#); that is never sent")
	}
	if err := p.setPort(u); err != nil {
		return nil, err
	}
	if !hostLike(p.host) {
		return nil, fmt.Errorf("%q is not a host name", clip(p.host))
	}
	if u.Path != "" && u.Path != "/" {
		p.path = u.EscapedPath()
	}
	p.query, p.hasQuery = escape(u.RawQuery), u.RawQuery != ""
	return p, nil
}

func (p *place) setPort(u *url.URL) error {
	p.port = 80
	if p.tls {
		p.port = 443
	}
	s := u.Port()
	if s == "" {
		p.authority = strings.TrimSuffix(p.authority, ":")
		return nil
	}
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return fmt.Errorf("%s is not a port; ports go from 1 to 65535", clip(s))
	}
	p.port = uint16(n)
	return nil
}

// hostLike reports whether s can stand in a Host field.
func hostLike(s string) bool {
	if _, err := netip.ParseAddr(s); err == nil {
		return true
	}
	for _, c := range []byte(s) {
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_'
		if !ok {
			return false
		}
	}
	return true
}

// hostField is what the Host field says. An address that stands for all
// addresses is nobody's name: dev servers know themselves by the loopback.
func (p *place) hostField() string {
	a, err := netip.ParseAddr(p.host)
	switch {
	case err != nil:
		return p.authority
	case a.IsUnspecified():
		return loopbackOf(a, p.port).String()
	case a.Zone() != "": // means nothing to others
		return netip.AddrPortFrom(a.WithZone(""), p.port).String()
	}
	return p.authority
}

// hostPort is the host with its port.
func (p *place) hostPort() string {
	return net.JoinHostPort(p.host, strconv.Itoa(int(p.port)))
}

// requestTarget is what stands in the request line, given what stood in the
// sender's: the place's path or else the sender's, and the sender's query byte for byte.
func (p *place) requestTarget(sent string) string {
	path, query, hasQuery := strings.Cut(originForm(sent), "?")
	if p.path != "" {
		path = p.path
	}
	switch {
	case p.hasQuery && hasQuery && query != "":
		return path + "?" + p.query + "&" + query
	case p.hasQuery:
		return path + "?" + p.query
	case hasQuery:
		return path + "?" + query
	}
	return path
}

// originForm takes the scheme and authority off an absolute form.
func originForm(sent string) string {
	if strings.HasPrefix(sent, "/") || sent == "*" {
		return sent
	}
	_, rest, ok := strings.Cut(sent, "://")
	if !ok {
		return "/"
	}
	i := strings.IndexAny(rest, "/?")
	switch {
	case i < 0:
		return "/"
	case rest[i] == '?':
		return "/" + rest[i:]
	}
	return rest[i:]
}

// escape writes the bytes that cannot stand in a request line as %XX.
func escape(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// clip shortens what a person typed for a message.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
