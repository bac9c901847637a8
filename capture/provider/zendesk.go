package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Zendesk signs the time, written by ISO 8601, and the body. The body of a
// webhook that a trigger or an automation calls is of the user's own making,
// so that only the headers tell deliveries apart.
var zendesk = capture.Provider{
	Name:        "zendesk",
	Title:       "Zendesk",
	Scheme:      zendeskScheme.String(),
	Header:      zendeskScheme.header,
	Deadline:    12 * time.Second,
	Dedupe:      zendeskFields.dedupe(),
	Order:       zendeskFields.orders(),
	Retry:       capture.Retry{Times: 5},
	Disabled:    "Many failures make a circuit breaker hold deliveries back for a while.",
	Setup:       "Admin Center → Apps and integrations → Webhooks → Create webhook; the signing secret is on the webhook's page.",
	Note:        "What is sent again: answers of 409, of 429 and 503 with Retry-After, and timeouts.",
	Trust:       capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:     []string{"https://developer.zendesk.com/api-reference/webhooks/introduction"},
	Marks:       []string{"X-Zendesk-Webhook-Id", "X-Zendesk-Webhook-Invocation-Id", zendeskScheme.header},
	Agent:       "Zendesk",
	Verify:      zendeskScheme.verify,
	Sign:        zendeskScheme.sign,
	CheckSecret: zendeskScheme.keys.check,
	Events:      zendeskFields.eventsOf("zendesk"),
}

var zendeskScheme = scheme{
	header: "X-Zendesk-Webhook-Signature",
	form:   alone("", base64std),
	stamp:  stamp{header: "X-Zendesk-Webhook-Signature-Timestamp", unit: inISO},
	signs:  []piece{theTime, theBody},
	keys:   keys{want: "the signing secret of the webhook, not an API token"},
}

var zendeskFields = fields{
	key:    "header:X-Zendesk-Webhook-Invocation-Id",
	typ:    []string{"$.type"},
	object: []string{"$.subject|$.detail.id"},
	at:     "$.time",
}
