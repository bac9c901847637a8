package ngroktest

import (
	"net"
	"sync"
)

// A gate is a connection whose writes can be held.
type gate struct {
	net.Conn
	mu     sync.Mutex
	held   chan struct{} // closed when writes go on; nil while they are not held
	closed bool
}

func (g *gate) freeze(on bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case on && g.held == nil && !g.closed:
		g.held = make(chan struct{})
	case !on && g.held != nil:
		close(g.held)
		g.held = nil
	}
}

// Write waits while the gate is held.
func (g *gate) Write(p []byte) (int, error) {
	g.mu.Lock()
	held := g.held
	g.mu.Unlock()
	if held != nil {
		<-held
	}
	return g.Conn.Write(p)
}

// Close lets held writes go, and closes.
func (g *gate) Close() error {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	err := g.Conn.Close()
	g.freeze(false)
	return err
}
