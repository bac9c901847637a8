package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Standard Webhooks is the open standard that many senders follow. A signature
// header lists signatures of two kinds: v1 with a shared secret (whsec_, and
// base64), v1a with a key pair (whpk_ is the public half, whsk_ the private).
var standardWebhooks = capture.Provider{
	Name:      "standardwebhooks",
	Title:     "Standard Webhooks",
	Scheme:    "v1: HMAC-SHA256 of id.time.body, base64; v1a: Ed25519 of the same",
	Header:    "webhook-signature",
	Tolerance: 300 * time.Second,
	Dedupe:    "webhook-id",
	Sources: []string{
		"https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md",
		"npm standardwebhooks@1.1.1",
	},
	Marks:       standardNames.all(),
	Match:       func(r *capture.Request) bool { return isStandard(r, standardNames) },
	Verify:      standardScheme.verify,
	Sign:        standardScheme.sign,
	CheckSecret: standardKeys.check,
	Events: func(r *capture.Request) ([]capture.Event, error) {
		return standardNames.events("standardwebhooks", r)
	},
}

var standardScheme = standard{names: standardNames}
