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
	Dedupe:    "header:webhook-id",
	Order:     "$.timestamp",
	Retry: capture.Retry{Times: 9, After: []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}},
	Disabled: "An answer of 410 asks the sender to disable the endpoint.",
	Note:     "Each sender has its own schedule; this one is the example of the standard. Retry-After is honoured, and a redirect is a failure.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.ByDocs, Retry: capture.ByDocs},
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
