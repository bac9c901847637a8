package provider

import (
	"bytes"
	"encoding/json"
	"slices"

	"anyhook.net/desktop/capture"
)

// hintLimit is the size in bytes of the largest body for which we look for
// the reason of a signature that does not match.
const hintLimit = 256 << 10

// hint looks for the reason of a signature that does not match: it may be that
// of the same body written another way, because something before us parsed and
// rewrote it, or that of another address.
func (c claim) hint(s *capture.Signature, secrets []capture.Secret) {
	w := c.ways[0]
	if len(w.parts[w.body]) > hintLimit {
		return
	}
	for _, v := range rewritten(w.parts[w.body]) {
		parts := slices.Clone(w.parts)
		parts[w.body] = v.body
		if c.matches(secrets, parts) {
			s.Why = v.why
			return
		}
	}
	if c.others == nil {
		return
	}
	for _, w := range c.others() {
		if c.matches(secrets, w.parts) {
			s.Why, s.Detail = capture.WhyOtherURL, w.scheme
			return
		}
	}
}

func (c claim) matches(secrets []capture.Secret, parts [][]byte) bool {
	return slices.ContainsFunc(secrets, func(s capture.Secret) bool {
		return s != "" && c.match(s.Reveal(), parts)
	})
}

type rewriting struct {
	why  capture.Why
	body []byte
}

// rewritten returns the common ways in which a body is written anew.
func rewritten(body []byte) []rewriting {
	out := []rewriting{
		{capture.WhyLineEnd, append(slices.Clone(body), '\n')},
		{capture.WhyLineEnd, bytes.TrimRight(body, "\r\n")},
		{capture.WhyLineEnd, bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))},
	}
	var b bytes.Buffer
	if json.Compact(&b, body) == nil {
		out = append(out, rewriting{capture.WhyCompact, slices.Clone(b.Bytes())})
	}
	b.Reset()
	if json.Indent(&b, bytes.TrimSpace(body), "", "  ") == nil {
		out = append(out, rewriting{capture.WhyPretty, b.Bytes()})
	}
	return out
}
