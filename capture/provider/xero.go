package provider

import (
	"net/http"
	"time"

	"anyhook.net/desktop/capture"
)

// Xero signs the body. When the address is saved it sends signed and deliberately
// mis-signed requests, and wants 401 for the latter: an endpoint with the key does
// that. Its events are numbered, which guards the order better than the clock.
var xero = capture.Provider{
	Name:     "xero",
	Title:    "Xero",
	Scheme:   xeroScheme.String(),
	Header:   xeroScheme.header,
	Deadline: 5 * time.Second,
	Dedupe:   xeroFields.dedupe(),
	Order:    "$.firstEventSequence, counted on",
	Retry:    capture.Retry{Within: 24 * time.Hour},
	Disabled: "A webhook that fails for 24 hours is disabled.",
	Setup:    "Developer portal → your app → Webhooks: the delivery URL, and the webhooks key below it.",
	Note:     "Set the key first, then save the address: the intent to receive is checked at once. It wants 200 with an empty body and no cookies.",
	Trust:    capture.Trust{Signature: capture.ByDocs, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"https://developer.xero.com/documentation/webhooks/configuring-your-server",
		"https://developer.xero.com/documentation/webhooks/overview",
	},
	Marks:       []string{"X-Xero-Signature"},
	Members:     []string{"entropy"},
	Body:        isXero,
	Verify:      xeroScheme.verify,
	Sign:        xeroScheme.sign,
	CheckSecret: xeroScheme.keys.check,
	Events:      xeroEvents,
	Batch:       xeroFields.batchOf().parts,
	Join:        xeroFields.batchOf().join,
	Handshake:   xeroIntent,
}

var xeroScheme = scheme{
	header: "X-Xero-Signature",
	form:   alone("", base64std),
	keys:   keys{want: "the webhooks key of the app"},
}

var xeroFields = fields{
	each:   "$.events",
	parts:  []string{"@.resourceId", "@.tenantId", "@.eventType", "@.eventDateUtc"},
	typ:    []string{"@.eventCategory", "@.eventType"},
	object: []string{"@.tenantId", "@.resourceId"},
	at:     "@.eventDateUtc",
}

func isXero(r *capture.Request) bool {
	f := value(r.Body).pick("events", "entropy", "firstEventSequence")
	return f[0].kind() == '[' && f[1] != nil && f[2] != nil
}

// xeroEvents numbers the events, if there are as many as the body says.
func xeroEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := xeroFields.eventsOf("xero")(r)
	s, f := source{r: r, doc: r.Body}, reading{name: "xero"}
	first, last := s.number(&f, "$.firstEventSequence"), s.number(&f, "$.lastEventSequence")
	if first < 1 || last < first || last-first != int64(len(events)-1) {
		return events, err
	}
	for i := range events {
		events[i].Order = first + int64(i)
	}
	return events, err
}

// xeroIntent is the intent to receive: a request without events.
func xeroIntent(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	f := challenged(r, "events", "entropy")
	if f[0].kind() != '[' || f[0].nth(0) != nil || f[1] == nil {
		return capture.Answer{}, false
	}
	return capture.Answer{Status: http.StatusOK}, true
}
