package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Tally signs the body.
var tally = capture.Provider{
	Name:     "tally",
	Title:    "Tally",
	Scheme:   tallyScheme.String(),
	Header:   tallyScheme.header,
	Deadline: 10 * time.Second,
	Dedupe:   tallyFields.dedupe(),
	Order:    tallyFields.orders(),
	Retry:    capture.Retry{Times: 5, After: []time.Duration{5 * time.Minute, 30 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour}},
	Setup:    "The form → Integrations → Webhooks: the endpoint URL, and the signing secret.",
	Trust:    capture.Trust{Signature: capture.ByDocs, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources: []string{
		"https://tally.so/help/webhooks",
	},
	Marks:       []string{"Tally-Signature"},
	Members:     []string{"eventId"},
	Body:        isTally,
	Verify:      tallyScheme.verify,
	Sign:        tallyScheme.sign,
	CheckSecret: tallyScheme.keys.check,
	Events:      tallyFields.eventsOf("tally"),
}

var tallyScheme = scheme{
	header: "Tally-Signature",
	form:   alone("", base64std),
	keys:   keys{want: "the signing secret of the form's webhook"},
}

var tallyFields = fields{
	key:    "$.eventId",
	typ:    []string{"$.eventType"},
	object: []string{"$.data.responseId"},
	at:     "$.createdAt",
}

func isTally(r *capture.Request) bool {
	f := value(r.Body).pick("eventId", "eventType")
	kind, _ := f[1].text()
	return f[0] != nil && kind == "FORM_RESPONSE"
}
