package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// PagerDuty signs the body, with one signature for each key while they are rolled.
var pagerduty = capture.Provider{
	Name:     "pagerduty",
	Title:    "PagerDuty V3",
	Scheme:   pagerdutyScheme.String(),
	Header:   pagerdutyScheme.header,
	Deadline: 5 * time.Second,
	Dedupe:   pagerdutyFields.dedupe(),
	Order:    pagerdutyFields.orders(),
	Retry:    capture.Retry{Within: 2 * 24 * time.Hour},
	Setup:    "Integrations → Generic Webhooks (v3) → New webhook; the secret is shown once.",
	Trust:    capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources: []string{
		"a registry of recipes by others",
	},
	Marks:       []string{"X-Pagerduty-Signature"},
	Agent:       "PagerDuty-Webhook",
	Verify:      pagerdutyScheme.verify,
	Sign:        pagerdutyScheme.sign,
	CheckSecret: pagerdutyScheme.keys.check,
	Events:      pagerdutyFields.eventsOf("pagerduty"),
}

var pagerdutyScheme = scheme{
	header: "X-Pagerduty-Signature",
	form:   list(",", "", "v1", hexadecimal),
	keys:   keys{want: "the secret of the webhook subscription"},
}

var pagerdutyFields = fields{
	key:    "$.event.id",
	typ:    []string{"$.event.event_type"},
	object: []string{"$.event.data.id"},
	at:     "$.event.occurred_at",
}
