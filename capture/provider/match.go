package provider

import "anyhook.net/desktop/capture"

// maxHandshake is the size in bytes of the largest body of a set-up check.
const maxHandshake = 64 << 10

// has reports whether the request has any of the headers.
func has(r *capture.Request, names ...string) bool {
	for _, name := range names {
		if len(r.Header.Values(name)) > 0 {
			return true
		}
	}
	return false
}
