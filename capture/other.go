package capture

import (
	"net/http"
	"net/url"
	"strings"
)

// isOther reports whether r is something else than a webhook: a sender of them
// posts, or is known to do otherwise. A PUT, which nobody in particular is
// expected to send, is taken where any sender is.
func isOther(r *Request, p *Provider) bool {
	switch {
	case r.Method == http.MethodConnect || strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
		return true
	case r.Method == http.MethodPost || p.Takes(r):
		return false
	case r.Method == http.MethodPut || r.Method == http.MethodPatch || r.Method == http.MethodDelete:
		return p != nil
	}
	return true
}

// otherStatus is 200 but for those who would take a 200 for a tunnel.
func otherStatus(r *Request) int {
	if r.Method == http.MethodConnect {
		return http.StatusMethodNotAllowed
	}
	return http.StatusOK
}

// setupWords are in the names of what a provider wants back when a URL is set
// up: hub.challenge (Meta, Strava, WebSub), challenge (Dropbox),
// X-Okta-Verification-Challenge, crc_token (X).
var setupWords = []string{"challenge", "verification", "crc_token"}

// wantsAnswer reports whether r looks like a set-up check by GET that only the
// handler can answer: it asks for something back, and nobody here knows how.
func wantsAnswer(r *Request) bool {
	if r.Method != http.MethodGet {
		return false
	}
	for name := range r.Header {
		if setupWord(name) {
			return true
		}
	}
	_, target, _ := r.Head.Line()
	_, query, _ := strings.Cut(target, "?")
	for param := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(param, "=")
		if plain, err := url.QueryUnescape(name); err == nil && setupWord(plain) {
			return true
		}
	}
	return false
}

func setupWord(name string) bool {
	name = strings.ToLower(name)
	for _, w := range setupWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}
