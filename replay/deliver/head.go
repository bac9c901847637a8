package deliver

import (
	"bytes"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// The fields that AnyHook adds, and takes away when a sender forged them.
const (
	fieldDelivery = "X-AnyHook-Delivery"
	fieldAttempt  = "X-AnyHook-Attempt"
	fieldReplay   = "X-AnyHook-Replay"
	fieldReceived = "X-AnyHook-Received-At"
)

// hopByHop are the fields that belong to one connection, and Expect, which
// asks for an exchange that a stored body has no use for.
var hopByHop = map[string]bool{
	"connection": true, "keep-alive": true, "te": true, "trailer": true, "transfer-encoding": true, "upgrade": true,
	"proxy-authorization": true, "proxy-connection": true, "proxy-authenticate": true, "expect": true,
}

var ours = map[string]bool{
	lower(fieldDelivery): true, lower(fieldAttempt): true, lower(fieldReplay): true, lower(fieldReceived): true,
}

// A wire is a request ready to be written.
type wire struct {
	head []byte
	body []byte
}

// compose makes the request that the handler reads out of the one that came.
func compose(r *capture.Request, to *place, keepHost bool, a *replay.Attempt) (wire, error) {
	method, sent, _ := r.Head.Line()
	if !token(method) || !printable(sent) || method == http.MethodConnect {
		return wire{}, fmt.Errorf("%s is not readable as an HTTP request", r.ID)
	}
	c := composer{body: r.Body, method: method, host: to.hostField(), keepHost: keepHost}
	c.out.Grow(len(r.Head) + 256)
	fmt.Fprintf(&c.out, "%s %s HTTP/1.1\r\n", method, to.requestTarget(sent))
	fields := collect(r.Head)
	c.named = named(fields)
	if !c.hasHost(fields) {
		c.put("Host", c.host)
		c.hostDone = true
	}
	for _, f := range fields {
		if !token(f.name) || !fieldText(f.line) {
			return wire{}, fmt.Errorf("the field %q cannot be sent", clip(f.name))
		}
		c.field(f, fields)
	}
	if !c.lengthDone && (len(r.Body) > 0 || expectsBody(method)) {
		c.length("Content-Length")
	}
	c.put(fieldDelivery, string(r.ID))
	c.put(fieldAttempt, strconv.Itoa(a.N))
	if a.Replay {
		c.put(fieldReplay, "true")
	}
	c.put(fieldReceived, r.At.UTC().Format(time.RFC3339Nano))
	c.out.WriteString("\r\n")
	return wire{c.out.Bytes(), r.Body}, nil
}

// A composer writes the head field by field.
type composer struct {
	out                  bytes.Buffer
	body                 []byte
	method, host         string
	keepHost             bool
	named                map[string]bool // by Connection
	hostDone, lengthDone bool
}

// field writes f, or what stands in its place.
func (c *composer) field(f field, all []field) {
	switch key := lower(f.name); {
	case key == "host":
		c.hostField(f)
	case key == "content-length":
		if !c.lengthDone {
			c.length(f.name)
		}
	case key == "transfer-encoding":
		if !c.lengthDone && !has(all, "content-length") {
			c.length("Content-Length") // the length takes the place of the chunks
		}
	case hopByHop[key] || c.named[key] || ours[strings.ReplaceAll(key, "_", "-")]: // many handlers read _ as -
	default:
		c.out.WriteString(f.line)
		c.out.WriteString("\r\n")
	}
}

func (c *composer) hostField(f field) {
	switch {
	case c.hostDone: // one is enough
	case c.keepHost:
		c.out.WriteString(f.line)
		c.out.WriteString("\r\n")
	default:
		c.put(f.name, c.host)
	}
	c.hostDone = true
}

func (c *composer) hasHost(fields []field) bool { return has(fields, "host") }

func (c *composer) length(name string) {
	c.put(name, strconv.Itoa(len(c.body)))
	c.lengthDone = true
}

func (c *composer) put(name, value string) {
	c.out.WriteString(name)
	c.out.WriteString(": ")
	c.out.WriteString(value)
	c.out.WriteString("\r\n")
}

// expectsBody reports whether a request without a body says so by its length.
func expectsBody(method string) bool {
	return method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
}

// A field is a header line as it came, without its end; folded lines are joined.
type field struct{ name, line string }

func collect(h capture.Head) []field {
	var out []field
	var lines []string // of the newest field
	join := func() {
		if len(lines) > 1 {
			out[len(out)-1].line = strings.Join(lines, " ") // RFC 9112 section 5.2
		}
	}
	for line := range headLines(h) {
		if (line[0] == ' ' || line[0] == '\t') && len(out) > 0 {
			lines = append(lines, strings.Trim(line, " \t"))
			continue
		}
		if name, _, ok := strings.Cut(line, ":"); ok {
			join()
			out, lines = append(out, field{name, line}), append(lines[:0], line)
		}
	}
	join()
	return out
}

// headLines yields the lines after the first, up to the empty one.
func headLines(h capture.Head) iter.Seq[string] {
	return func(yield func(string) bool) {
		first := true
		for line := range bytes.Lines(h) {
			if first {
				first = false
				continue
			}
			s := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
			if s == "" || !yield(s) {
				return
			}
		}
	}
}

func has(fields []field, key string) bool {
	for _, f := range fields {
		if lower(f.name) == key {
			return true
		}
	}
	return false
}

// named are the fields that Connection says are for one hop.
func named(fields []field) map[string]bool {
	out := map[string]bool{}
	for _, f := range fields {
		if lower(f.name) != "connection" {
			continue
		}
		_, value, _ := strings.Cut(f.line, ":")
		for name := range strings.SplitSeq(value, ",") {
			out[lower(strings.TrimSpace(name))] = true
		}
	}
	return out
}

func lower(s string) string { return strings.ToLower(s) }

// token reports whether s is a token of RFC 9110 section 5.6.2.
func token(s string) bool {
	for _, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}

// printable reports whether s can stand in a request line.
func printable(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c == 0x7f {
			return false
		}
	}
	return s != ""
}

// fieldText reports whether s can stand in a field: anything but control characters.
func fieldText(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
