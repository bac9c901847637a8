package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Calendly signs as Stripe does, where a signing key was given when the
// subscription was made. It sends no event id: what happened once to an
// invitee, happened once. Three minutes are the window of its own sample code,
// not a rule of its protocol.
var calendly = capture.Provider{
	Name:      "calendly",
	Title:     "Calendly",
	Scheme:    calendlyScheme.String(),
	Header:    "Calendly-Webhook-Signature",
	Tolerance: 180 * time.Second,
	Deadline:  15 * time.Second,
	Dedupe:    "$.payload.uri + $.event",
	Order:     "$.created_at",
	Retry:     capture.Retry{Within: 24 * time.Hour},
	Disabled:  "After a day of failures the subscription is disabled; an answer of 410 deletes it at once.",
	Setup:     "Create the subscription with POST /webhook_subscriptions: the address is url, and signing_key is a secret that you choose.",
	Note:      "Without a signing key nothing is signed. To reschedule is two events: invitee.canceled with new_invitee, and invitee.created with old_invitee. Calendly waits 10 seconds for a connection and 15 for the answer; a redirect is a failure.",
	Trust:     capture.Trust{Signature: capture.ByDocs, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"https://developer.calendly.com/docs/webhooks/overview",
		"https://developer.calendly.com/api-docs/overview/webhooks/webhook-signatures",
		"https://developer.calendly.com/see-how-webhook-payloads-change-when-invitees-reschedule-events",
	},
	Marks:       []string{"Calendly-Webhook-Signature"},
	Agent:       "Calendly",
	Members:     []string{"payload"},
	Body:        isCalendly,
	Verify:      calendlyScheme.verify,
	Sign:        calendlyScheme.sign,
	CheckSecret: calendlyScheme.keys.check,
	Events:      calendlyEvents,
}

var calendlyScheme = scheme{
	header: "Calendly-Webhook-Signature",
	form:   list(",", "t", "v1", hexadecimal),
	stamp:  stamp{unit: inSeconds, window: 180 * time.Second},
	signs:  []piece{theTime, literal("."), theBody},
	keys: keys{
		want:  "the signing key of the webhook subscription, not an access token",
		alien: []string{"eyJ"},
	},
}

func isCalendly(r *capture.Request) bool {
	f := value(r.Body).pick("event", "payload")
	event, _ := f[0].text()
	uri, _ := f[1].at("uri").text()
	return event != "" && strings.HasPrefix(uri, "https://api.calendly.com/")
}

func calendlyEvents(r *capture.Request) ([]capture.Event, error) {
	f := reading{name: "calendly"}
	doc := f.document(r.Body, "{")
	if doc == nil {
		return nil, f.err()
	}
	top := doc.pick("event", "created_at", "payload")
	e := capture.Event{
		Type:   f.must(top[0], "$.event"),
		At:     f.when(top[1], "$.created_at"),
		Object: f.must(top[2].at("uri"), "$.payload.uri"),
	}
	e.Key = composite(e.Object, e.Type)
	return []capture.Event{e}, f.err()
}
