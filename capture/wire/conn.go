package wire

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
)

// A conn copies what is read from it into a framer, and looks at the status
// lines that are written to it.
type conn struct {
	net.Conn
	stray func(Stray)
	large *budget

	mu      sync.Mutex
	heads   framer
	taken   int    // requests that a handler took
	answers int    // final status lines written
	said    []byte // the last of them, without the protocol: "400 Bad Request"
	ended   bool   // the sender ended the connection
	closed  bool   // we did
	held    int    // bytes of the budget for large heads
	full    bool   // there were not enough of them
}

// NetConn returns the connection below.
func (c *conn) NetConn() net.Conn { return c.Conn }

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if !c.feed(p[:n], err) {
		return 0, c.refuse()
	}
	return n, err
}

// feed takes in what was read. It reports whether there is room for it.
func (c *conn) feed(p []byte, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heads.feed(p)
	c.ended = err != nil && !errors.Is(err, os.ErrDeadlineExceeded) // which is how net/http ends a read
	return c.hold()
}

func (c *conn) Write(p []byte) (int, error) {
	if said, ok := finalStatus(p); ok {
		c.mu.Lock()
		c.answers++
		c.said = append(c.said[:0], said...)
		c.letGo()
		c.mu.Unlock()
	}
	return c.Conn.Write(p)
}

// finalStatus returns the status line at the beginning of p, from the code on.
// net/http begins each answer with a write of its own.
func finalStatus(p []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(p, []byte("HTTP/1."))
	if !ok || len(rest) < len("1 200") || rest[1] != ' ' || rest[2] == '1' {
		return nil, false
	}
	line, _, _ := bytes.Cut(rest[2:], []byte("\r\n"))
	return line, true
}

// CloseWrite ends our side alone, for net/http, which lets the sender of a
// refused request read the refusal that way.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

func (c *conn) Close() error {
	s, ok := c.end()
	err := c.Conn.Close()
	if ok && c.stray != nil {
		c.stray(s)
	}
	return err
}

// end returns the stray, the first time it is called, if there is one.
func (c *conn) end() (Stray, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return Stray{}, false
	}
	c.closed = true
	left, whole := c.heads.left()
	c.heads.giveUp()
	c.letGo()
	if len(left) == 0 || c.taken > 0 && len(bytes.Trim(left, "\r\n")) == 0 {
		return Stray{}, false
	}
	said := ""
	if c.answers > c.taken {
		said = string(c.said)
	}
	s := Stray{
		Peer:  host(c.RemoteAddr()),
		Bytes: bytes.Clone(left[:min(len(left), maxStray)]),
		Note:  describe(left, !whole && c.ended, said),
	}
	if c.full {
		s.Note = errNoRoom.Error() + "; " + s.Note
	}
	if len(said) >= len("200") {
		s.Answered, _ = strconv.Atoi(said[:len("200")])
	}
	return s, true
}

func (c *conn) take(r *http.Request) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken++
	head := c.heads.take()
	if head == nil || !agrees(head, r) {
		c.heads.giveUp()
		return nil, false
	}
	return head, true
}

func host(addr net.Addr) string {
	if addr == nil {
		return ""
	}
	h, _, err := net.SplitHostPort(addr.String())
	if err != nil {
		return ""
	}
	return h
}
