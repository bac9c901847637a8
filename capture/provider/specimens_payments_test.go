package provider

import (
	"net/http"

	"anyhook.net/desktop/capture"
)

// paymentsSpecimens are those of who moves money, and of shops.
func paymentsSpecimens() []specimen {
	const (
		post   = http.MethodPost
		hook   = "https://hooks.example.com/in/x?tenant=7"
		object = `{"id":"o_1","text":"hello \u00e4","n":1}`
	)
	const (
		item = `{"notificationItems":[{"NotificationRequestItem":{"pspReference":"1","amount":{"value":1,"currency":"EUR"},"success":"true","additionalData":{"hmacSignature":""}}}]}`
		hex1 = capture.Secret("44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056")
		hex2 = capture.Secret("54782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056")
	)
	type h = map[string]string
	return []specimen{
		{"payment", "square", post, hook, nil, object, "one", "two", none},
		{"subscription", "paddle", post, hook, nil, object, "one", "two", none},
		{"subscription", "lemonsqueezy", post, hook, h{"X-Event-Name": "a"}, object, "one", "two", none},
		{"payment", "razorpay", post, hook, nil, object, "one", "two", none},
		{"charge", "coinbase-commerce", post, hook, nil, object, "one", "two", none},
		{"payments", "gocardless", post, hook, nil, object, "one", "two", none},
		{"event", "chargebee", post, hook, nil, object, "user:one", "user:two", specimenExtra{token: true}},
		{"order", "woocommerce", post, hook, nil, object, "one", "two", none},
		{"contacts", "xero", post, hook, nil, object, "one", "two", none},
		{"invoices", "quickbooks", post, hook, nil, object, "one", "two", none},
		{"user", "workos", post, hook, nil, object, "one", "two", none},
		{"asset", "mux", post, hook, nil, object, "one", "two", none},
		{"items", "adyen", post, hook, nil, item, hex1, hex2, specimenExtra{partial: true}},
		{"platform", "adyen", post, hook, nil, object, hex1, hex2, none},
		{"event", "mollie", post, hook, nil, object, "one", "two", specimenExtra{many: true}},
		{"account", "recurly", post, hook, nil, object, "one", "two", none},
		{"tracker", "easypost", post, hook, nil, `{"weight":5,"a":[{"weight": 7}]}`, "one", "two", none},
		{"response", "tally", post, hook, nil, object, "one", "two", none},
	}
}
