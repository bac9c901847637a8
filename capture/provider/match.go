package provider

import (
	"net/http"
	"strings"

	"anyhook.net/desktop/capture"
)

// peekLimit is the size in bytes of the largest body that is looked into to
// recognise its sender.
const peekLimit = 64 << 10

// has reports whether the request has any of the headers.
func has(r *capture.Request, names ...string) bool {
	for _, name := range names {
		if len(r.Header.Values(name)) > 0 {
			return true
		}
	}
	return false
}

// agent reports whether a request that is posted comes from the user agent.
func agent(r *capture.Request, prefix string) bool {
	return r.Method == http.MethodPost && strings.HasPrefix(r.Header.Get("User-Agent"), prefix)
}

// signs are the words in header names by which providers tell that a request is theirs.
var signs = []string{"signature", "hmac", "webhook", "-event", "-topic", "-delivery", "-token", "-hook"}

// anonymous reports whether no header tells who sent the request, so that its
// body is all there is to go by.
func anonymous(r *capture.Request) bool {
	if r.Method != http.MethodPost || len(r.Body) == 0 || len(r.Body) > peekLimit {
		return false
	}
	for name := range r.Header {
		name = strings.ToLower(name)
		for _, sign := range signs {
			if strings.Contains(name, sign) {
				return false
			}
		}
	}
	return true
}
