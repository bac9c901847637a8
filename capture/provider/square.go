package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Square signs its notification URL, exactly as it is registered, and the body.
// Attempts carry headers of their own, which are not signed. An object has a
// version, which guards the order better than the clock.
var square = capture.Provider{
	Name:     "square",
	Title:    "Square",
	Scheme:   squareScheme.String(),
	Header:   squareScheme.header,
	Deadline: 10 * time.Second,
	Dedupe:   squareFields.dedupe(),
	Order:    "$.data.object.<type>.version",
	Attempt:  squareFields.try,
	Retry:    capture.Retry{Times: 11, Within: 24 * time.Hour, After: []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 8 * time.Hour}},
	Disabled: "A subscription is disabled when no single delivery succeeds for three weeks.",
	Setup:    "Developer Console → your application → Webhooks → Subscriptions; the signature key is shown with the subscription.",
	Note:     "The URL is part of what is signed: it has to be registered exactly as AnyHook is reached. Square promises no order.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.ByOthers, Retry: capture.ByDocs},
	Sources: []string{
		"npm square@46.0.0 WebhooksHelper",
		"https://developer.squareup.com/docs/webhooks/troubleshooting",
		"https://developer.squareup.com/docs/webhooks/step4manage",
	},
	Marks:       []string{"X-Square-Hmacsha256-Signature", "Square-Environment"},
	Agent:       "Square",
	Members:     []string{"merchant_id"},
	Body:        isSquare,
	Verify:      squareScheme.verify,
	Sign:        squareScheme.sign,
	CheckSecret: squareScheme.keys.check,
	Events:      squareEvents,
	Mark:        squareMark,
}

const (
	squareReason = "Square-Retry-Reason"
	squareFirst  = "Square-Initial-Delivery-Timestamp"
)

var squareScheme = scheme{
	header: "X-Square-Hmacsha256-Signature",
	form:   alone("", base64std),
	signs:  []piece{theURL, theBody},
	keys:   keys{want: "the signature key of the webhook subscription, not an access token", alien: []string{"EAAA", "sq0"}},
}

var squareFields = fields{
	key:    "$.event_id",
	typ:    []string{"$.type"},
	object: []string{"$.data.id"},
	at:     "$.created_at",
	try:    "header:Square-Retry-Number",
	from0:  true,
}

func isSquare(r *capture.Request) bool {
	f := value(r.Body).pick("merchant_id", "event_id", "data")
	return f[0] != nil && f[1] != nil && f[2] != nil
}

// squareEvents adds the version of the object, which is under its type's name.
func squareEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := squareFields.eventsOf("square")(r)
	data := value(r.Body).at("data").pick("type", "object")
	kind, _ := data[0].text()
	for i := range events {
		f := reading{name: "square"}
		events[i].Order = source{r: r, doc: data[1].at(kind)}.number(&f, "$.version")
	}
	return events, err
}
