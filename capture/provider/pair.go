package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// A pair is a scheme and the weaker one it took over from, which is sent along
// for those who still check it.
type pair struct{ newer, older scheme }

// verify looks at the older signature only where there is no newer one.
func (p pair) verify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	if !has(r, p.newer.header) && has(r, p.older.header) {
		return p.older.verify(r, secrets, now)
	}
	return p.newer.verify(r, secrets, now)
}

// sign renews the signatures that are there.
func (p pair) sign(r *capture.Request, secret capture.Secret, now time.Time) error {
	older := has(r, p.older.header)
	if has(r, p.newer.header) || !older {
		if err := p.newer.sign(r, secret, now); err != nil || !older {
			return err
		}
	}
	return p.older.sign(r, secret, now)
}
