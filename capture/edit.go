package capture

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// An Edit is a request taken apart to be changed. What is left as it was comes
// out of [Edit.Make] with the bytes that it came with.
type Edit struct {
	Method string
	Target string // path and query, as in the request line
	Fields []EditField
	Body   []byte // replaced, not written into

	from  *Request
	proto string // with the line end, as it came
	rest  []byte // the empty line, and what came behind it
}

// An EditField is a header line. One that was added has a Name and a Value only.
type EditField struct {
	Field

	came Field
	line []byte // the bytes it came in, folded lines and line ends with it; nil for one that was added
}

// EditOf takes r apart. r is not changed, now or later.
func EditOf(r *Request) *Edit {
	e := &Edit{Body: r.Body, from: r}
	line, rest := r.Head.cut()
	e.Method, e.Target, e.proto = r.Head.Line()
	end := line[len(bytes.TrimRight(line, "\r\n")):]
	if len(end) == 0 {
		end = []byte("\r\n") // cut short
	}
	e.proto += string(end)
	for len(rest) > 0 {
		line, rest = rest.cut()
		text := bytes.TrimRight(line, "\r\n")
		switch n := len(e.Fields) - 1; {
		case len(text) == 0:
			e.rest = append(bytes.Clone(line), rest...)
			rest = nil
		case n >= 0 && (text[0] == ' ' || text[0] == '\t'):
			e.Fields[n].line = append(e.Fields[n].line, line...)
		default:
			e.Fields = append(e.Fields, EditField{line: bytes.Clone(line)})
		}
	}
	for i := range e.Fields {
		f := &e.Fields[i]
		for f.Field = range append(Head("\n"), f.line...).Fields() {
			break
		}
		f.came = f.Field
	}
	return e
}

// From is the request that is changed.
func (e *Edit) From() *Request { return e.from }

// Make puts the request together: Kind Made, From the one it was taken from, no
// ID yet. The Content-Length that came follows the body. The error says, for
// people, why this is no request; Make looks at HTTP alone, not at what a body means.
func (e *Edit) Make() (*Request, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	r := e.from.Clone()
	r.Seq, r.ID, r.Kind, r.From, r.Note = 0, "", Made, e.from.ID, ""
	r.Peer, r.Events, r.Answered, r.Body = "", nil, 0, e.Body
	same := bytes.Equal(e.Body, e.from.Body)
	head := []byte(e.Method + " " + e.Target + " " + e.proto)
	if e.proto[0] == '\r' || e.proto[0] == '\n' { // HTTP/0.9
		head = []byte(e.Method + " " + e.Target + e.proto)
	}
	for _, f := range e.Fields {
		switch length := strings.EqualFold(f.Name, "Content-Length"); {
		case length && (!same || f.Field != f.came):
			head = append(head, f.Name+": "+strconv.Itoa(len(e.Body))+"\r\n"...)
		case f.line != nil && f.Field == f.came:
			head = append(head, f.line...)
		default:
			head = append(head, f.Name+": "+f.Value+"\r\n"...)
		}
	}
	rest := e.rest
	if len(rest) == 0 {
		rest = []byte("\r\n")
	}
	r.Head = append(head, rest...)
	if _, came, _ := e.from.Head.Line(); came != e.Target {
		base := e.from.URL
		if i := strings.Index(base, "://"); i >= 0 {
			if j := strings.IndexAny(base[i+3:], "/?"); j >= 0 {
				base = base[:i+3+j]
			}
		}
		r.URL = publicURL(base, e.Target)
	}
	r.Method, r.Header = e.Method, r.Head.Header()
	return r, nil
}

// check says why e cannot be written as a request of HTTP/1 (RFC 9112 sections 3 and 5).
func (e *Edit) check() error {
	switch {
	case !isToken(e.Method) || e.Method == http.MethodConnect:
		return fmt.Errorf("%.40q is no method", e.Method)
	case !strings.HasPrefix(e.Target, "/") && e.Target != e.came():
		return errors.New("the path begins with /")
	case e.Target == "" || strings.ContainsFunc(e.Target, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return errors.New("a path has no spaces: write %20")
	}
	for _, f := range e.Fields {
		switch {
		case f.line != nil && f.Field == f.came: // it did come
		case !isToken(f.Name):
			return fmt.Errorf("%.40q is no name of a header", f.Name)
		case strings.ContainsFunc(f.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			return fmt.Errorf("the header %s has a control character or a line break", f.Name)
		}
	}
	return nil
}

func (e *Edit) came() string {
	_, target, _ := e.from.Head.Line()
	return target
}

// isToken reports whether s is a token of RFC 9110 section 5.6.2.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}
