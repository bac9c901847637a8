package wire

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"anyhook.net/desktop/capture"
)

// A framing is what comes behind a head.
type framing struct {
	state  state // inHead, inBody, chunkSize, refused or lost
	length uint64
}

// framingOf does with the two fields that say how a body is framed what
// readTransfer of net/http does with them.
func framingOf(head []byte) framing {
	lengths, codings, ok := bodyFields(head)
	if !ok {
		return framing{state: lost}
	}
	_, _, proto := capture.Head(head).Line()
	major, minor, ok := http.ParseHTTPVersion(proto)
	if !ok {
		return framing{state: refused}
	}
	if major == 1 && minor == 0 || major == 0 {
		codings = nil // it ignores them
	}
	length := uint64(0)
	for i, text := range lengths {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil || i > 0 && text != lengths[0] {
			return framing{state: refused}
		}
		length = n
	}
	switch {
	case len(codings) > 1 || len(codings) == 1 && !strings.EqualFold(codings[0], "chunked"):
		return framing{state: refused}
	case len(codings) == 1:
		return framing{state: chunkSize}
	case length > 0:
		return framing{inBody, length}
	}
	return framing{state: inHead}
}

// bodyFields returns the values of Content-Length and Transfer-Encoding. ok is
// false if one of them goes on in a second line: what net/http makes of that is
// not for us to guess.
func bodyFields(head []byte) (lengths, codings []string, ok bool) {
	_, rest, _ := bytes.Cut(head, []byte("\n"))
	last := false // whether the line before was one of the two
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			if last {
				return nil, nil, false
			}
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		last = true
		switch {
		case len(name) == len("Content-Length") && bytes.EqualFold(name, []byte("Content-Length")):
			lengths = append(lengths, string(bytes.Trim(value, " \t\r")))
		case len(name) == len("Transfer-Encoding") && bytes.EqualFold(name, []byte("Transfer-Encoding")):
			codings = append(codings, string(bytes.Trim(value, " \t\r")))
		default:
			last = false
		}
	}
	return lengths, codings, true
}

// chunkLength reads a size line, its end included.
func chunkLength(line []byte) (uint64, bool) {
	line, ok := bytes.CutSuffix(line, []byte("\r\n"))
	if !ok || bytes.IndexByte(line, '\r') >= 0 {
		return 0, false
	}
	size, _, _ := bytes.Cut(bytes.TrimRight(line, " \t"), []byte(";"))
	if len(size) > 16 {
		return 0, false
	}
	for _, c := range size { // ParseUint takes a sign and more
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(string(size), 16, 64)
	return n, err == nil
}

// notCompared are the fields that net/http takes out of a request's header, or puts in.
var notCompared = []string{"Host", "Content-Length", "Transfer-Encoding", "Trailer", "Cache-Control"}

// agrees reports whether head is what net/http read r from: the request line
// to the byte, and the same fields.
func agrees(head capture.Head, r *http.Request) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if string(bytes.TrimSuffix(line, []byte("\r"))) != r.Method+" "+r.RequestURI+" "+r.Proto {
		return false
	}
	seen, fields := map[string]int{}, 0 // by name, and of all
	for f := range head.Fields() {
		name := http.CanonicalHeaderKey(f.Name)
		if slices.Contains(notCompared, name) {
			continue
		}
		values, i := r.Header[name], seen[name]
		if i == len(values) || values[i] != f.Value && strings.TrimRight(values[i], " ") != f.Value { // net/http keeps the spaces of empty folded lines
			return false
		}
		seen[name]++
		fields++
	}
	for name, values := range r.Header {
		if !slices.Contains(notCompared, name) {
			fields -= len(values)
		}
	}
	return fields == 0
}
