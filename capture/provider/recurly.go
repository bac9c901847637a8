package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Recurly signs the time and the body. Its header is a list without names: the
// time, and then one signature for each key while they are rolled.
var recurly = capture.Provider{
	Name:     "recurly",
	Title:    "Recurly",
	Scheme:   recurlyScheme.String(),
	Header:   recurlyScheme.header,
	Deadline: 5 * time.Second,
	Dedupe:   recurlyFields.dedupe(),
	Order:    recurlyFields.orders(),
	Retry: capture.Retry{Times: 10, After: []time.Duration{
		10 * time.Second, 74 * time.Second, 266 * time.Second, 778 * time.Second, 2058 * time.Second,
		5130 * time.Second, 12298 * time.Second, 28682 * time.Second, 65546 * time.Second, 147466 * time.Second,
	}},
	Setup: "Integrations → Webhooks → Configure endpoint; the secret key is shown with the endpoint.",
	Note:  "Whether its time is in seconds or in milliseconds nobody has verified: both are read.",
	Trust: capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByDocs},
	Sources: []string{
		"https://docs.recurly.com/recurly-subscriptions/v2021-02-25/docs/automatic-retries",
	},
	Marks: []string{"Recurly-Signature"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("object_type", "event_type", "site_id")
		return f[0] != nil && f[1] != nil && f[2] != nil
	},
	Verify:      recurlyScheme.verify,
	Sign:        recurlyScheme.sign,
	CheckSecret: recurlyScheme.keys.check,
	Events:      recurlyFields.eventsOf("recurly"),
}

var recurlyScheme = scheme{
	header: "Recurly-Signature",
	form:   form{sep: ",", time: "time", sig: "signature", enc: hexadecimal, bare: true},
	stamp:  stamp{unit: recurlyUnit},
	signs:  []piece{theTime, literal("."), theBody},
	keys:   keys{want: "the secret key of the webhook endpoint, not an API key"},
}

// recurlyUnit reads seconds, and milliseconds where they would be too many of them.
var recurlyUnit = timeUnit{
	step: time.Second,
	read: func(s string) (time.Time, bool) {
		if len(s) > 11 {
			return inMillis.read(s)
		}
		return inSeconds.read(s)
	},
	write: inSeconds.write,
}

var recurlyFields = fields{
	key:    "$.id",
	typ:    []string{"$.object_type", "$.event_type"},
	object: []string{"$.object_type", "$.account_code|$.subscription_id|$.invoice_id|$.uuid|$.transaction_id|$.plan_code"},
	at:     "$.event_time",
}
