package provider

import (
	"encoding/json"

	"github.com/go-jose/go-jose/v4"
)

// maxJWT is the length in bytes of the longest JWT that is read.
const maxJWT = 8 << 10

// A jwt is a JSON Web Token in its compact form, of one algorithm.
type jwt struct{ parsed *jose.JSONWebSignature }

// parseJWT reads a token. A token of another algorithm is none: the sender of
// a request does not choose how it is checked.
func parseJWT(text string, algorithm jose.SignatureAlgorithm) (jwt, bool) {
	if len(text) > maxJWT {
		return jwt{}, false
	}
	parsed, err := jose.ParseSignedCompact(text, []jose.SignatureAlgorithm{algorithm})
	return jwt{parsed}, err == nil
}

// fits reports whether the holder of the key made the token, and it says anything at all.
func (t jwt) fits(key any) bool {
	payload, err := t.parsed.Verify(key)
	return err == nil && json.Valid(payload)
}

// unverified returns what the token says, whoever made it.
func (t jwt) unverified() value { return t.parsed.UnsafePayloadWithoutVerification() }
