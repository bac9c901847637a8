package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// OpenAI follows Standard Webhooks. A secret without whsec_ is the key as it is.
var openai = capture.Provider{
	Name:      "openai",
	Title:     "OpenAI",
	Scheme:    "HMAC-SHA256 of id.time.body, base64 (Standard Webhooks)",
	Header:    standardNames.signature(),
	Tolerance: 300 * time.Second,
	Dedupe:    openaiFields.dedupe(),
	Order:     openaiFields.orders(),
	Setup:     "Settings → Project → Webhooks → Create; the signing secret is shown once.",
	Trust:     capture.Trust{Signature: capture.BySDK, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:   []string{"npm openai@6.49.0 resources/webhooks"},
	Marks:     standardNames.all(),
	Agent:     "OpenAI",
	Match: func(r *capture.Request) bool {
		if !isStandard(r, standardNames) || !value(peek(r)).first("type")[0].begins(openaiKinds...) {
			return false
		}
		f := value(r.Body).first("object", "id")
		return f[0].is("event") && f[1].begins("evt_")
	},
	Verify:      openaiStandard.verify,
	Sign:        openaiStandard.sign,
	CheckSecret: openaiStandard.expected().check,
	Events:      openaiFields.eventsOf("openai"),
}

var openaiStandard = standard{names: standardNames, raw: func(secret string) bool { return !strings.HasPrefix(secret, "whsec_") }, keys: &keys{want: "the signing secret of the webhook, which begins with whsec_, not an API key", alien: []string{"sk-"}}}

var openaiFields = fields{
	key:    "header:webhook-id",
	typ:    []string{"$.type"},
	object: []string{"$.data.id"},
	at:     "$.created_at",
}

// openaiKinds are the beginnings of its types.
var openaiKinds = []string{"response.", "batch.", "fine_tuning.", "eval.", "realtime."}
