package provider

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/go-jose/go-jose/v4"

	"anyhook.net/desktop/capture"
)

// Plaid sends a token that holds the hash of the body. The key that made it is
// asked for with the API, by the id that the token names: paste it as it comes.
// Two webhooks of one kind about one item are alike to the byte: no key.
var plaid = capture.Provider{
	Name:      "plaid",
	Title:     "Plaid",
	Scheme:    "ES256 JWT that holds the SHA-256 of the body",
	Header:    plaidHeader,
	Tolerance: plaidWindow,
	Deadline:  10 * time.Second,
	Retry: capture.Retry{Within: 24 * time.Hour, After: []time.Duration{
		30 * time.Second, 2 * time.Minute, 8 * time.Minute, 32 * time.Minute, 128 * time.Minute, 512 * time.Minute,
	}},
	Disabled: "It does not send again to an endpoint that refused more than 90 % of the last 24 hours.",
	Setup:    "Pass the address as webhook when a link token is made. The key: POST /webhook_verification_key/get with the kid of a token; keep the answer's key, a JWK, as the secret.",
	Note:     "A webhook tells that there is something new, not what, nor when. Nothing tells a retry from a new one of the same kind: take both as a reason to fetch.",
	Trust:    capture.Trust{Signature: capture.ByDocs, Identity: capture.ByOthers, Retry: capture.ByDocs},
	Sources: []string{
		"https://plaid.com/docs/api/webhooks/webhook-verification/",
		"https://support.plaid.com/hc/en-us/articles/40390675922967-Can-Plaid-re-push-failed-or-missed-webhook-events",
	},
	Marks:   []string{plaidHeader},
	Members: []string{"webhook_code"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("webhook_type", "webhook_code")
		return f[0] != nil && f[1] != nil
	},
	Verify:      plaidVerify,
	CheckSecret: plaidKeys.check,
	Events:      plaidEvents,
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
	typ:    []string{"$.webhook_type", "$.webhook_code"},
	object: []string{"$.item_id|$.transfer_id|$.asset_report_id"},
}

func plaidEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := plaidFields.eventsOf("plaid")(r)
	if kind, _ := value(r.Body).at("webhook_type").text(); err == nil && kind == "" {
		err = errors.New("plaid: no $.webhook_type")
	}
	return events, err
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
