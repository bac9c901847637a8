package capture

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHeadIsTakenApart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		head                  string
		method, target, proto string
		fields                []Field
	}{
		{"", "", "", "", nil},
		{"GET", "GET", "", "", nil},
		{"GET /\r\n\r\n", "GET", "/", "", nil},
		{"GET /a b HTTP/1.1\r\n\r\n", "GET", "/a b", "HTTP/1.1", nil},
		{"POST /x?y HTTP/1.0\nhost: h\nX-A:\nX-a: \t1 \n\nbody: no\n", "POST", "/x?y", "HTTP/1.0", []Field{{"host", "h"}, {"X-A", ""}, {"X-a", "1"}}},
		{"GET / HTTP/1.1\r\nA: 1\r\n  2\r\n\t\r\nno colon\r\n B: 2\r\nC: x:y\r\n\r\n", "GET", "/", "HTTP/1.1", []Field{{"A", "1 2"}, {" B", "2"}, {"C", "x:y"}}},
		{"GET / HTTP/1.1\r\nA:\r\n \t\r\n b  c\r\n\td \r\n\r\n", "GET", "/", "HTTP/1.1", []Field{{"A", "b  c d"}}},
	} {
		method, target, proto := Head(tt.head).Line()
		require.Equal(t, []string{tt.method, tt.target, tt.proto}, []string{method, target, proto}, "%q", tt.head)
		require.Equal(t, tt.fields, slices.Collect(Head(tt.head).Fields()), "%q", tt.head)
	}
}

func TestFieldKeepsItsPlaceWhenItIsSet(t *testing.T) {
	t.Parallel()
	h := NewHead("POST", "/", Field{"Host", "h"}, Field{"x-SIG", "1"}, Field{"A", "b"}, Field{"X-Sig", "2"})
	require.Equal(t, "POST / HTTP/1.1\r\nHost: h\r\nx-SIG: 3\r\nA: b\r\n\r\n", string(h.With("X-Sig", "3")))
	require.Equal(t, "POST / HTTP/1.0\nHost:h\nNew: 3\r\n\n", string(Head("POST / HTTP/1.0\nHost:h\n\n").With("New", "3")))
	require.Equal(t, "GET /\r\nNew: 3\r\n\r\n", string(Head("GET /").With("New", "3")))
}

var token = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

func TestAQueryIsSetInBothPlacesThatHaveIt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ head, url, wantHead, wantURL string }{
		{"POST /a HTTP/1.1\r\nA: b\r\n\r\n", "https://h/a", "POST /a?n=1 HTTP/1.1\r\nA: b\r\n\r\n", "https://h/a?n=1"},
		{"POST /a?x=%2f&x HTTP/1.0\nA: ?\n\n", "https://h/a?x=%2f&x", "POST /a?n=1 HTTP/1.0\nA: ?\n\n", "https://h/a?n=1"},
		{"POST http://h/?x HTTP/1.1\r\n\r\n", "http://h/?x", "POST http://h/?n=1 HTTP/1.1\r\n\r\n", "http://h/?n=1"},
		{"", "https://h/", "", "https://h/?n=1"},
	} {
		r := &Request{Head: Head(tt.head), URL: tt.url}
		before := string(r.Head)
		c := r.Clone()
		c.SetQuery("n=1")
		require.Equal(t, tt.wantHead, string(c.Head))
		require.Equal(t, tt.wantURL, c.URL)
		require.Equal(t, before, string(r.Head), "the stored request has changed")
	}
}

func FuzzHead(f *testing.F) {
	f.Add([]byte("POST /x?y HTTP/1.1\r\nhost: h\r\nX-A:\r\nX-a: \t1 \r\n\r\n"), "x-a", "v")
	f.Add([]byte("GET /\nA: 1\n  2\n\n"), "B", "")
	f.Add([]byte("\x16\x03\x01\n:\n : \n\r\n"), "A", "a b")
	f.Fuzz(func(t *testing.T, data []byte, name, value string) {
		h := Head(data)
		method, target, proto := h.Line()
		line, _, _ := strings.Cut(string(data), "\n")
		require.Contains(t, line, target)
		require.True(t, strings.HasPrefix(line, method))
		fields := slices.Collect(h.Fields())
		require.LessOrEqual(t, len(fields), strings.Count(string(data), "\n"))
		for range h.Fields() {
			break // a loop may end early
		}
		require.NotNil(t, h.Header())
		readable := strings.HasPrefix(proto, "HTTP/") && !strings.Contains(strings.ReplaceAll(string(data), "\r\n", ""), "\r") &&
			!slices.ContainsFunc(fields, func(f Field) bool { return !token.MatchString(f.Name) })
		if !readable || !token.MatchString(name) || strings.Trim(value, " \t") != value || strings.ContainsAny(value, "\r\n") {
			return
		}
		set := h.With(name, value)
		others := func(h Head) []Field {
			return slices.DeleteFunc(slices.AppendSeq([]Field{}, h.Fields()), func(f Field) bool { return strings.EqualFold(f.Name, name) })
		}
		require.Equal(t, others(h), others(set), "the rest stays")
		require.Equal(t, []string{value}, set.Header()[canonical(name)])
		method2, target2, proto2 := set.Line()
		require.Equal(t, []string{method, target, proto}, []string{method2, target2, proto2})
	})
}

func canonical(name string) string {
	for n := range NewHead("", "", Field{name, ""}).Header() {
		return n
	}
	return name
}
