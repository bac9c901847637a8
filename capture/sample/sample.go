// Package sample makes requests as providers send them, for a first contact
// without an account and without a network. A sample is a file of
// assets/samples, <provider>/<name>.http: the word POST, header lines, an empty
// line, and the body, of which one line end at the end is not part.
//
// Words in double braces are filled in so that each request is a new event:
//
//	{{hex:N}} {{base62:N}} {{upper:N}} {{digits:N}}   N fresh characters; digits do not begin with 0
//	{{uuid}}                                          a fresh UUID
//	{{zeros:N}}                                       N zeros
//	{{unix}} {{milli}}                                the time in seconds or milliseconds since 1970
//	{{iso}} {{isomilli}} {{isomicro}} {{isonano}}     the time by RFC 3339, UTC
//	{{rfc2822}}                                       the time as in an e-mail, for a field of a form
//	{{slack}}                                         the time as Slack writes it
//
// A word has one value throughout a request. #name behind it makes another
// one, and +Ns or -Ns behind a time moves it by N seconds.
//
// Most samples of one provider tell of one object, whose id is fixed, so that
// their order matters; of one that is called late the time is a minute ago. Calendly's and Twilio's do not: their events are told
// apart by the object's id, which has to be fresh.
//
// To add a sample, add a file.
package sample

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"anyhook.net/desktop/assets"
	"anyhook.net/desktop/capture"
)

// ErrUnknown means that there is no such sample.
var ErrUnknown = errors.New("no such sample")

const ext = ".http"

// Names returns the names of a provider's samples, sorted; none for a provider without.
func Names(provider string) []string {
	if !fs.ValidPath(provider) || strings.Contains(provider, "/") {
		return nil
	}
	entries, err := fs.ReadDir(assets.Samples, path.Join("samples", provider))
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ext); ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Build makes a request of a sample, as of now. random gives a new text at
// every call, from which the fresh ids are made. The request is unsigned, has
// no Host and no Content-Length, and its URL is for the caller to set. The
// error is ErrUnknown for a sample that is not there.
func Build(provider, name string, now time.Time, random func() string) (*capture.Request, error) {
	if !slices.Contains(Names(provider), name) {
		return nil, fmt.Errorf("%w: %q of %q", ErrUnknown, name, provider)
	}
	file, err := fs.ReadFile(assets.Samples, path.Join("samples", provider, name+ext))
	if err != nil {
		return nil, fmt.Errorf("read sample: %w", err)
	}
	// A checkout may have turned the line ends; the samples have plain ones.
	file = bytes.ReplaceAll(file, []byte("\r\n"), []byte("\n"))
	text, err := fill(string(file), filling{seed: random(), now: now.UTC()})
	if err != nil {
		return nil, fmt.Errorf("sample %s/%s: %w", provider, name, err)
	}
	head, body, ok := strings.Cut(text, "\n\n")
	method, lines, _ := strings.Cut(head, "\n")
	if !ok || method != http.MethodPost {
		return nil, fmt.Errorf("sample %s/%s is not of its shape", provider, name)
	}
	var fields []capture.Field
	for line := range strings.SplitSeq(lines, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		fields = append(fields, capture.Field{Name: key, Value: value})
	}
	r := &capture.Request{
		Kind:     capture.Delivery,
		At:       now.UTC(),
		Head:     capture.NewHead(method, "/", fields...),
		Body:     []byte(strings.TrimSuffix(body, "\n")),
		Method:   method,
		Provider: provider,
	}
	r.Header = r.Head.Header()
	return r, nil
}
