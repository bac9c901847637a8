package tunnel_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/tunnel"
)

// started returns a Keeper on which b runs and is online.
func started(t *testing.T, b tunnel.Backend) *tunnel.Keeper {
	t.Helper()
	k := newKeeper()
	t.Cleanup(func() { k.Close() })
	k.Start(t.Context(), b)
	for {
		more := k.Changed()
		if k.State().Phase == tunnel.Online {
			return k
		}
		select {
		case <-more:
		case <-time.After(10 * time.Second):
			t.Fatal("never online")
		}
	}
}

func request(t *testing.T, remote string, lines ...string) *http.Request {
	t.Helper()
	raw := "POST /in/stripe HTTP/1.1\r\n" + strings.Join(lines, "\r\n") + "\r\n\r\n"
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
	require.NoError(t, err)
	r.RemoteAddr = remote
	return r
}

func TestForwardedHeadersAreBelievedFromTheTunnelAlone(t *testing.T) {
	t.Parallel()
	forged := []string{"Host: 127.0.0.1:4080", "X-Forwarded-For: 198.51.100.66", "X-Forwarded-Host: hooks.example.com", "X-Forwarded-Proto: https"}
	tests := []struct {
		name       string
		tunnelled  bool
		lines      []string
		base, peer string
	}{
		{"as the tunnel sends it", true, []string{"Host: hooks.example.com", "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Host: hooks.example.com", "X-Forwarded-Proto: https"}, publicURL, "203.0.113.9"},
		{"the sender forged a value, the tunnel added the true one", true, []string{"Host: hooks.example.com", "X-Forwarded-For: 198.51.100.66, 203.0.113.9"}, publicURL, "203.0.113.9"},
		{"forged in a line of its own", true, []string{"Host: hooks.example.com", "X-Forwarded-For: 198.51.100.66", "X-Forwarded-For: 203.0.113.9"}, publicURL, "203.0.113.9"},
		{"forged host", true, []string{"Host: hooks.example.com", "X-Forwarded-Host: evil.example", "X-Forwarded-Proto: gopher, https"}, publicURL, "192.0.2.7"},
		{"no X-Forwarded at all", true, []string{"Host: hooks.example.com"}, publicURL, "192.0.2.7"},
		{"an address that is none", true, []string{"Host: hooks.example.com", "X-Forwarded-For: unknown"}, publicURL, "192.0.2.7"},
		{"plain http through the tunnel", true, []string{"Host: hooks.example.com", "X-Forwarded-Proto: http"}, "http://hooks.example.com", "192.0.2.7"},
		{"the tunnel writes another host", true, []string{"Host: inner", "X-Forwarded-Host: hooks.example.com"}, publicURL, "192.0.2.7"},
		{"spelling kept", true, []string{"Host: Hooks.Example.com:443"}, "https://Hooks.Example.com:443", "192.0.2.7"},
		{"an IPv6 sender", true, []string{"Host: hooks.example.com", "X-Forwarded-For: 2001:DB8::1"}, publicURL, "2001:db8::1"},
		{"by the local address", false, []string{"Host: 127.0.0.1:4080"}, "http://127.0.0.1:4080", "192.0.2.7"},
		{"by the local address, all forged", false, forged, "http://127.0.0.1:4080", "192.0.2.7"},
		{"by the local address with the public host", false, []string{"Host: hooks.example.com"}, "http://hooks.example.com", "192.0.2.7"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			here, there := net.Pipe()
			defer there.Close()
			k := started(t, &bringer{c: here})
			r := request(t, "192.0.2.7:999", test.lines...)
			if test.tunnelled {
				c, err := k.Accept()
				require.NoError(t, err)
				defer c.Close()
				r = r.WithContext(tunnel.ConnContext(r.Context(), struct{ net.Conn }{c}))
			} else {
				r = r.WithContext(tunnel.ConnContext(r.Context(), there))
			}
			base, peer := k.Origin(r)
			require.Equal(t, test.base, base)
			require.Equal(t, test.peer, peer)
		})
	}
}

// bringer is a Backend that brings one connection.
type bringer struct {
	carrier
	c net.Conn
}

func (b *bringer) Run(ctx context.Context, sink tunnel.Sink, report func(tunnel.State)) error {
	report(tunnel.State{Phase: tunnel.Online, URL: publicURL})
	sink.Deliver(b.c)
	<-ctx.Done()
	return ctx.Err()
}

func TestARequestToTheOwnURLIsKnownByItsHost(t *testing.T) {
	t.Parallel()
	const local, public = "http://127.0.0.1:4080", "https://Own.example.com:8443"
	tests := []struct {
		name, remote, header string
		lines                []string
		base, peer           string
	}{
		{"Host passed on", "127.0.0.1:1", "", []string{"Host: own.example.com:8443"}, public, "127.0.0.1"},
		{"Host rewritten, told by a neighbour", "127.0.0.1:1", "", []string{"Host: 127.0.0.1:4080", "X-Forwarded-Host: own.example.com:8443"}, public, "127.0.0.1"},
		{"Host rewritten, told by a stranger", "192.0.2.1:1", "", []string{"Host: 127.0.0.1:4080", "X-Forwarded-Host: own.example.com:8443"}, local, "192.0.2.1"},
		{"another host", "127.0.0.1:1", "X-Forwarded-For", []string{"Host: 127.0.0.1:4080", "X-Forwarded-For: 203.0.113.5"}, local, "127.0.0.1"},
		{"no header is believed unasked", "127.0.0.1:1", "", []string{"Host: own.example.com:8443", "X-Forwarded-For: 203.0.113.5"}, public, "127.0.0.1"},
		{"the header the user named", "127.0.0.1:1", "Cf-Connecting-Ip", []string{"Host: own.example.com:8443", "CF-Connecting-IP: 203.0.113.5"}, public, "203.0.113.5"},
		{"its last element", "127.0.0.1:1", "X-Forwarded-For", []string{"Host: own.example.com:8443", "X-Forwarded-For: 6.6.6.6, 203.0.113.5"}, public, "203.0.113.5"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			k := started(t, &tunnel.Own{URL: public + "/ ", Header: test.header})
			base, peer := k.Origin(request(t, test.remote, test.lines...))
			require.Equal(t, test.base, base)
			require.Equal(t, test.peer, peer)
		})
	}
}

func TestARequestWithoutAHostHasTheLocalAddress(t *testing.T) {
	t.Parallel()
	k := newKeeper()
	defer k.Close()
	_, err := k.Listen(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	base, peer := k.Origin(&http.Request{RemoteAddr: "garbage"})
	require.Equal(t, fmt.Sprintf("http://%s", k.Addr()), base)
	require.Empty(t, peer)
}
