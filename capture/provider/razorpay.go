package provider

import (
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
	Verify:      razorpayScheme.verify,
	Sign:        razorpayScheme.sign,
	CheckSecret: razorpayScheme.keys.check,
	Events:      razorpayFields.eventsOf("razorpay"),
}

var razorpayScheme = scheme{
	header: "X-Razorpay-Signature",
	form:   alone("", hexadecimal),
	keys:   keys{want: "the secret of the webhook, not the key secret of the API", alien: []string{"rzp_"}},
}

var razorpayFields = fields{
	key:    "header:X-Razorpay-Event-Id",
	typ:    []string{"$.event"},
	object: []string{"$.payload.payment.entity.id|$.payload.order.entity.id|$.payload.refund.entity.id|$.payload.subscription.entity.id|$.payload.invoice.entity.id|$.payload.payment_link.entity.id|$.payload.payout.entity.id|$.payload.settlement.entity.id"},
	at:     "$.created_at",
}
