package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Stripe signs the time and the body. Its secret is used as it is shown, with
// the whsec_ in front. An event has an id of its own; created has a resolution
// of one second, so that two events of one second cannot be put in order by it.
var stripe = capture.Provider{
	Name:      "stripe",
	Title:     "Stripe",
	Scheme:    stripeScheme.String(),
	Header:    "Stripe-Signature",
	Tolerance: 300 * time.Second,
	Dedupe:    "$.id",
	Order:     "$.created, of one second's resolution",
	Retry:     capture.Retry{Within: 72 * time.Hour},
	Setup:     "Dashboard → Developers → Webhooks → Add destination; the signing secret, whsec_…, is on the destination's page.",
	Note:      "Stripe may make two events of one change, so compare $.data.object.id and $.type as well. A retry is signed anew; a redirect is a failure. In a sandbox there are three tries over a few hours.",
	Trust:     capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByDocs},
	Sources: []string{
		"npm stripe@23.1.0 cjs/Webhooks.js",
		"https://docs.stripe.com/webhooks/process-undelivered-events",
	},
	Marks:       []string{"Stripe-Signature"},
	Agent:       "Stripe/",
	Members:     []string{"object"},
	Body:        isStripe,
	Verify:      stripeScheme.verify,
	Sign:        stripeScheme.sign,
	CheckSecret: stripeScheme.keys.check,
	Events:      stripeEvents,
}

var stripeScheme = scheme{
	header: "Stripe-Signature",
	form:   list(",", "t", "v1", hexadecimal),
	stamp:  stamp{unit: inSeconds, window: 300 * time.Second},
	signs:  []piece{theTime, literal("."), theBody},
	keys: keys{
		want:  "a signing secret, which begins with whsec_, not an API key",
		alien: []string{"sk_", "rk_", "pk_", "we_"},
	},
}

func isStripe(r *capture.Request) bool {
	f := value(r.Body).pick("object", "id")
	object, _ := f[0].text()
	id, _ := f[1].text()
	return (object == "event" || object == "v2.core.event") && strings.HasPrefix(id, "evt_")
}

// stripeEvents reads snapshot events, and thin events, which name the object they are about only.
func stripeEvents(r *capture.Request) ([]capture.Event, error) {
	f := reading{name: "stripe"}
	doc := f.document(r.Body, "{")
	if doc == nil {
		return nil, f.err()
	}
	top := doc.pick("id", "type", "created", "data", "related_object")
	e := capture.Event{
		Key:    exact(f.must(top[0], "$.id")),
		Type:   f.must(top[1], "$.type"),
		At:     f.when(top[2], "$.created"),
		Object: f.text(top[3].at("object", "id"), "$.data.object.id"),
	}
	if e.Object == "" {
		e.Object = f.text(top[4].at("id"), "$.related_object.id")
	}
	return []capture.Event{e}, f.err()
}
