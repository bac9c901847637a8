package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// GoCardless signs the body, under a header name that Standard Webhooks uses as
// well: without the standard's id it is GoCardless's. A request holds up to 250 events.
var gocardless = capture.Provider{
	Name:     "gocardless",
	Title:    "GoCardless",
	Scheme:   gocardlessScheme.String(),
	Header:   gocardlessScheme.header,
	Deadline: 10 * time.Second,
	Dedupe:   gocardlessFields.dedupe(),
	Order:    gocardlessFields.orders(),
	Retry:    capture.Retry{Times: 8},
	Setup:    "Developers → Create → Webhook endpoint; the secret is chosen or made there.",
	Note:     "A bad signature has to be answered with 498. Webhooks may come out of order; redirects count as failures.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByDocs},
	Sources: []string{
		"npm gocardless-nodejs@10.1.2 webhooks",
		"https://developer.gocardless.com/api-reference/#appendix-webhooks",
		"https://support.gocardless.com/hc/en-nz/articles/360000989989-Webhook-retries-failures",
	},
	Marks:       []string{"Webhook-Signature"},
	Agent:       "gocardless-webhook",
	Match:       func(r *capture.Request) bool { return !has(r, standardHeaders[standardNames][:2]...) },
	Members:     []string{"events"},
	Body:        isGoCardless,
	Verify:      gocardlessScheme.verify,
	Sign:        gocardlessScheme.sign,
	CheckSecret: gocardlessScheme.keys.check,
	Events:      gocardlessEvents,
	Batch:       gocardlessFields.batchOf().parts,
	Join:        gocardlessFields.batchOf().join,
}

var gocardlessScheme = scheme{
	header: "Webhook-Signature",
	form:   alone("", hexadecimal),
	keys:   keys{want: "the secret of the webhook endpoint, not an access token", alien: []string{"live_", "sandbox_"}},
}

var gocardlessFields = fields{
	each: "$.events",
	key:  "@.id",
	typ:  []string{"@.resource_type", "@.action"},
	at:   "@.created_at",
}

func isGoCardless(r *capture.Request) bool {
	for first := range value(r.Body).at("events").elements() {
		f := first.pick("resource_type", "links")
		return f[0] != nil && f[1] != nil
	}
	return false
}

// gocardlessEvents names the object, whose link is under the singular of its type.
func gocardlessEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := gocardlessFields.eventsOf("gocardless")(r)
	i := 0
	for v := range value(r.Body).at("events").elements() {
		if i == len(events) {
			break
		}
		f := v.pick("resource_type", "links")
		kind, _ := f[0].text()
		events[i].Object, _ = f[1].at(strings.TrimSuffix(kind, "s")).text()
		i++
	}
	return events, err
}
