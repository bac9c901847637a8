package view

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
)

const (
	maxDecoded = 32 << 20 // of a compressed body
)

// A Rendering is a way to show a body.
type Rendering string

// The renderings.
const (
	Pretty Rendering = "pretty" // indented, decoded; a rendering, never the stored bytes
	Raw    Rendering = "raw"    // the bytes as text
	Hex    Rendering = "hex"    // offset, bytes, characters
	Image  Rendering = "image"  // Bytes are a PNG, JPEG or GIF
)

// Name is what its tab says.
func (r Rendering) Name() string { return text.T("rendering." + string(r)) }

// A Document is a body as it is shown. What lays it out shows JSON indented,
// and a byte that is no text as what it is.
type Document struct {
	Rendering Rendering
	JSON      bool   // of Pretty: Bytes are JSON, not laid out yet
	Bytes     []byte // the text; of Hex, the bytes; of Image, the picture
	Notes     []string
}

// A Body is the body of a request or an answer, with what says how to read it.
type Body struct {
	Bytes  []byte
	Header http.Header
	Cut    int64 // how many bytes there were, when only the beginning is kept; else 0
}

// Renderings returns the ways that make sense for b, the best first.
func (b Body) Renderings() []Rendering {
	data, _, _ := b.decoded()
	if len(data) == 0 {
		return []Rendering{Raw}
	}
	all := []Rendering{Raw, Hex}
	if picture(data) {
		return []Rendering{Image, Hex}
	}
	if b.pretty(data) {
		return append([]Rendering{Pretty}, all...)
	}
	if !utf8.Valid(data) && b.charset() == "" {
		return []Rendering{Hex, Raw}
	}
	return all
}

// pretty reports whether the pretty rendering would differ from the raw one.
func (b Body) pretty(data []byte) bool {
	kind, _ := b.kind()
	return looksJSON(data) || kind == "application/x-www-form-urlencoded" || strings.HasPrefix(kind, "multipart/") ||
		b.Header.Get("Content-Encoding") != ""
}

// Show renders b. It may take long for a big body; it never fails: what cannot
// be rendered is shown raw with a note.
func (b Body) Show(as Rendering) Document {
	data, decoding, err := b.decoded()
	d := Document{Rendering: as}
	if b.Cut > 0 {
		d.note(text.T("body.kept", text.Size(int64(len(b.Bytes))), text.Size(b.Cut)))
	}
	if decoding != "" && as != Raw {
		d.note(text.T("body.decoded", decoding, text.Size(int64(len(b.Bytes))), text.Size(int64(len(data)))))
	}
	switch {
	case errors.Is(err, errTooBig):
		d.note(text.T("body.cut", text.Size(maxDecoded)))
	case err != nil:
		d.note(text.T("body.broken", decoding, Clean(err.Error(), 200)))
	}
	switch as {
	case Image:
		d.Bytes = data
	case Hex:
		d.Bytes = b.Bytes
	case Raw:
		d.raw(b.Bytes, b.charset())
	case Pretty:
		d.pretty(b, data)
	}
	return d
}

func (d *Document) note(s string) { d.Notes = append(d.Notes, s) }

// pretty renders data, the decoded bytes of b.
func (d *Document) pretty(b Body, data []byte) {
	kind, params := b.kind()
	switch {
	case looksJSON(data):
		if json.Valid(data) {
			d.Bytes, d.JSON = data, true
			return
		}
		d.note(text.T("body.notjson"))
	case kind == "application/x-www-form-urlencoded":
		d.note(text.T("body.rendering.form"))
		d.Bytes = form(data)
		return
	case strings.HasPrefix(kind, "multipart/"):
		d.note(text.T("body.rendering.multipart"))
		d.Bytes = multiparts(data, params["boundary"])
		return
	}
	d.raw(data, b.charset())
}

// raw shows data as text: in its charset where it names one, and else as it is.
func (d *Document) raw(data []byte, charset string) {
	if charset != "" {
		if enc, err := htmlindex.Get(charset); err == nil {
			if out, err := enc.NewDecoder().Bytes(data); err == nil {
				d.note(text.T("body.charset", Clean(charset, 40)))
				d.Bytes = out
				return
			}
		}
	}
	d.Bytes = data
	if !utf8.Valid(data) {
		d.note(text.T("body.notutf8"))
	}
}

var errTooBig = errors.New("too big")

// decoded undoes the content coding, as far as it is one that we know and the
// result is no bigger than maxDecoded; what came out before an error is kept.
func (b Body) decoded() (data []byte, coding string, err error) {
	coding = strings.ToLower(strings.TrimSpace(b.Header.Get("Content-Encoding")))
	var r io.Reader
	switch coding {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(bytes.NewReader(b.Bytes))
	case "deflate":
		r, err = zlib.NewReader(bytes.NewReader(b.Bytes))
	default:
		return b.Bytes, "", nil
	}
	if err != nil {
		return b.Bytes, coding, err
	}
	data, err = io.ReadAll(io.LimitReader(r, maxDecoded+1))
	if len(data) > maxDecoded {
		return data[:maxDecoded], coding, errTooBig
	}
	return data, coding, err
}

func (b Body) kind() (string, map[string]string) {
	kind, params, err := mime.ParseMediaType(b.Header.Get("Content-Type"))
	if err != nil && kind == "" {
		return "", nil
	}
	return kind, params
}

// charset is the one named, "" for UTF-8 and where none is.
func (b Body) charset() string {
	_, params := b.kind()
	c := strings.ToLower(params["charset"])
	if c == "utf-8" || c == "utf8" || c == "us-ascii" {
		return ""
	}
	return c
}

// looksJSON reports whether data begins as a JSON object or array does; whether
// it is one is found by indenting it. The Content-Type is not asked: providers
// send JSON as text/plain.
func looksJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}

// indent lays JSON out. Every number, string and name keeps its spelling and
// its place, repeats included. What would be too large stays as it is.
func indent(data []byte) ([]byte, bool) {
	return capture.Indent(data, "  ", maxIndented)
}

func picture(data []byte) bool {
	switch http.DetectContentType(data[:min(len(data), 512)]) {
	case "image/png", "image/jpeg", "image/gif":
		return true
	}
	return false
}

// BodyOf is the body of a request.
func BodyOf(r *capture.Request) Body { return Body{Bytes: r.Body, Header: r.Header} }
