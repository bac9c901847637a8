package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http/httputil"
	"strconv"

	"anyhook.net/desktop/capture"
)

// Split takes one raw HTTP/1 request apart: its head up to and with the empty
// line, and its body. A body in chunks is put together; one whose head speaks
// of chunks that are not there is taken as it is, because AnyHook writes a
// stored request that way. A body longer or shorter than Content-Length is an
// error, but for one final line end, which editors add.
func Split(raw []byte) (head, body []byte, err error) {
	end := headEnd(raw)
	if end < 0 {
		return nil, nil, errors.New("not a raw HTTP request: no empty line ends its head")
	}
	head, body = raw[:end], raw[end:]
	if method, target, proto := capture.Head(head).Line(); method == "" || target == "" || !bytes.HasPrefix([]byte(proto), []byte("HTTP/1.")) {
		return nil, nil, errors.New("not a raw HTTP request: it does not begin with a line such as POST / HTTP/1.1")
	}
	h := capture.Head(head).Header()
	if h.Get("Transfer-Encoding") != "" {
		if whole, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(body))); err == nil {
			body = whole
		}
		return head, body, nil
	}
	if want, err := strconv.Atoi(h.Get("Content-Length")); err == nil && want != len(body) {
		if extra := string(body[min(want, len(body)):]); extra != "\n" && extra != "\r\n" {
			return nil, nil, fmt.Errorf("the body has %d bytes, and its Content-Length says %d", len(body), want)
		}
		body = body[:want]
	}
	return head, body, nil
}

// headEnd is the length of the head, or -1 if it does not end.
func headEnd(raw []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(raw[i:], '\n')
		if n < 0 {
			return -1
		}
		line := bytes.TrimSuffix(raw[i:i+n], []byte("\r"))
		if i += n + 1; len(line) == 0 {
			return i
		}
	}
}
