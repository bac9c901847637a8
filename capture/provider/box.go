package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

const boxDelivery = "BOX-DELIVERY-ID"

// boxKnown is what Box says of the only signatures that it makes.
var boxKnown = []capture.Field{
	{Name: "BOX-SIGNATURE-VERSION", Value: "1"},
	{Name: "BOX-SIGNATURE-ALGORITHM", Value: "HmacSHA256"},
}

// Box signs the body and the time behind it, under both of its keys, so that
// they can be changed one after the other: either signature will do.
var box = capture.Provider{
	Name:        "box",
	Title:       "Box",
	Scheme:      boxScheme.String(),
	Header:      boxScheme.header,
	Tolerance:   boxScheme.stamp.window,
	Deadline:    30 * time.Second,
	Dedupe:      boxFields.dedupe(),
	Order:       boxFields.orders(),
	Retry:       capture.Retry{Times: 10},
	Setup:       "Developer Console → your app → Webhooks: the address, and under Manage signature keys the primary and the secondary key.",
	Note:        "BOX-DELIVERY-ID is that of one delivery, and $.id that of the event. Keep both keys here: while one is changed the other signs.",
	Trust:       capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByHearsay},
	Sources:     []string{"npm box-node-sdk@10.12.0 managers/webhooks.js"},
	Marks:       []string{boxDelivery, boxScheme.header, boxScheme.also[0]},
	Members:     []string{"trigger"},
	Body:        isBox,
	Verify:      boxVerify,
	Sign:        boxSign,
	CheckSecret: boxScheme.keys.check,
	Events:      boxFields.eventsOf("box"),
}

var boxScheme = scheme{
	header: "BOX-SIGNATURE-PRIMARY",
	also:   []string{"BOX-SIGNATURE-SECONDARY"},
	form:   alone("", base64std),
	stamp:  stamp{header: "BOX-DELIVERY-TIMESTAMP", unit: inISO, window: 10 * time.Minute, both: true},
	signs:  []piece{theBody, theTime},
	keys:   keys{want: "the primary or the secondary signature key"},
}

var boxFields = fields{
	key:    "$.id",
	typ:    []string{"$.trigger"},
	object: []string{"$.source.id"},
	at:     "$.created_at",
}

func isBox(r *capture.Request) bool {
	f := value(r.Body).pick("type", "webhook", "trigger")
	kind, _ := f[0].text()
	return kind == "webhook_event" && f[1] != nil && f[2] != nil
}

// boxVerify looks first whether it is the version of signature that is known here.
func boxVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	signed := has(r, boxScheme.header) || has(r, boxScheme.also...)
	for _, want := range boxKnown {
		if got, n := only(r, want.Name); signed && (n != 1 || got != want.Value) {
			return refuse(secrets, capture.Malformed, capture.WhyBadShape, want.Name+": "+want.Value)
		}
	}
	return boxScheme.verify(r, secrets, now)
}

// boxSign makes the signature of the primary key.
func boxSign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := boxScheme.sign(r, secret, now); err != nil {
		return err
	}
	for _, want := range boxKnown {
		r.SetHeader(want.Name, want.Value)
	}
	return nil
}
