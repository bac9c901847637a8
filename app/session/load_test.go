package session

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stripeLike is a body of 2 KB, as most providers send.
var stripeLike = []byte(`{"id":"evt_%s","object":"event","type":"invoice.paid","created":1796040000,"data":{"object":{"id":"in_1","note":"` +
	strings.Repeat("x", 1850) + `"}}}`)

// A client is one keep-alive connection that sends one request after the other.
type client struct {
	conn net.Conn
	in   *bufio.Reader
}

func dial(tb testing.TB, addr string) *client {
	tb.Helper()
	conn, err := net.Dial("tcp", addr)
	require.NoError(tb, err)
	tb.Cleanup(func() { conn.Close() })
	return &client{conn, bufio.NewReader(conn)}
}

// request is a whole POST with an id of its own in the path and in the body.
func request(id string) []byte {
	body := bytes.Replace(stripeLike, []byte("%s"), []byte(id), 1)
	return fmt.Appendf(nil, "POST /in/%s HTTP/1.1\r\nHost: h.example\r\nUser-Agent: Stripe/1.0\r\nContent-Type: application/json; charset=utf-8\r\n"+
		"Stripe-Signature: t=1796040000,v1=%064d\r\nContent-Length: %d\r\n\r\n%s", id, 0, len(body), body)
}

// post sends raw and returns the status of the answer, which has no body.
func (c *client) post(raw []byte) (int, error) {
	if _, err := c.conn.Write(raw); err != nil {
		return 0, err
	}
	var status int
	for first := true; ; first = false {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if first {
			if _, err := fmt.Sscanf(string(line), "HTTP/1.1 %d", &status); err != nil {
				return 0, err
			}
		}
		if len(bytes.TrimSpace(line)) == 0 {
			return status, nil
		}
	}
}

const patience = 20 * time.Second
