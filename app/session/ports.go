package session

import (
	"context"
	"net"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// usualPorts are where handlers listen on the machines of developers.
var usualPorts = []int{3000, 3001, 3333, 4000, 4242, 4567, 5000, 5001, 5173, 8000, 8080, 8081, 8787, 8888, 9000, 9292}

// dialLimit bounds a look at one port of this machine.
const dialLimit = 500 * time.Millisecond

// OpenPorts returns the usual ports of this machine on which somebody listens,
// ascending. It sends nothing. AnyHook's own ports are never among them.
func (s *Session) OpenPorts(ctx context.Context) []int { return s.openOf(ctx, usualPorts) }

func (s *Session) openOf(ctx context.Context, ports []int) []int {
	practice, _, _ := s.practice.running()
	open := make([]bool, len(ports))
	var wg sync.WaitGroup
	for i, port := range ports {
		if n := strconv.Itoa(port); n == portOf(s.localURL) || n == portOf(practice) {
			continue
		}
		wg.Go(func() { open[i] = listens(ctx, port) })
	}
	wg.Wait()
	var out []int
	for i, port := range ports {
		if open[i] {
			out = append(out, port)
		}
	}
	return out
}

// listens reports whether somebody takes connections at a port of this machine.
func listens(ctx context.Context, port int) bool {
	d := net.Dialer{Timeout: dialLimit}
	for _, host := range []string{"127.0.0.1", "::1"} {
		c, err := d.DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
		if err == nil {
			_ = c.Close()
			return true
		}
	}
	return false
}

// portOf is the port of a URL that has one; "" for none.
func portOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Port()
}
