package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Polar follows Standard Webhooks, but for the secret: its bytes are the key, and
// nothing is decoded.
var polar = capture.Provider{
	Name:      "polar",
	Title:     "Polar",
	Scheme:    "HMAC-SHA256 of id.time.body, base64 (Standard Webhooks)",
	Header:    standardNames.signature(),
	Tolerance: 300 * time.Second,
	Dedupe:    polarFields.dedupe(),
	Order:     polarFields.orders(),
	Setup:     "Settings → Webhooks → Add endpoint; the secret is chosen or made there.",
	Trust:     capture.Trust{Signature: capture.BySDK, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:   []string{"npm @polar-sh/sdk@0.49.0"},
	Marks:     standardNames.all(),
	Match: func(r *capture.Request) bool {
		if !isStandard(r, standardNames) || !value(peek(r)).first("type")[0].begins(polarKinds...) {
			return false
		}
		f := value(r.Body).first("timestamp", "data")
		return f[0] != nil && f[1].first("id")[0] != nil
	},
	Verify:      polarStandard.verify,
	Sign:        polarStandard.sign,
	CheckSecret: polarStandard.expected().check,
	Events:      polarFields.eventsOf("polar"),
}

var polarStandard = standard{names: standardNames, raw: func(string) bool { return true }, keys: &keys{want: "the secret of the webhook endpoint, not an access token", alien: []string{"polar_oat_", "polar_pat_"}}}

var polarFields = fields{
	key:    "header:webhook-id",
	typ:    []string{"$.type"},
	object: []string{"$.data.id"},
	at:     "$.timestamp",
}

// polarKinds are the beginnings of its types.
var polarKinds = []string{
	"checkout.", "order.", "subscription.", "customer.", "benefit.", "benefit_grant.", "product.", "refund.",
}
