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
		f := value(peek(r)).pick("object", "id", "type")
		object, _ := f[0].text()
		id, _ := f[1].text()
		kind, _ := f[2].text()
		family, _, _ := strings.Cut(kind, ".")
		return isStandard(r, standardNames) && object == "event" && strings.HasPrefix(id, "evt_") && openaiKinds[family]
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
var openaiKinds = map[string]bool{"response": true, "batch": true, "fine_tuning": true, "eval": true, "realtime": true}
