package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Cal.com signs the body, whatever a template of the user's makes of it. Where
// no secret was set, the header says so in words.
var calcom = capture.Provider{
	Name:    "cal-com",
	Title:   "Cal.com",
	Scheme:  calcomScheme.String(),
	Header:  calcomScheme.header,
	Dedupe:  calcomFields.dedupe(),
	Order:   calcomFields.orders(),
	Setup:   "Settings → Developer → Webhooks → New; the secret is chosen there.",
	Note:    "A template of the user's can make the body anything. A reschedule has a new uid; the one before is in rescheduleUid. Redirects are not followed.",
	Trust:   capture.Trust{Signature: capture.BySource, Identity: capture.BySource, Retry: capture.ByHearsay},
	Sources: []string{"https://github.com/calcom/cal.com packages/features/webhooks/lib/sendPayload.ts @008952de"},
	Marks:   []string{"X-Cal-Signature-256"},
	Members: []string{"triggerEvent"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("triggerEvent", "createdAt", "payload")
		return f[0] != nil && f[1] != nil && f[2] != nil
	},
	Verify:      calcomVerify,
	Sign:        calcomScheme.sign,
	CheckSecret: calcomScheme.keys.check,
	Events:      calcomFields.eventsOf("cal-com"),
}

// calcomUnsigned is what the header says where no secret was set.
const calcomUnsigned = "no-secret-provided"

var calcomScheme = scheme{
	header: "X-Cal-Signature-256",
	form:   alone("", hexadecimal),
	keys:   keys{want: "the secret of the webhook, not an API key", alien: []string{"cal_"}},
}

var calcomFields = fields{
	parts:  []string{"$.payload.uid", "$.triggerEvent", "$.createdAt"},
	typ:    []string{"$.triggerEvent"},
	object: []string{"$.payload.uid"},
	at:     "$.createdAt",
}

func calcomVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	if value, n := only(r, calcomScheme.header); n == 1 && value == calcomUnsigned {
		return refuse(secrets, capture.Missing, capture.WhyNoHeader, calcomScheme.header)
	}
	return calcomScheme.verify(r, secrets, now)
}
