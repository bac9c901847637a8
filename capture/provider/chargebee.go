package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Chargebee signs nothing: a user and a password, if they are chosen, say who
// sends. An object has a version, which guards the order better than the clock.
var chargebee = capture.Provider{
	Name:     "chargebee",
	Title:    "Chargebee",
	Scheme:   chargebeeToken.String(),
	Header:   chargebeeToken.header,
	Deadline: time.Minute,
	Dedupe:   chargebeeFields.dedupe(),
	Order:    "$.content.<object>.resource_version",
	Retry: capture.Retry{Times: 7, Within: 79 * time.Hour, After: []time.Duration{
		2 * time.Minute, 6 * time.Minute, 30 * time.Minute, time.Hour, 5 * time.Hour, 24 * time.Hour, 48 * time.Hour,
	}},
	Setup: "Settings → Configure Chargebee → API keys and webhooks → Webhooks: switch basic authentication on.",
	Note:  "Nothing of the body is signed. resource_version rises with every change of an object.",
	Trust: capture.Trust{Signature: capture.BySDK, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"npm chargebee@3.33.0 webhook/auth.js",
		"https://apidocs.chargebee.com/docs/api/events",
		"https://support.chargebee.com/support/solutions/articles/257941",
	},
	Agent:       "ChargeBee",
	Members:     []string{"content"},
	Body:        isChargebee,
	Verify:      chargebeeToken.verify,
	Sign:        chargebeeToken.sign,
	CheckSecret: chargebeeToken.keys.check,
	Events:      chargebeeEvents,
}

var chargebeeToken = token{
	header: "Authorization",
	basic:  true,
	keys:   keys{want: "user:password, as they are entered at Chargebee"},
}

var chargebeeFields = fields{
	key: "$.id",
	typ: []string{"$.event_type"},
	at:  "$.occurred_at",
}

func isChargebee(r *capture.Request) bool {
	f := value(r.Body).pick("id", "event_type", "content")
	id, _ := f[0].text()
	return strings.HasPrefix(id, "ev_") && f[1] != nil && f[2].kind() == '{'
}

// chargebeeEvents names the object, whose type begins the name of the event:
// "subscription_changed". A payment is called a transaction.
func chargebeeEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := chargebeeFields.eventsOf("chargebee")(r)
	for i := range events {
		e := &events[i]
		var found string
		for name, object := range value(r.Body).at("content").members() {
			kind := strings.Trim(string(name), `"`)
			fits := strings.HasPrefix(e.Type, kind) || kind == "transaction" && strings.HasPrefix(e.Type, "payment_")
			if !fits || len(kind) < len(found) && strings.HasPrefix(e.Type, found) {
				continue
			}
			found = kind
			f, s := reading{name: "chargebee"}, source{r: r, doc: object}
			e.Object = ""
			if id := s.text(&f, "$.id"); id != "" {
				e.Object = kind + "/" + id
			}
			e.Order = s.number(&f, "$.resource_version")
		}
	}
	return events, err
}
