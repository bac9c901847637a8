package provider

import (
	"crypto"
	"encoding/base64"
	"time"

	"anyhook.net/desktop/capture"
)

// Wise signs the body with a key whose public half it publishes: one for live,
// another for the sandbox.
var wise = capture.Provider{
	Name:     "wise",
	Title:    "Wise",
	Scheme:   wiseSays + ", base64",
	Header:   wiseHeader,
	Deadline: 5 * time.Second,
	Dedupe:   wiseFields.dedupe(),
	Order:    wiseFields.orders(),
	Retry: capture.Retry{Times: 25, Within: 14 * 24 * time.Hour, After: []time.Duration{
		time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute,
		64 * time.Minute, 128 * time.Minute, 256 * time.Minute, 512 * time.Minute, 1024 * time.Minute,
	}},
	Setup: "Settings → Developer tools → Webhooks → Create new webhook. Wise publishes its public key in the documentation: keep it here as the secret, with its BEGIN and END lines.",
	Note:  "The public keys of live and sandbox differ. The address has to be HTTPS on port 443 and without a query. After the pauses that are listed it tries once a day.",
	Trust: capture.Trust{Signature: capture.ByDocs, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"https://docs.wise.com/api-docs/features/webhooks-notifications/event-handling",
		"https://docs.wise.com/api-docs/features/webhooks-notifications",
	},
	Marks:   []string{wiseHeader},
	Members: []string{"subscription_id"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("subscription_id", "event_type", "data")
		return f[0] != nil && f[1] != nil && f[2].at("resource") != nil
	},
	Verify:      wiseVerify,
	CheckSecret: wiseKeys.check,
	Events:      wiseFields.eventsOf("wise"),
}

const (
	wiseHeader = "X-Signature-Sha256"
	wiseSays   = "RSA-SHA256 of body"
)

var wiseKeys = keys{
	want:   "the public key that Wise publishes, in PEM",
	usable: func(secret string) bool { return rsaKey(secret) != nil },
}

var wiseFields = fields{
	key:    "header:X-Delivery-Id",
	typ:    []string{"$.event_type"},
	object: []string{"$.data.resource.type", "$.data.resource.id"},
	at:     "$.data.occurred_at",
}

func wiseVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, wiseHeader, secrets)
	if bad != nil {
		return *bad
	}
	sig, err := base64.StdEncoding.Strict().DecodeString(header)
	if err != nil || len(sig) < 128 || len(sig) > 1024 {
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "base64 of an RSA signature")
	}
	return claim{
		ways:  []way{{scheme: wiseSays, parts: [][]byte{r.Body}}},
		keys:  wiseKeys,
		match: func(secret string, parts [][]byte) bool { return rsaFits(rsaKey(secret), crypto.SHA256, parts[0], sig) },
	}.judge(secrets, now)
}
