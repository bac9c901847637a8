package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Mux signs the time and the body, as Stripe does. The attempts before are in the body.
var mux = capture.Provider{
	Name:      "mux",
	Title:     "Mux",
	Scheme:    muxScheme.String(),
	Header:    muxScheme.header,
	Tolerance: muxScheme.stamp.window,
	Deadline:  5 * time.Second,
	Dedupe:    muxFields.dedupe(),
	Order:     muxFields.orders(),
	Attempt:   "$.attempts, counted",
	Retry:     capture.Retry{Within: 24 * time.Hour},
	Setup:     "Settings → Webhooks → Create new webhook; the signing secret is shown with it.",
	Trust:     capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByDocs},
	Sources: []string{
		"npm @mux/mux-node@15.3.0",
		"https://mux.com/docs/core/listen-for-webhooks",
	},
	Marks:   []string{"Mux-Signature"},
	Members: []string{"attempts"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("type", "object", "attempts")
		kind, _ := f[0].text()
		return strings.HasPrefix(kind, "video.") && f[1] != nil && f[2] != nil
	},
	Verify:      muxScheme.verify,
	Sign:        muxScheme.sign,
	CheckSecret: muxScheme.keys.check,
	Events:      muxEvents,
	Mark:        muxMark,
}

var muxScheme = scheme{
	header: "Mux-Signature",
	form:   list(",", "t", "v1", hexadecimal),
	stamp:  stamp{unit: inSeconds, window: 5 * time.Minute},
	signs:  []piece{theTime, literal("."), theBody},
	keys:   keys{want: "the signing secret of the webhook"},
}

var muxFields = fields{
	key:    "$.id",
	typ:    []string{"$.type"},
	object: []string{"$.object.id"},
	at:     "$.created_at",
}

// muxEvents counts the attempts that the body lists.
func muxEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := muxFields.eventsOf("mux")(r)
	list := value(r.Body).at("attempts")
	for i := range events {
		if list.kind() == '[' {
			events[i].Try = 1
		}
		for range list.elements() {
			events[i].Try = min(events[i].Try+1, 999)
		}
	}
	return events, err
}
