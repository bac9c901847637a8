package view

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"unicode/utf8"

	"anyhook.net/desktop/app/text"
)

const (
	maxParts    = 1000     // fields or parts shown
	maxIndented = 8 << 20  // bytes of one field that is laid out
	maxPartHex  = 64 << 10 // bytes of a binary part shown
)

// form renders a form: one field after the other, in order, repeats kept, what
// is JSON inside laid out.
func form(data []byte) []byte {
	var out bytes.Buffer
	n := 0
	for pair := range bytes.SplitSeq(data, []byte("&")) {
		if len(pair) == 0 {
			continue
		}
		if n++; n > maxParts {
			out.WriteString("…\n")
			break
		}
		name, value, _ := bytes.Cut(pair, []byte("="))
		v := unescape(value)
		if pretty, ok := indent(v); ok && looksJSON(v) {
			v = append([]byte("\n"), pretty...)
		} else {
			v = append([]byte(" "), v...)
		}
		out.Write(unescape(name))
		out.WriteString(":")
		out.Write(v)
		out.WriteString("\n")
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// unescape decodes a piece of a form; what is not of its shape stays as it is.
func unescape(piece []byte) []byte {
	s, err := url.QueryUnescape(string(piece))
	if err != nil {
		return piece
	}
	return []byte(s)
}

// multiparts renders the parts of a multipart body, each in its own charset.
func multiparts(data []byte, boundary string) []byte {
	var out bytes.Buffer
	r := multipart.NewReader(bytes.NewReader(data), boundary)
	for n := 1; n <= maxParts; n++ {
		p, err := r.NextRawPart()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				fmt.Fprintf(&out, "── %s ──\n", text.T("body.part.broken", Clean(err.Error(), 200)))
			}
			break
		}
		body, err := io.ReadAll(p)
		fmt.Fprintf(&out, "── %s ──\n", partTitle(n, p.FormName(), p.FileName(), len(body)))
		out.Write(partBody(p.Header, body))
		out.WriteString("\n\n")
		if err != nil {
			fmt.Fprintf(&out, "── %s ──\n", text.T("body.part.broken", Clean(err.Error(), 200)))
			break
		}
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

func partTitle(n int, name, file string, size int) string {
	title := text.T("body.part", text.Number(int64(n)), Clean(name, 80), text.Size(int64(size)))
	if file != "" {
		title += " · " + Clean(file, 80)
	}
	return title
}

// partBody renders one part: text as text, anything else as hex. A part is not
// unpacked and not taken apart again, however it is coded: a part of parts, or a
// thousand compressed ones, could grow without bound.
func partBody(h textproto.MIMEHeader, body []byte) []byte {
	part := Body{Bytes: body, Header: http.Header{}}
	kind, _ := Body{Header: http.Header(h)}.kind()
	if !strings.HasPrefix(kind, "multipart/") && h.Get("Content-Type") != "" {
		part.Header.Set("Content-Type", h.Get("Content-Type"))
	}
	d := part.Show(Pretty)
	text := kind == "" || strings.HasPrefix(kind, "text/") || looksJSON(body) || utf8.Valid(body)
	if text && bytes.IndexByte(body, 0) < 0 {
		return d.Bytes
	}
	return hexDump(body[:min(len(body), maxPartHex)])
}

// hexDump writes bytes as numbers and characters, 16 a line.
func hexDump(data []byte) []byte {
	return bytes.TrimSuffix([]byte(hex.Dump(data)), []byte("\n"))
}
