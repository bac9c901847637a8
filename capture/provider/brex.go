package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Brex follows Standard Webhooks. Nothing in a request tells it from others who do:
// choose it in the endpoint.
var brex = capture.Provider{
	Name:        "brex",
	Title:       "Brex",
	Scheme:      "HMAC-SHA256 of id.time.body, base64 (Standard Webhooks)",
	Header:      standardNames.signature(),
	Tolerance:   300 * time.Second,
	Dedupe:      brexFields.dedupe(),
	Order:       brexFields.orders(),
	Setup:       "Register the address with POST /v1/webhooks; the secret: GET /v1/webhooks/secrets.",
	Note:        "Its requests look like those of anybody who follows Standard Webhooks: choose it in the endpoint.",
	Trust:       capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:     []string{"a registry of recipes by others"},
	Marks:       standardNames.all(),
	Match:       func(*capture.Request) bool { return false },
	Verify:      brexStandard.verify,
	Sign:        brexStandard.sign,
	CheckSecret: brexStandard.expected().check,
	Events:      brexFields.eventsOf("brex"),
}

var brexStandard = standard{names: standardNames}

var brexFields = fields{
	key:    "header:webhook-id",
	typ:    []string{"$.event_type|$.type"},
	object: []string{"$.transfer_id|$.expense_id|$.user_id|$.data.id"},
	at:     "$.timestamp",
}
