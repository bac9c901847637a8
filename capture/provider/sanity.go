package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Sanity signs the time, in milliseconds, and the body, which is what a query of
// the user's makes of the document.
var sanity = capture.Provider{
	Name:     "sanity",
	Title:    "Sanity",
	Scheme:   sanityScheme.String(),
	Header:   sanityScheme.header,
	Deadline: 30 * time.Second,
	Dedupe:   sanityFields.dedupe(),
	Order:    sanityFields.orders(),
	Retry:    capture.Retry{Times: 2, After: []time.Duration{30 * time.Second, 30 * time.Second}},
	Setup:    "sanity.io/manage → API → Webhooks → Create webhook; the secret is chosen there.",
	Note:     "It sends again after 429 and 5xx alone. What the body holds is for the projection to say: keep _id and _updatedAt in it.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.ByHearsay, Retry: capture.ByDocs},
	Sources: []string{
		"npm @sanity/webhook@4.0.4",
		"https://www.sanity.io/docs/changelog/50ec6abf-fe0c-475b-ae72-314148860132.md",
	},
	Marks:       []string{"Sanity-Webhook-Signature", "Sanity-Transaction-Id", "Sanity-Document-Id"},
	Verify:      sanityScheme.verify,
	Sign:        sanityScheme.sign,
	CheckSecret: sanityScheme.keys.check,
	Events:      sanityFields.eventsOf("sanity"),
}

var sanityScheme = scheme{
	header: "Sanity-Webhook-Signature",
	form:   list(",", "t", "v1", base64url),
	stamp:  stamp{unit: inMillis},
	signs:  []piece{theTime, literal("."), theBody},
	keys:   keys{want: "the secret of the webhook, not an API token"},
}

var sanityFields = fields{
	key:    "header:Idempotency-Key",
	typ:    []string{"$._type|header:Sanity-Operation"},
	object: []string{"$._id|header:Sanity-Document-Id"},
	at:     "$._updatedAt",
}
