package wire

import (
	"bytes"
	"fmt"
	"strings"
)

// describe says for people what a stray is. broken is whether the sender went
// away inside its head; said is the status line that it was answered with, or "".
func describe(b []byte, broken bool, said string) string {
	var notes []string
	switch {
	case len(b) >= 2 && b[0] == 0x16 && b[1] == 3: // a TLS record with a handshake, RFC 8446 section 5.1
		notes = append(notes, "TLS on a port without TLS")
	case bytes.HasPrefix(b, []byte("PRI * HTTP/2.0\r\n")): // RFC 9113 section 3.4
		notes = append(notes, "HTTP/2 on a port for HTTP/1")
	}
	if broken {
		notes = append(notes, "the sender closed the connection inside the head")
	}
	if said != "" {
		notes = append(notes, "answered "+said)
	} else {
		notes = append(notes, "not answered")
	}
	if len(b) > maxStray {
		notes = append(notes, fmt.Sprintf("the first %d bytes of %d", maxStray, len(b)))
	}
	return strings.Join(notes, "; ")
}
