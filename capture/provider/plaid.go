package provider

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/go-jose/go-jose/v4"

	"anyhook.net/desktop/capture"
)

// Plaid sends a token that holds the hash of the body. The key that made it is
// asked for with the API, by the id that the token names: paste it as it comes.
var plaid = capture.Provider{
	Name:      "plaid",
	Title:     "Plaid",
	Scheme:    "ES256 JWT that holds the SHA-256 of the body",
	Header:    plaidHeader,
	Tolerance: plaidWindow,
	Deadline:  10 * time.Second,
	Dedupe:    plaidFields.dedupe(),
	Retry:     capture.Retry{Within: 24 * time.Hour},
	Setup:     "Pass the address as webhook when a link token is made. The key: POST /webhook_verification_key/get with the kid of a token; keep the answer's key, a JWK, as the secret.",
	Note:      "A webhook tells that there is something new, not what. Nothing in it tells when it happened.",
	Trust:     capture.Trust{Signature: capture.ByDocs, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:   []string{"https://plaid.com/docs/api/webhooks/webhook-verification/"},
	Marks:     []string{plaidHeader},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("webhook_type", "webhook_code")
		return f[0] != nil && f[1] != nil
	},
	Verify:      plaidVerify,
	CheckSecret: plaidKeys.check,
	Events:      plaidFields.eventsOf("plaid"),
}

const (
	plaidHeader = "Plaid-Verification"
	plaidWindow = 5 * time.Minute
)

var plaidKeys = keys{
	want:   "the key of the answer of /webhook_verification_key/get, a JWK in JSON",
	usable: func(secret string) bool { return plaidKey(secret) != nil },
}

var plaidFields = fields{
	parts:  []string{"$.item_id|$.transfer_id|$.asset_report_id", "$.webhook_type", "$.webhook_code"},
	typ:    []string{"$.webhook_type", "$.webhook_code"},
	object: []string{"$.item_id|$.transfer_id|$.asset_report_id"},
}

func plaidKey(secret string) *jose.JSONWebKey {
	var key jose.JSONWebKey
	if json.Unmarshal([]byte(secret), &key) != nil || !key.Valid() || !key.IsPublic() {
		return nil
	}
	return &key
}

func plaidVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, plaidHeader, secrets)
	if bad != nil {
		return *bad
	}
	token, ok := parseJWT(header, jose.ES256)
	if !ok {
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "a JWT signed by ES256")
	}
	f := token.unverified().pick("iat", "request_body_sha256")
	stamp, _ := f[0].text()
	want, _ := f[1].text()
	at, ok := unixTime(stamp, time.Second)
	if !ok {
		return refuse(secrets, capture.Malformed, capture.WhyBadTime, brief(stamp))
	}
	s := claim{
		ways:  []way{{scheme: "ES256 JWT with the SHA-256 of body", parts: [][]byte{r.Body}}},
		clock: clock{at: at, unit: time.Second, window: plaidWindow},
		keys:  plaidKeys,
		match: func(secret string, _ [][]byte) bool {
			key := plaidKey(secret)
			return key != nil && token.fits(key)
		},
	}.judge(secrets, now)
	sum := sha256.Sum256(r.Body)
	if s.Secret > 0 && !hmac.Equal([]byte(want), []byte(hex.EncodeToString(sum[:]))) {
		s.Status, s.Why, s.Detail, s.Secret = capture.Invalid, capture.WhyBodyChanged, "request_body_sha256", 0
	}
	return s
}
