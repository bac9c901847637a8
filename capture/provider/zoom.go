package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"anyhook.net/desktop/capture"
)

const zoomTime = "X-Zm-Request-Timestamp"

// Zoom signs the time and the body, as Slack does. When an address is saved,
// and every three days from then on, it sends a token and wants its HMAC back.
var zoom = capture.Provider{
	Name:     "zoom",
	Title:    "Zoom",
	Scheme:   zoomScheme.String(),
	Header:   zoomScheme.header,
	Deadline: 3 * time.Second,
	Dedupe:   zoomFields.dedupe(),
	Order:    zoomFields.orders(),
	Retry:    capture.Retry{Times: 3, After: []time.Duration{5 * time.Minute, 20 * time.Minute, time.Hour}},
	Setup:    "App Marketplace → your app → Features → Access: the secret token, and Event Subscription for the address.",
	Note:     "The address is checked when it is saved and again every 72 hours; AnyHook answers if the secret token is kept here. Zoom names no limit for the age of a signature.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources: []string{
		"npm @zoom/rivet@0.4.0",
		"https://github.com/zoom/webhook-sample/blob/master/index.js",
		"https://developers.zoom.us/changelog/platform/webhook-url-validation.md",
	},
	Marks:       []string{zoomScheme.header, zoomTime, "X-Zm-Trackingid"},
	Agent:       "Zoom",
	Members:     []string{"event_ts"},
	Body:        isZoom,
	Verify:      zoomScheme.verify,
	Sign:        zoomScheme.sign,
	CheckSecret: zoomScheme.keys.check,
	Events:      zoomFields.eventsOf("zoom"),
	Handshake:   zoomHandshake,
}

var zoomScheme = scheme{
	header: "X-Zm-Signature",
	form:   alone("v0=", hexadecimal),
	stamp:  stamp{header: zoomTime, unit: inSeconds},
	signs:  []piece{literal("v0:"), theTime, literal(":"), theBody},
	keys: keys{
		want:  "the secret token of the app's features, not an access token",
		alien: []string{"eyJ"},
	},
}

var zoomFields = fields{
	parts:  []string{"$.event", "$.payload.object.id", "$.payload.object.uuid", "$.event_ts"},
	typ:    []string{"$.event"},
	object: []string{"$.payload.object.id|$.payload.object.uuid|$.payload.user_id"},
	at:     "$.event_ts",
}

func isZoom(r *capture.Request) bool {
	f := value(r.Body).pick("event", "event_ts", "payload")
	event, _ := f[0].text()
	_, ok := f[1].text()
	return event != "" && ok && f[2].kind() == '{'
}

// zoomHandshake answers endpoint.url_validation.
func zoomHandshake(r *capture.Request, secrets []capture.Secret) (capture.Answer, bool) {
	f := challenged(r, "event", "payload")
	event, _ := f[0].text()
	token, _ := f[1].at("plainToken").text()
	key := answering(r, secrets)
	if event != "endpoint.url_validation" || key == "" || !mayBeMACed(token) {
		return capture.Answer{}, false
	}
	return inJSON(struct {
		Plain     string `json:"plainToken"`
		Encrypted string `json:"encryptedToken"`
	}{token, hex.EncodeToString(mac(sha256.New, key, []byte(token)))}), true
}
