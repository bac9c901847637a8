package provider

import (
	"bytes"
	"time"

	"anyhook.net/desktop/capture"
)

// A publicKey is a signature of the time and the body that anybody can check
// and the sender alone can make: what the endpoint has is no secret.
type publicKey struct {
	algorithm string
	header    string
	time      string                     // the header of the time, in seconds since 1970
	shape     string                     // what a signature looks like, for people
	decode    func(header string) []byte // nil for what is no signature
	check     func(key, message, sig []byte) bool
	parse     func(secret string) (key []byte) // nil for what cannot be a key
	want      string                           // what a key looks like, for people
	alien     []string
}

// String says how it signs, for people.
func (p publicKey) String() string { return p.says() + ", " + p.shape }

func (p publicKey) says() string { return p.algorithm + " of time, body" }

func (p publicKey) keys() keys {
	return keys{want: p.want, alien: p.alien, usable: func(s string) bool { return p.parse(s) != nil }}
}

func (p publicKey) verify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, p.header, secrets)
	if bad != nil {
		return *bad
	}
	stamp, bad := signature(r, p.time, secrets)
	if bad != nil {
		return *bad
	}
	sig := p.decode(header)
	at, ok := unixTime(stamp, time.Second)
	switch {
	case sig == nil:
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, p.shape)
	case !ok:
		return refuse(secrets, capture.Malformed, capture.WhyBadTime, brief(stamp))
	}
	return claim{
		ways:  []way{{p.says(), [][]byte{[]byte(stamp), r.Body}}},
		clock: clock{at: at, unit: time.Second},
		keys:  p.keys(),
		match: func(secret string, parts [][]byte) bool {
			key := p.parse(secret)
			return key != nil && p.check(key, bytes.Join(parts, nil), sig)
		},
	}.judge(secrets, now)
}
