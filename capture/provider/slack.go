package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

const (
	slackSignature = "X-Slack-Signature"
	slackTime      = "X-Slack-Request-Timestamp"
	slackRetry     = "X-Slack-Retry-Num"
	slackReason    = "X-Slack-Retry-Reason"
)

// Slack signs the time and the body, be it JSON, the form of a slash command,
// or the form of an interaction. When an address is saved it asks for a
// challenge back, which is signed as well.
var slack = capture.Provider{
	Name:      "slack",
	Title:     "Slack",
	Scheme:    slackScheme.String(),
	Header:    slackSignature,
	Tolerance: 300 * time.Second,
	Deadline:  3 * time.Second,
	Dedupe:    "$.event_id; trigger_id of commands and interactions",
	Order:     "$.event.event_ts",
	Attempt:   "header:X-Slack-Retry-Num, which counts retries",
	Retry:     capture.Retry{Times: 3, After: []time.Duration{0, time.Minute, 5 * time.Minute}},
	Disabled:  "Events are switched off when more than 95 % of the deliveries of an hour fail.",
	Setup:     "api.slack.com/apps → your app → Event Subscriptions → Request URL; the signing secret is under Basic Information.",
	Note:      "X-Slack-Retry-Reason tells why an event came again; http_timeout may come while the answer is on its way. X-Slack-No-Retry: 1 in an answer that is a failure ends the retries.",
	Trust:     capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByOthers},
	Sources: []string{
		"npm @slack/bolt@5.1.0 receivers/verify-request.js",
		"https://docs.slack.dev/authentication/verifying-requests-from-slack",
		"https://docs.slack.dev/apis/events-api/",
	},
	Marks:       []string{slackSignature, slackTime, slackRetry},
	Agent:       "Slackbot",
	Members:     []string{"event_id", "challenge"},
	Body:        isSlack,
	Verify:      slackScheme.verify,
	Sign:        slackScheme.sign,
	CheckSecret: slackScheme.keys.check,
	Events:      slackEvents,
	Mark:        slackMark,
	Handshake:   slackHandshake,
}

var slackScheme = scheme{
	header: slackSignature,
	form:   alone("v0=", hexadecimal),
	stamp:  stamp{header: slackTime, unit: inSeconds, window: 300 * time.Second},
	signs:  []piece{literal("v0:"), theTime, literal(":"), theBody},
	keys: keys{
		want:  "the signing secret of the app, not a token",
		alien: []string{"xoxb-", "xoxp-", "xoxe", "xapp-"},
	},
}

func isSlack(r *capture.Request) bool {
	f := value(r.Body).pick("type", "event_id", "challenge")
	kind, _ := f[0].text()
	return kind == "event_callback" && f[1] != nil || kind == "url_verification" && f[2] != nil
}

// slackHandshake answers url_verification with the challenge, as plain text.
func slackHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	f := challenged(r, "type", "challenge")
	kind, _ := f[0].text()
	challenge, _ := f[1].text()
	if kind != "url_verification" || challenge == "" {
		return capture.Answer{}, false
	}
	return plain(challenge), true
}
