package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Sentry signs the body, and waits one second for an answer.
var sentry = capture.Provider{
	Name:     "sentry",
	Title:    "Sentry",
	Scheme:   sentryScheme.String(),
	Header:   sentryScheme.header,
	Deadline: time.Second,
	Dedupe:   sentryFields.dedupe(),
	Order:    sentryFields.orders(),
	Retry:    capture.Retry{Never: true},
	Setup:    "Settings → Developer Settings → your integration: the webhook URL; the client secret is below.",
	Trust:    capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources: []string{
		"a registry of recipes by others",
	},
	Marks:       []string{"Sentry-Hook-Resource", "Sentry-Hook-Signature"},
	Verify:      sentryScheme.verify,
	Sign:        sentryScheme.sign,
	CheckSecret: sentryScheme.keys.check,
	Events:      sentryFields.eventsOf("sentry"),
}

var sentryScheme = scheme{
	header: "Sentry-Hook-Signature",
	form:   alone("", hexadecimal),
	keys:   keys{want: "the client secret of the integration"},
}

var sentryFields = fields{
	key:    "header:Request-Id",
	typ:    []string{"header:Sentry-Hook-Resource", "$.action"},
	object: []string{"$.data.issue.id|$.data.event.event_id|$.data.error.event_id|$.data.comment_id|$.data.metric_alert.id|$.installation.uuid"},
	at:     "header:Sentry-Hook-Timestamp",
}
