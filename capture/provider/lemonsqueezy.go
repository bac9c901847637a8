package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Lemon Squeezy signs the body. Its header has a name that others use, too: the
// header with the event's name tells it apart.
var lemonsqueezy = capture.Provider{
	Name:   "lemonsqueezy",
	Title:  "Lemon Squeezy",
	Scheme: lemonsqueezyScheme.String(),
	Header: lemonsqueezyScheme.header,
	Dedupe: lemonsqueezyFields.dedupe(),
	Order:  lemonsqueezyFields.orders(),
	Retry:  capture.Retry{Times: 3, After: []time.Duration{5 * time.Second, 25 * time.Second, 125 * time.Second}},
	Setup:  "Settings → Webhooks → +; the signing secret is chosen there.",
	Note:   "No event has an id: the object, the event and the time of its last change stand for one. It wants 200, and nothing else.",
	Trust:  capture.Trust{Signature: capture.ByDocs, Identity: capture.ByHearsay, Retry: capture.ByDocs},
	Sources: []string{
		"https://docs.lemonsqueezy.com/help/webhooks/webhook-requests",
		"https://docs.lemonsqueezy.com/help/webhooks/signing-requests",
	},
	Marks:       []string{"X-Signature", "X-Event-Name"},
	Match:       func(r *capture.Request) bool { return has(r, "X-Event-Name") },
	Members:     []string{"meta"},
	Body:        isLemonSqueezy,
	Verify:      lemonsqueezyScheme.verify,
	Sign:        lemonsqueezyScheme.sign,
	CheckSecret: lemonsqueezyScheme.keys.check,
	Events:      lemonsqueezyFields.eventsOf("lemonsqueezy"),
}

var lemonsqueezyScheme = scheme{
	header: "X-Signature",
	form:   alone("", hexadecimal),
	keys:   keys{want: "the signing secret given with the webhook, not an API key", alien: []string{"eyJ"}},
}

var lemonsqueezyFields = fields{
	parts:  []string{"$.data.id", "$.data.type", "$.meta.event_name|header:X-Event-Name", "$.data.attributes.updated_at"},
	typ:    []string{"$.meta.event_name|header:X-Event-Name"},
	object: []string{"$.data.type", "$.data.id"},
	at:     "$.data.attributes.updated_at",
}

func isLemonSqueezy(r *capture.Request) bool {
	f := value(r.Body).pick("meta", "data")
	return f[0].at("event_name") != nil && f[1].at("type") != nil
}
