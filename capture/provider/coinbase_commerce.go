package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Coinbase Commerce signs the body, and says in it which attempt it is.
var coinbaseCommerce = capture.Provider{
	Name:    "coinbase-commerce",
	Title:   "Coinbase Commerce",
	Scheme:  coinbaseCommerceScheme.String(),
	Header:  coinbaseCommerceScheme.header,
	Dedupe:  coinbaseCommerceFields.dedupe(),
	Order:   coinbaseCommerceFields.orders(),
	Attempt: coinbaseCommerceFields.try,
	Retry:   capture.Retry{Within: 3 * 24 * time.Hour},
	Setup:   "Settings → Notifications → Webhook subscriptions: the address, and below it the shared secret.",
	Trust:   capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByDocs},
	Sources: []string{
		"npm coinbase-commerce-node@1.0.4",
		"https://docs.cloud.coinbase.com/commerce-onchain/docs/webhooks",
	},
	Marks:       []string{"X-Cc-Webhook-Signature"},
	Members:     []string{"event"},
	Body:        isCoinbaseCommerce,
	Verify:      coinbaseCommerceScheme.verify,
	Sign:        coinbaseCommerceScheme.sign,
	CheckSecret: coinbaseCommerceScheme.keys.check,
	Events:      coinbaseCommerceFields.eventsOf("coinbase-commerce"),
	Mark:        coinbaseCommerceFields.marksOf(),
}

var coinbaseCommerceScheme = scheme{
	header: "X-Cc-Webhook-Signature",
	form:   alone("", hexadecimal),
	keys:   keys{want: "the shared secret of the webhooks, not an API key"},
}

var coinbaseCommerceFields = fields{
	key:    "$.event.id",
	typ:    []string{"$.event.type"},
	object: []string{"$.event.data.id|$.event.data.code"},
	at:     "$.event.created_at",
	try:    "$.attempt_number",
}

func isCoinbaseCommerce(r *capture.Request) bool {
	kind, _ := value(r.Body).at("event", "type").text()
	return strings.HasPrefix(kind, "charge:")
}
