package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Linear signs the body, which holds the time that counts. Whether a retry
// renews it is not documented, so that a handler may refuse retries.
var linear = capture.Provider{
	Name:        "linear",
	Title:       "Linear",
	Scheme:      linearScheme.String(),
	Header:      linearScheme.header,
	Tolerance:   linearScheme.stamp.window,
	Deadline:    5 * time.Second,
	Dedupe:      linearFields.dedupe(),
	Order:       linearFields.orders(),
	Retry:       capture.Retry{Times: 3, After: []time.Duration{time.Minute, time.Hour, 6 * time.Hour}},
	Setup:       "Settings → API → Webhooks → New webhook; the signing secret is on the webhook's page.",
	Note:        "Only an answer of 200 counts. Whether a retry renews the time is not documented: a handler that insists on one minute may refuse it.",
	Trust:       capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByOthers},
	Sources:     []string{"npm @linear/sdk@98.0.0 webhooks"},
	Marks:       []string{"Linear-Signature", "Linear-Delivery", "Linear-Event"},
	Agent:       "Linear",
	Verify:      linearScheme.verify,
	Sign:        linearScheme.sign,
	CheckSecret: linearScheme.keys.check,
	Events:      linearFields.eventsOf("linear"),
}

var linearScheme = scheme{
	header: "Linear-Signature",
	form:   alone("", hexadecimal),
	stamp:  stamp{place: "$.webhookTimestamp", unit: inMillis, window: time.Minute, both: true},
}

var linearFields = fields{
	key:    "header:Linear-Delivery",
	typ:    []string{"$.type", "$.action"},
	object: []string{"$.data.id"},
	at:     "$.createdAt",
}
