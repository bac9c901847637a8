package capture

import (
	"bytes"
	"iter"
	"net/http"
	"strings"
)

// A Head is the request line and the header lines of a request as they came,
// up to and with the empty line: order, spelling, repeats and white space kept.
type Head []byte

// A Field is one header line.
type Field struct {
	Name  string // spelling as on the wire
	Value string // without the white space around it
}

// Line returns the parts of the request line; "" for what is not there.
func (h Head) Line() (method, target, proto string) {
	line, _, _ := bytes.Cut(h, []byte("\n"))
	method, rest, _ := strings.Cut(strings.TrimSuffix(string(line), "\r"), " ")
	if i := strings.LastIndexByte(rest, ' '); i >= 0 {
		return method, rest[:i], rest[i+1:]
	}
	return method, rest, ""
}

// Fields yields the header lines in order. A folded line (obsolete, and
// refused by most servers) is joined to the one before with a space.
func (h Head) Fields() iter.Seq[Field] {
	return func(yield func(Field) bool) {
		var name string
		var values []string // the parts of a folded line; none is empty
		have := false
		part := func(s string) {
			if s = strings.Trim(s, " \t"); s != "" {
				values = append(values, s)
			}
		}
		for line := range h.lines() {
			if have && line != "" && (line[0] == ' ' || line[0] == '\t') {
				part(line)
				continue
			}
			if have && !yield(Field{name, strings.Join(values, " ")}) {
				return
			}
			var value string
			name, value, have = strings.Cut(line, ":")
			values = values[:0]
			part(value)
		}
		if have {
			yield(Field{name, strings.Join(values, " ")})
		}
	}
}

// lines yields the header lines without their ends, the request line and the empty line left out.
func (h Head) lines() iter.Seq[string] {
	return func(yield func(string) bool) {
		_, rest, _ := bytes.Cut(h, []byte("\n"))
		for len(rest) > 0 {
			var line []byte
			line, rest, _ = bytes.Cut(rest, []byte("\n"))
			s := strings.TrimSuffix(string(line), "\r")
			if s == "" || !yield(s) {
				return
			}
		}
	}
}

// Header returns the fields with canonical names, for look-ups.
func (h Head) Header() http.Header {
	out := http.Header{}
	for f := range h.Fields() {
		out.Add(f.Name, f.Value)
	}
	return out
}

// NewHead writes a head with the line end CRLF and the empty line at its end.
func NewHead(method, target string, fields ...Field) Head {
	return newHead(method, target, "HTTP/1.1", fields)
}

func newHead(method, target, proto string, fields []Field) Head {
	var b bytes.Buffer
	b.WriteString(method + " " + target + " " + proto + "\r\n")
	for _, f := range fields {
		b.WriteString(f.Name + ": " + f.Value + "\r\n")
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// With returns a copy in which the field has the value given: the first field
// of that name keeps its place and spelling, its repeats go, and a field that
// was not there comes last. Every other byte stays as it is.
func (h Head) With(name, value string) Head { return h.replace(name, &value) }

// Without returns a copy without the fields of that name.
func (h Head) Without(name string) Head { return h.replace(name, nil) }

func (h Head) replace(name string, value *string) Head {
	if !bytes.HasSuffix(h, []byte("\n")) {
		h = append(bytes.Clone(h), "\r\n"...) // cut short
	}
	out := make(Head, 0, len(h)+len(name)+128)
	line, rest := h.cut()
	out = append(out, line...)
	set, same := value == nil, false // the field is written, or is not to be; the line before was one of it
	for {
		line, rest = rest.cut()
		text := bytes.TrimRight(line, "\r\n")
		if len(text) == 0 {
			break
		}
		if folded := text[0] == ' ' || text[0] == '\t'; !folded {
			own, _, ok := bytes.Cut(text, []byte(":"))
			same = ok && strings.EqualFold(string(own), name)
			if same && !set {
				out, set = append(out, string(own)+": "+*value+"\r\n"...), true
			}
		}
		if !same {
			out = append(out, line...)
		}
	}
	if !set {
		out = append(out, name+": "+*value+"\r\n"...)
	}
	if len(line) == 0 {
		line = Head("\r\n")
	}
	return append(append(out, line...), rest...)
}

// cut parts the first line, with its end, from the rest.
func (h Head) cut() (line, rest Head) {
	i := bytes.IndexByte(h, '\n') + 1
	if i == 0 {
		i = len(h)
	}
	return h[:i], h[i:]
}

// SetHeader sets a header field of a request that is about to be sent, in Head and in Header.
// A stored request is evidence: set headers on a copy (see Clone).
func (r *Request) SetHeader(name, value string) {
	r.Head = r.Head.With(name, value)
	r.Header.Set(name, value)
}

// RemoveHeader takes the fields of a name out of a request that is about to be sent.
func (r *Request) RemoveHeader(name string) {
	r.Head = r.Head.Without(name)
	r.Header.Del(name)
}

// SetQuery sets the query of the address of a request that is about to be sent,
// in URL and in the request line, and leaves every other byte of them alone.
func (r *Request) SetQuery(query string) {
	r.URL = withQuery(r.URL, query)
	line, rest := r.Head.cut()
	method, target, proto := r.Head.Line()
	if target == "" {
		return
	}
	end := strings.TrimPrefix(string(line), strings.TrimRight(string(line), "\r\n"))
	if proto != "" {
		proto = " " + proto
	}
	first := method + " " + withQuery(target, query) + proto + end
	r.Head = append(Head(first), rest...)
}

func withQuery(address, query string) string {
	path, _, _ := strings.Cut(address, "?")
	return path + "?" + query
}

// Clone returns a copy whose Head, Header, URL and Body may be changed by assignment.
// Body shares its bytes with r: replace it, do not write into it.
func (r *Request) Clone() *Request {
	c := *r
	c.Header = r.Header.Clone()
	if c.Header == nil {
		c.Header = http.Header{}
	}
	return &c
}
