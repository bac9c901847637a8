package ngrok

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/proxy"
)

// dialing is how long a connection to ngrok or a proxy may take to be made.
const dialing = 15 * time.Second

// A dialer makes the connections of one session and can close them all, since
// the SDK does not always.
type dialer struct {
	proxy func(*http.Request) (*url.URL, error)
	life  context.Context // that of the session, for Dial

	mu     sync.Mutex
	closed bool
	conns  map[*tracked]bool
}

// A proxyError is a refusal by the proxy.
type proxyError struct{ word, msg string }

func (e *proxyError) Error() string { return e.msg }

// Dial is DialContext for as long as the session lives.
func (d *dialer) Dial(network, addr string) (net.Conn, error) {
	return d.DialContext(d.life, network, addr)
}

// DialContext connects to addr, through the proxy if there is one.
func (d *dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialing)
	defer cancel()
	c, err := d.connect(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	t := &tracked{c, d}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		c.Close()
		return nil, net.ErrClosed
	}
	if d.conns == nil {
		d.conns = map[*tracked]bool{}
	}
	d.conns[t] = true
	return t, nil
}

// closeAll closes every connection, and those yet to come.
func (d *dialer) closeAll() {
	d.mu.Lock()
	conns := d.conns
	d.closed, d.conns = true, nil
	d.mu.Unlock()
	for c := range conns {
		c.Conn.Close()
	}
}

type tracked struct {
	net.Conn
	of *dialer
}

// Close implements net.Conn.
func (t *tracked) Close() error {
	t.of.mu.Lock()
	delete(t.of.conns, t)
	t.of.mu.Unlock()
	return t.Conn.Close()
}

func (d *dialer) connect(ctx context.Context, network, addr string) (net.Conn, error) {
	direct := &net.Dialer{}
	if d.proxy == nil {
		return direct.DialContext(ctx, network, addr)
	}
	u, err := d.proxy(&http.Request{Method: http.MethodConnect, URL: &url.URL{Scheme: "https", Host: addr}})
	switch {
	case err != nil:
		return nil, &proxyError{"proxy", "the address of the proxy is not valid"} // which may hold a password
	case u == nil:
		return direct.DialContext(ctx, network, addr)
	}
	switch u.Scheme {
	case "http":
		return throughHTTP(ctx, direct, u, addr)
	case "socks5", "socks5h":
		return throughSOCKS(ctx, direct, u, addr)
	}
	return nil, &proxyError{"proxy", fmt.Sprintf("a proxy of the kind %q is not known", u.Scheme)}
}

func throughSOCKS(ctx context.Context, direct *net.Dialer, u *url.URL, addr string) (net.Conn, error) {
	via, err := proxy.FromURL(u, direct)
	if err != nil {
		return nil, &proxyError{"proxy", "the address of the proxy is not valid"}
	}
	c, err := via.(proxy.ContextDialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, &proxyError{"proxy", "through the proxy " + u.Host + ": " + err.Error()}
	}
	return c, nil
}

// throughHTTP asks an HTTP proxy to CONNECT, RFC 9110 section 9.3.6.
func throughHTTP(ctx context.Context, direct *net.Dialer, u *url.URL, addr string) (net.Conn, error) {
	host := u.Host
	if u.Port() == "" {
		host = net.JoinHostPort(u.Hostname(), "80")
	}
	c, err := direct.DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, &proxyError{"proxy", "the proxy cannot be reached: " + err.Error()}
	}
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	ask := "CONNECT " + addr + " HTTP/1.1\r\nHost: " + addr + "\r\n"
	if u.User != nil {
		password, _ := u.User.Password()
		ask += "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password)) + "\r\n"
	}
	if _, err = c.Write([]byte(ask + "\r\n")); err != nil {
		c.Close()
		return nil, &proxyError{"proxy", "the proxy hung up: " + err.Error()}
	}
	// What follows is TLS, whose client speaks first: nothing is read too far.
	r := bufio.NewReader(io.LimitReader(c, 64<<10))
	resp, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect})
	if err != nil {
		c.Close()
		return nil, &proxyError{"proxy", "the proxy does not answer as one"}
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK || r.Buffered() > 0 {
		c.Close()
		word := "proxy"
		if resp.StatusCode == http.StatusProxyAuthRequired {
			word = "proxy-login"
		}
		return nil, &proxyError{word, fmt.Sprintf("the proxy answered %d", resp.StatusCode)}
	}
	return c, nil
}

// serverName is the host of host:port, for TLS.
func serverName(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
	}
	return strings.Trim(host, "[]")
}
