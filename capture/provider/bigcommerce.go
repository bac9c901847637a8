package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// BigCommerce follows Standard Webhooks, but for the secret: the bytes of the
// app's client secret are the key. The hash in the body repeats when an event is told again.
var bigcommerce = capture.Provider{
	Name:      "bigcommerce",
	Title:     "BigCommerce",
	Scheme:    "HMAC-SHA256 of id.time.body, base64 (Standard Webhooks)",
	Header:    standardNames.signature(),
	Tolerance: 300 * time.Second,
	Dedupe:    bigcommerceFields.dedupe(),
	Order:     bigcommerceFields.orders(),
	Retry:     capture.Retry{Times: 11, Within: 48 * time.Hour, After: []time.Duration{time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 14 * time.Hour, 24 * time.Hour}},
	Disabled:  "A webhook is deactivated after the last retry, or after 90 days without events.",
	Setup:     "POST /stores/{store_hash}/v3/hooks with the address as destination; the secret is the client secret of the app.",
	Note:      "Where fewer than 90 % of a hundred requests within two minutes succeed, the whole domain is blocked for three minutes: with a shared tunnel host, by others' failures, too.",
	Trust:     capture.Trust{Signature: capture.ByDocs, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources:   []string{"https://github.com/bigcommerce/docs docs/integrations/webhooks/https-webhook-overview.mdx, overview.mdx"},
	Marks:     standardNames.all(),
	Match: func(r *capture.Request) bool {
		if !isStandard(r, standardNames) {
			return false
		}
		return isBigCommerce(peek(r))
	},
	Verify:      bigcommerceStandard.verify,
	Sign:        bigcommerceStandard.sign,
	CheckSecret: bigcommerceStandard.expected().check,
	Events:      bigcommerceFields.eventsOf("bigcommerce"),
}

var bigcommerceStandard = standard{names: standardNames, raw: func(string) bool { return true }, keys: &keys{want: "the client secret of the app"}}

var bigcommerceFields = fields{
	key:    "header:webhook-id",
	typ:    []string{"$.scope"},
	object: []string{"$.data.id"},
	at:     "$.created_at",
}

// isBigCommerce reads no further than to what others have: it has a scope where they have a type.
func isBigCommerce(body value) bool {
	var producer, scope, hash bool
	for w := (walk{of: body}); w.next(); {
		switch {
		case named(w.name, "type"):
			return false
		case named(w.name, "producer"):
			producer = w.value.begins("stores/")
		case named(w.name, "scope"):
			scope = w.value.begins("store/")
		case named(w.name, "hash"):
			hash = true
		}
	}
	return producer && scope && hash
}
