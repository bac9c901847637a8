package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Typeform signs the body, in base64 behind a prefix that others put before hex.
var typeform = capture.Provider{
	Name:     "typeform",
	Title:    "Typeform",
	Scheme:   typeformScheme.String(),
	Header:   typeformScheme.header,
	Deadline: 30 * time.Second,
	Dedupe:   typeformFields.dedupe(),
	Order:    typeformFields.orders(),
	Retry:    capture.Retry{Within: 10 * time.Hour},
	Disabled: "An answer of 404 or 410 disables the webhook.",
	Setup:    "Your form → Connect → Webhooks → Add a webhook; Edit sets the secret.",
	Note:     "Retries come every two or three minutes.",
	Trust:    capture.Trust{Signature: capture.ByHearsay, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:  []string{"common knowledge, not checked"},
	Marks:    []string{typeformScheme.header},
	Agent:    "Typeform",
	Members:  []string{"event_type"},
	Body: func(r *capture.Request) bool {
		kind, _ := value(r.Body).at("event_type").text()
		return kind == "form_response"
	},
	Verify:      typeformScheme.verify,
	Sign:        typeformScheme.sign,
	CheckSecret: typeformScheme.keys.check,
	Events:      typeformFields.eventsOf("typeform"),
}

var typeformScheme = scheme{
	header: "Typeform-Signature",
	form:   alone("sha256=", base64std),
	keys:   keys{want: "the secret of the webhook, not a personal token", alien: []string{"tfp_"}},
}

var typeformFields = fields{
	key:    "$.event_id",
	typ:    []string{"$.event_type"},
	object: []string{"$.form_response.token"},
	at:     "$.form_response.submitted_at",
}
