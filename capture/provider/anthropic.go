package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Anthropic follows Standard Webhooks. Nothing in a request tells it from others who do:
// choose it in the endpoint.
var anthropic = capture.Provider{
	Name:        "anthropic",
	Title:       "Anthropic",
	Scheme:      "HMAC-SHA256 of id.time.body, base64 (Standard Webhooks)",
	Header:      standardNames.signature(),
	Tolerance:   300 * time.Second,
	Dedupe:      anthropicFields.dedupe(),
	Order:       anthropicFields.orders(),
	Setup:       "Console → Settings → Webhooks; the signing secret is shown when the endpoint is made.",
	Note:        "Its requests look like those of anybody who follows Standard Webhooks: choose it in the endpoint.",
	Trust:       capture.Trust{Signature: capture.BySDK, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:     []string{"npm @anthropic-ai/sdk@1.14.0 beta.webhooks"},
	Marks:       standardNames.all(),
	Match:       func(*capture.Request) bool { return false },
	Verify:      anthropicStandard.verify,
	Sign:        anthropicStandard.sign,
	CheckSecret: anthropicStandard.expected().check,
	Events:      anthropicFields.eventsOf("anthropic"),
}

var anthropicStandard = standard{names: standardNames}

var anthropicFields = fields{
	key:    "header:webhook-id",
	typ:    []string{"$.type"},
	object: []string{"$.data.id"},
	at:     "$.timestamp",
}
