package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// A reading collects what is wrong with a request while its events are read,
// so that what is right can be returned as well.
type reading struct {
	name string // of the provider
	errs []error
}

func (f *reading) fail(format string, args ...any) {
	f.errs = append(f.errs, fmt.Errorf(f.name+": "+format, args...))
}

func (f *reading) err() error { return errors.Join(f.errs...) }

// document returns the body if it is JSON and starts with one of the kinds, "{" or "[".
func (f *reading) document(body []byte, kinds string) value {
	switch v := value(body); {
	case len(body) == 0:
		f.fail("the body is empty")
	case !json.Valid(body):
		f.fail("the body is not JSON, or nested too deeply")
	case !strings.ContainsRune(kinds, rune(v.kind())):
		f.fail("the body is JSON, but does not start with %s", kinds)
	default:
		return v
	}
	return nil
}

// text returns the text of a field that may be absent; the path is for people.
func (f *reading) text(v value, path string) string {
	if v == nil || v.kind() == 'n' {
		return ""
	}
	s, ok := v.text()
	if !ok {
		f.fail("%s is not a text or number of at most %d bytes", path, maxText)
	}
	return s
}

// must is text for a field that every request of the shape has.
func (f *reading) must(v value, path string) string {
	s := f.text(v, path)
	if s == "" {
		f.fail("no %s", path)
	}
	return s
}

// when returns the time in a field that may be absent: RFC 3339, or a number
// of seconds since 1970, of milliseconds if it is too large for seconds.
func (f *reading) when(v value, path string) time.Time {
	s := f.text(v, path)
	if s == "" {
		return time.Time{}
	}
	t, ok := parseTime(s)
	if !ok {
		f.fail("%s is not a time", path)
	}
	return t
}

func parseTime(s string) (time.Time, bool) {
	const milli = 100_000_000_000 // as seconds the year 5138, as milliseconds 1973
	if t, ok := unixTime(s, time.Second); ok && t.Unix() < milli {
		return t, true
	}
	if t, ok := unixTime(s, time.Millisecond); ok {
		return t, true
	}
	for _, layout := range layouts {
		t, err := time.Parse(layout, s)
		if y := t.UTC().Year(); err == nil && y >= 1 && y <= 9999 {
			return t.UTC(), true
		}
	}
	return floatTime(s)
}

// layouts are the ways in which senders write a time. One without a zone is
// UTC with all who write so.
var layouts = []string{
	time.RFC3339Nano,
	"2006-01-02T15:04:05.999999999Z0700",
	"2006-01-02T15:04:05.999999999",
	"2006-01-02 15:04:05 UTC",
	"2006-01-02 15:04:05 -0700",
	"2006-01-02 15:04:05",
	time.RFC1123Z,
	time.RFC1123,
}

// floatTime reads seconds with a fraction, "1796040000.123456", to the microsecond.
func floatTime(s string) (time.Time, bool) {
	whole, part, ok := strings.Cut(s, ".")
	t, fits := unixTime(whole, time.Second)
	if !ok || !fits || whole == "" || len(part) > 9 {
		return time.Time{}, false
	}
	n, err := strconv.ParseUint(part+strings.Repeat("0", 9-len(part)), 10, 32)
	return t.Add(time.Duration(n)).Truncate(time.Microsecond), err == nil
}

// header returns a header's value, no longer than a text of a body may be.
func (f *reading) header(r *capture.Request, name string) string {
	s := r.Header.Get(name)
	if len(s) > maxText {
		f.fail("%s is longer than %d bytes", name, maxText)
		return ""
	}
	return s
}

// exact is the key of an event whose provider promises an id; none if the
// promise is not kept: a key that is made up would tell lies about duplicates.
func exact(id string) capture.Key { return capture.Key{Value: id, Exact: id != ""} }

// composite joins what tells occurrences apart as a rule of thumb. The first
// part is what it happened to; without it there is no key.
func composite(first string, rest ...string) capture.Key {
	if first == "" {
		return capture.Key{}
	}
	for _, s := range rest {
		if s != "" {
			first += "|" + s
		}
	}
	return capture.Key{Value: first}
}

// formFields yields the decoded fields of a form in order. What cannot be
// decoded is yielded as it came: it was signed all the same.
func formFields(form string) func(yield func(name, value string) bool) {
	return func(yield func(string, string) bool) {
		for pair := range strings.SplitSeq(form, "&") {
			if pair == "" {
				continue
			}
			name, value, _ := strings.Cut(pair, "=")
			if !yield(unescape(name), unescape(value)) {
				return
			}
		}
	}
}

func unescape(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}

// formValue returns the first field of the name; "" if there is none.
func formValue(form, name string) string {
	for n, v := range formFields(form) {
		if n == name {
			return v
		}
	}
	return ""
}

// maxFields is how many fields a form that is signed may have; senders have
// some dozens, and sorting millions takes more memory than there is.
const maxFields = 10_000

// crowdedForm is what a form that is signed should look like, for people.
const crowdedForm = "a form of fewer than 10000 fields"

// crowded reports whether a form has more fields than any sender writes.
func crowded(form []byte) bool { return bytes.Count(form, []byte("&")) >= maxFields }

// sortedForm returns the names and values of a form one after the other,
// sorted by name; of a repeated name each value once, sorted.
func sortedForm(body []byte) []byte {
	type field struct{ name, value string }
	var fields []field
	for name, value := range formFields(string(body)) {
		fields = append(fields, field{name, value})
	}
	slices.SortFunc(fields, func(a, b field) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return strings.Compare(a.value, b.value)
	})
	var b bytes.Buffer
	for _, f := range slices.Compact(fields) {
		b.WriteString(f.name)
		b.WriteString(f.value)
	}
	return b.Bytes()
}
