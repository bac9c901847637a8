package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Paddle Billing signs the time and the body. While a secret is rolled there are
// several signatures. Its own library for Node refuses what is older than five
// seconds, so that every replay has to be signed again.
var paddle = capture.Provider{
	Name:      "paddle",
	Title:     "Paddle Billing",
	Scheme:    paddleScheme.String(),
	Header:    paddleScheme.header,
	Tolerance: paddleScheme.stamp.window,
	Deadline:  5 * time.Second,
	Dedupe:    paddleFields.dedupe(),
	Order:     paddleFields.orders(),
	Retry:     capture.Retry{Times: 60, Within: 3 * 24 * time.Hour},
	Setup:     "Developer tools → Notifications → New destination; the secret key is in the destination's menu.",
	Note:      "In the sandbox it tries 3 times within 15 minutes. The window of 5 seconds is that of the library for Node; in the one for Go it is optional.",
	Trust:     capture.Trust{Signature: capture.BySDK, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"npm @paddle/paddle-node-sdk@3.10.0",
		"https://github.com/PaddleHQ/paddle-go-sdk/blob/main/webhook_verifier.go",
		"https://developer.paddle.com/webhooks/about/respond-to-webhooks",
		"https://developer.paddle.com/webhooks/about/how-webhooks-work",
	},
	Marks:       []string{"Paddle-Signature"},
	Agent:       "Paddle",
	Members:     []string{"notification_id"},
	Body:        isPaddle,
	Verify:      paddleScheme.verify,
	Sign:        paddleScheme.sign,
	CheckSecret: paddleScheme.keys.check,
	Events:      paddleFields.eventsOf("paddle"),
}

var paddleScheme = scheme{
	header: "Paddle-Signature",
	form:   list(";", "ts", "h1", hexadecimal),
	stamp:  stamp{unit: inSeconds, window: 5 * time.Second},
	signs:  []piece{theTime, literal(":"), theBody},
	keys:   keys{want: "the secret key of the notification destination, which begins with pdl_ntfset_, not an API key", alien: []string{"pdl_live_apikey_", "pdl_sdbx_apikey_"}},
}

var paddleFields = fields{
	key:    "$.event_id",
	typ:    []string{"$.event_type"},
	object: []string{"$.data.id"},
	at:     "$.occurred_at",
}

func isPaddle(r *capture.Request) bool {
	f := value(r.Body).pick("event_id", "notification_id")
	event, _ := f[0].text()
	notification, _ := f[1].text()
	return strings.HasPrefix(event, "evt_") && strings.HasPrefix(notification, "ntf_")
}
