package wire

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

const (
	// maxLarge is how many bytes of large heads all connections hold together.
	// What net/http keeps of them, and the growing, makes that four times as much memory.
	maxLarge = 32 << 20
	// perLine is how many bytes a line counts for more than it has: that much at
	// least it costs net/http to keep a field apart.
	perLine = 32
	// small is the size in bytes up to which a head does not count.
	small = 8 << 10
	// linger is how long a refusal may take to be read, as long as net/http gives its own.
	linger = 500 * time.Millisecond
)

const refusal = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

var errNoRoom = errors.New("too many large heads at once")

// A budget is bytes that connections share.
type budget struct {
	mu   sync.Mutex
	free int
}

// take reports whether there were n bytes, which are the caller's then.
func (b *budget) take(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > b.free {
		return false
	}
	b.free -= n
	return true
}

func (b *budget) give(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += n
}

// over is how many bytes of what the framer keeps count.
func (c *conn) over() int { return max(0, len(c.heads.raw)+perLine*c.heads.lines-small) }

// hold sees that the connection has room for what its framer keeps, and
// reports whether there is. It is called with the lock held.
func (c *conn) hold() bool {
	if more := c.over() - c.held; more > 0 {
		if !c.large.take(more) {
			c.full = true
			return false
		}
		c.held += more
	}
	return true
}

// letGo gives back what a request that is answered held; not the head of one
// that net/http turned away, which is there until the end. It is called with
// the lock held.
func (c *conn) letGo() {
	if less := c.held - c.over(); less > 0 {
		c.large.give(less)
		c.held -= less
	}
}

// refuse answers in the place of net/http, which then takes the connection for broken.
func (c *conn) refuse() error {
	if _, err := io.WriteString(c, refusal); err == nil && c.CloseWrite() == nil {
		<-time.After(linger) // closed while bytes arrive, the sender would see a reset only
	}
	return &net.OpError{Op: "read", Net: "tcp", Err: errNoRoom}
}
