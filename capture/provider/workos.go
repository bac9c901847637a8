package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// WorkOS signs the time, in milliseconds, and the body; its list has a space
// behind the comma.
var workos = capture.Provider{
	Name:      "workos",
	Title:     "WorkOS",
	Scheme:    workosScheme.String(),
	Header:    workosScheme.header,
	Tolerance: workosScheme.stamp.window,
	Dedupe:    workosFields.dedupe(),
	Order:     workosFields.orders(),
	Retry:     capture.Retry{Times: 12, Within: 3 * 24 * time.Hour},
	Setup:     "Dashboard → Developer → Webhooks → Create webhook; the signing secret is shown with it.",
	Note:      "Outside of production it tries for some minutes only. No order is promised.",
	Trust:     capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByDocs},
	Sources: []string{
		"npm @workos-inc/node@8.13.0",
		"https://workos.com/docs/events/data-syncing/webhooks",
		"https://workos.com/docs/webhooks",
	},
	Marks:   []string{"Workos-Signature"},
	Members: []string{"event"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("id", "event", "data")
		id, _ := f[0].text()
		return strings.HasPrefix(id, "event_") && f[1].kind() == '"' && f[2] != nil
	},
	Verify:      workosScheme.verify,
	Sign:        workosScheme.sign,
	CheckSecret: workosScheme.keys.check,
	Events:      workosFields.eventsOf("workos"),
}

var workosScheme = scheme{
	header: "Workos-Signature",
	form:   list(", ", "t", "v1", hexadecimal),
	stamp:  stamp{unit: inMillis, window: 3 * time.Minute},
	signs:  []piece{theTime, literal("."), theBody},
	keys:   keys{want: "the signing secret of the webhook endpoint, not an API key", alien: []string{"sk_"}},
}

var workosFields = fields{
	key:    "$.id",
	typ:    []string{"$.event"},
	object: []string{"$.data.id"},
	at:     "$.created_at",
}
