package tunnel

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"time"
)

// further is how many ports after the one asked for are tried.
const further = 20

// Listen opens the local address, "127.0.0.1:4080". If another program has the
// port, the next free one is taken, and taken is the port that was asked for;
// otherwise taken is 0. Only an address of this machine alone is allowed, and
// only one per Keeper.
func (k *Keeper) Listen(ctx context.Context, addr string) (taken int, err error) {
	host, wanted, err := loopback(addr)
	if err != nil {
		return 0, fmt.Errorf("listen on %q: %w", addr, err)
	}
	l, err := firstFree(ctx, host, wanted)
	if err != nil {
		return 0, fmt.Errorf("listen on %s: %w", addr, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.isClosed() || k.local != nil {
		l.Close()
		return 0, errors.New("the local address is open already, or was closed")
	}
	k.local, k.localDone = l, make(chan struct{})
	go k.serveLocal(l)
	if got := l.Addr().(*net.TCPAddr).Port; wanted != 0 && got != wanted {
		taken = wanted
	}
	return taken, nil
}

// CheckListen says what is wrong with an address for [Keeper.Listen]; nil if nothing is.
func CheckListen(addr string) error {
	_, _, err := loopback(addr)
	return err
}

// loopback splits addr, and refuses one that other machines could reach.
func loopback(addr string) (host string, port int, err error) {
	host, p, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, errors.New("want an address and a port, 127.0.0.1:4080")
	}
	n, err := strconv.ParseUint(p, 10, 16)
	if err != nil {
		return "", 0, errors.New("want a port from 0 to 65535")
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return "", 0, errors.New("want an address of this machine alone, like 127.0.0.1")
	}
	return host, int(n), nil
}

func firstFree(ctx context.Context, host string, port int) (net.Listener, error) {
	var lc net.ListenConfig
	open := func(port int) (net.Listener, error) {
		return lc.Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	}
	l, first := open(port)
	if first == nil || port == 0 {
		return l, first
	}
	for next := port + 1; next <= min(port+further, 65535); next++ {
		if l, err := open(next); err == nil {
			return l, nil
		}
	}
	if l, err := open(0); err == nil {
		return l, nil
	}
	return nil, first
}

// serveLocal brings in what calls the local address, until Close. An error of
// accept (too many open files) passes.
func (k *Keeper) serveLocal(l net.Listener) {
	defer close(k.localDone)
	for {
		c, err := l.Accept()
		if err == nil {
			select {
			case k.conns <- c:
			case <-k.closed:
				c.Close()
				return
			}
			continue
		}
		select {
		case <-k.closed:
			return
		case <-time.After(time.Second):
			k.log.Warn("local address does not accept", "err", err)
		}
	}
}
