package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Razorpay signs the body. The id of an event is in a header, and stays over
// retries.
var razorpay = capture.Provider{
	Name:     "razorpay",
	Title:    "Razorpay",
	Scheme:   razorpayScheme.String(),
	Header:   razorpayScheme.header,
	Deadline: 5 * time.Second,
	Dedupe:   razorpayFields.dedupe(),
	Order:    razorpayFields.orders(),
	Retry:    capture.Retry{Within: 24 * time.Hour},
	Disabled: "A webhook that fails for 24 hours is disabled.",
	Setup:    "Account & Settings → Webhooks → Add new webhook; the secret is chosen there.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"npm razorpay@2.9.8",
		"https://github.com/razorpay/markdown-docs webhooks/best-practices.md, faqs.md @ab3bda5",
	},
	Marks:       []string{"X-Razorpay-Signature", "X-Razorpay-Event-Id"},
	Agent:       "Razorpay",
	Members:     []string{"contains"},
	Body:        isRazorpay,
	Verify:      razorpayScheme.verify,
	Sign:        razorpayScheme.sign,
	CheckSecret: razorpayScheme.keys.check,
	Events:      razorpayEvents,
}

var razorpayScheme = scheme{
	header: "X-Razorpay-Signature",
	form:   alone("", hexadecimal),
	keys:   keys{want: "the secret of the webhook, not the key secret of the API", alien: []string{"rzp_"}},
}

var razorpayFields = fields{
	key: "header:X-Razorpay-Event-Id",
	typ: []string{"$.event"},
	at:  "$.created_at",
}

func isRazorpay(r *capture.Request) bool {
	f := value(r.Body).pick("entity", "event", "contains", "account_id")
	entity, _ := f[0].text()
	account, _ := f[3].text()
	return entity == "event" && f[1] != nil && f[2].kind() == '[' && strings.HasPrefix(account, "acc_")
}

// razorpayEvents names the object: of all that the body has, the one whose
// kind begins the name of the event, "refund.created"; else the first.
func razorpayEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := razorpayFields.eventsOf("razorpay")(r)
	for i := range events {
		kind, _, _ := strings.Cut(events[i].Type, ".")
		payload := value(r.Body).at("payload")
		events[i].Object, _ = payload.at(kind, "entity", "id").text()
		for _, object := range payload.members() {
			if events[i].Object != "" {
				break
			}
			events[i].Object, _ = object.at("entity", "id").text()
		}
	}
	return events, err
}
