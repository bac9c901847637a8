package view

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"anyhook.net/desktop/capture"
)

// A HeaderLine is one line of a head.
type HeaderLine struct {
	Name, Value string // as on the wire, fit to be drawn
}

// Headers are the header lines of a request, in the order received.
type Headers struct {
	Line   string       // the request line
	Sender []HeaderLine // what the provider sent
	Tunnel []HeaderLine // what the tunnel added on the way
	Bytes  []byte       // the head as it came, without the tunnel's lines and the empty line at its end
}

// tunnelAdds are the header fields that tunnels are known to add.
var tunnelAdds = map[string]bool{
	"x-forwarded-for": true, "x-forwarded-host": true, "x-forwarded-proto": true, "x-forwarded-port": true,
	"forwarded": true, "x-real-ip": true, "ngrok-skip-browser-warning": true, "ngrok-trace-id": true,
	"x-original-host": true, "cf-connecting-ip": true, "cf-ray": true, "cf-visitor": true, "cf-ipcountry": true, "cdn-loop": true,
}

// HeadersOf lays out a head. Only what came through a tunnel, which tunneled
// tells, has lines of the tunnel; without one they are the sender's own.
func HeadersOf(head capture.Head, tunneled bool) Headers {
	method, target, proto := head.Line()
	h := Headers{Line: Clean(strings.Join([]string{method, target, proto}, " "), 4000)}
	for f := range head.Fields() {
		line := HeaderLine{Clean(f.Name, 200), Clean(latin(f.Value), 8000)}
		if tunneled && tunnelAdds[strings.ToLower(f.Name)] {
			h.Tunnel = append(h.Tunnel, line)
		} else {
			h.Sender = append(h.Sender, line)
		}
	}
	h.Bytes = head
	if len(h.Tunnel) > 0 {
		h.Bytes = without(head)
	}
	h.Bytes = bytes.TrimRight(h.Bytes, "\r\n")
	return h
}

// without is a head without the lines that the tunnel added.
func without(head []byte) []byte {
	out := make([]byte, 0, len(head))
	skip := false
	for line := range bytes.Lines(head) {
		folded := line[0] == ' ' || line[0] == '\t'
		if !folded {
			name, _, ok := bytes.Cut(line, []byte(":"))
			skip = ok && len(out) > 0 && tunnelAdds[strings.ToLower(string(name))]
		}
		if !skip {
			out = append(out, line...)
		}
	}
	return out
}

// escaped writes what is not UTF-8 as \xNN.
func escaped(data []byte) []byte {
	out := make([]byte, 0, len(data)+len(data)/8)
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n == 1 {
			out = fmt.Appendf(out, `\x%02X`, data[0])
		} else {
			out = append(out, data[:n]...)
		}
		data = data[n:]
	}
	return out
}

// latin writes what is not UTF-8 as \xNN.
func latin(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string(escaped([]byte(s)))
}

// pathOf returns the path of a URL with its query, without parsing what need not be well formed.
func pathOf(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return "/"
}
