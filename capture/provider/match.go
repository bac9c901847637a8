package provider

import "anyhook.net/desktop/capture"

// has reports whether the request has any of the headers.
func has(r *capture.Request, names ...string) bool {
	for _, name := range names {
		if len(r.Header.Values(name)) > 0 {
			return true
		}
	}
	return false
}

// peek returns the body to be looked into; nil if it is too large for that.
func peek(r *capture.Request) []byte {
	if len(r.Body) > maxHandshake {
		return nil
	}
	return r.Body
}
