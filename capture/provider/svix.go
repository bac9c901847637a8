package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Svix sends for others, by Standard Webhooks under header names of its own;
// it may be told to use the standard's names.
var svix = capture.Provider{
	Name:      "svix",
	Title:     "Svix",
	Scheme:    "v1: HMAC-SHA256 of id.time.body, base64; v1a: Ed25519 of the same",
	Header:    "svix-signature",
	Tolerance: 300 * time.Second,
	Deadline:  15 * time.Second,
	Dedupe:    "header:svix-id",
	Order:     "$.timestamp",
	Retry: capture.Retry{Times: 7, After: []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
	}},
	Disabled: "An endpoint that fails for five days is disabled.",
	Setup:    "The sender's webhook portal → Endpoints → Add Endpoint; the signing secret is on the endpoint's page.",
	Note:     "A sender may have Svix use the header names of the standard, webhook-….",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.BySource},
	Sources: []string{
		"npm svix@1.99.1",
		"https://github.com/svix/svix-webhooks/blob/main/server/svix-server/config.default.toml",
		"https://docs.svix.com/receiving/verifying-payloads/how-manual",
	},
	Marks: svixNames.all(),
	Agent: "Svix-Webhooks",
	Match: func(r *capture.Request) bool { return isStandard(r, svixNames) || isStandard(r, standardNames) },
	Verify: func(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
		return standard{names: svixFamily(r)}.verify(r, secrets, now)
	},
	Sign: func(r *capture.Request, secret capture.Secret, now time.Time) error {
		return standard{names: svixFamily(r)}.sign(r, secret, now)
	},
	CheckSecret: standardKeys.check,
	Events: func(r *capture.Request) ([]capture.Event, error) {
		return svixFamily(r).events("svix", r)
	},
}

// svixFamily returns the names that the request uses: the standard's only if
// there is none of Svix's own.
func svixFamily(r *capture.Request) family {
	if !has(r, svixNames.id(), svixNames.time(), svixNames.signature()) && has(r, standardNames.id(), standardNames.time(), standardNames.signature()) {
		return standardNames
	}
	return svixNames
}
