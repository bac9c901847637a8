package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Recurly signs the time, in milliseconds, and the body. Its header is a list
// without names: the time, and then one signature for each key while they are
// rolled. The id in the body is that of the object, which all its events share:
// a header names the notification.
var recurly = capture.Provider{
	Name:      "recurly",
	Title:     "Recurly",
	Scheme:    recurlyScheme.String(),
	Header:    recurlyScheme.header,
	Tolerance: recurlyScheme.stamp.window,
	Deadline:  5 * time.Second,
	Dedupe:    recurlyFields.dedupe(),
	Order:     recurlyFields.orders(),
	Retry: capture.Retry{Times: 10, After: []time.Duration{
		10 * time.Second, 74 * time.Second, 266 * time.Second, 778 * time.Second, 2058 * time.Second,
		5130 * time.Second, 12298 * time.Second, 28682 * time.Second, 65546 * time.Second, 147466 * time.Second,
	}},
	Setup: "Integrations → Webhooks → Configure endpoint; the secret key is shown with the endpoint.",
	Note:  "Only JSON is signed: choose it, not XML. The id in the body is the object's, and the same in all of its events. The old key stays good for 24 hours after a new one is made.",
	Trust: capture.Trust{Signature: capture.BySDK, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"https://github.com/recurly/recurly-client-ruby lib/recurly/webhooks.rb, spec/recurly/webhooks_spec.rb @05fa008d",
		"https://docs.recurly.com/v1.3/docs/signature-verification",
		"https://docs.recurly.com/v1.3/docs/account-notifications",
		"https://docs.recurly.com/recurly-subscriptions/v2021-02-25/docs/automatic-retries",
	},
	Marks:   []string{"Recurly-Signature", "Recurly-Notification-Id"},
	Members: []string{"site_id"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("object_type", "event_type", "site_id")
		return f[0] != nil && f[1] != nil && f[2] != nil
	},
	Verify:      recurlyScheme.verify,
	Sign:        recurlyScheme.sign,
	CheckSecret: recurlyScheme.keys.check,
	Events:      recurlyEvents,
}

var recurlyScheme = scheme{
	header: "Recurly-Signature",
	form:   form{sep: ",", time: "time", sig: "signature", enc: hexadecimal, bare: true},
	stamp:  stamp{unit: recurlyUnit, window: 5 * time.Minute, both: true},
	signs:  []piece{theTime, literal("."), theBody},
	keys:   keys{want: "the secret key of the webhook endpoint, not an API key"},
}

// recurlyUnit is milliseconds, as the library has it. The manual says so, too,
// but its example has seconds: they are read where there are too few digits.
var recurlyUnit = timeUnit{
	step: inMillis.step,
	read: func(s string) (time.Time, bool) {
		if len(s) > 11 {
			return inMillis.read(s)
		}
		return inSeconds.read(s)
	},
	write: inMillis.write,
}

var (
	recurlyFields = fields{
		key:    "header:Recurly-Notification-Id",
		typ:    []string{"$.object_type", "$.event_type"},
		object: []string{"$.object_type", "$.id"},
		at:     "$.event_time",
	}
	recurlyUnnamed = fields{
		parts:  []string{"$.id", "$.object_type", "$.event_type", "$.event_time"},
		typ:    recurlyFields.typ,
		object: recurlyFields.object,
		at:     recurlyFields.at,
	}
)

// recurlyEvents makes a key of what happened to what, and when, where no header names the notification.
func recurlyEvents(r *capture.Request) ([]capture.Event, error) {
	if has(r, "Recurly-Notification-Id") {
		return recurlyFields.eventsOf("recurly")(r)
	}
	return recurlyUnnamed.eventsOf("recurly")(r)
}
