package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

const (
	slackSignature = "X-Slack-Signature"
	slackTime      = "X-Slack-Request-Timestamp"
	slackRetry     = "X-Slack-Retry-Num"
)

// Slack signs the time and the body, be it JSON, the form of a slash command,
// or the form of an interaction. When an address is saved it asks for a
// challenge back, which is signed as well.
var slack = capture.Provider{
	Name:      "slack",
	Title:     "Slack",
	Scheme:    "HMAC-SHA256 of v0:time:body, hex with v0= in front",
	Header:    slackSignature,
	Tolerance: 300 * time.Second,
	Deadline:  3 * time.Second,
	Dedupe:    "$.event_id; trigger_id of commands and interactions",
	Sources: []string{
		"npm @slack/bolt@5.1.0 receivers/verify-request.js",
		"https://docs.slack.dev/authentication/verifying-requests-from-slack",
		"https://docs.slack.dev/apis/events-api/",
	},
	Match: func(r *capture.Request) bool {
		return has(r, slackSignature, slackTime, slackRetry) || agent(r, "Slackbot") || anonymous(r) && isSlack(r.Body)
	},
	Verify:    slackVerify,
	Sign:      slackSign,
	Events:    slackEvents,
	Handshake: slackHandshake,
}

var slackKeys = keys{
	want:  "the signing secret of the app, not a token",
	alien: []string{"xoxb-", "xoxp-", "xoxe", "xapp-"},
}

func isSlack(body []byte) bool {
	f := value(body).pick("type", "event_id", "challenge")
	kind, _ := f[0].text()
	return kind == "event_callback" && f[1] != nil || kind == "url_verification" && f[2] != nil
}

func slackVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, slackSignature, secrets)
	if bad != nil {
		return *bad
	}
	stamp, bad := signature(r, slackTime, secrets)
	if bad != nil {
		return *bad
	}
	digits, ok := strings.CutPrefix(header, "v0=")
	sig, fits := unhex(digits, sha256.Size)
	if !ok || !fits {
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "v0=… with 64 hex digits")
	}
	at, ok := unixTime(stamp, time.Second)
	if !ok {
		return refuse(secrets, capture.Malformed, capture.WhyBadTime, brief(stamp))
	}
	return claim{
		ways:  []way{{"HMAC-SHA256 of v0:time:body", slackParts(stamp, r.Body), 3}},
		clock: clock{at: at, unit: time.Second, window: 300 * time.Second},
		keys:  slackKeys,
		match: anyMAC(sha256.New, sig),
	}.judge(secrets, now)
}

func slackParts(stamp string, body []byte) [][]byte {
	return [][]byte{[]byte("v0:"), []byte(stamp), []byte(":"), body}
}

func slackSign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := slackKeys.check(secret); err != nil {
		return err
	}
	stamp := strconv.FormatInt(now.Unix(), 10)
	sum := mac(sha256.New, secret.Reveal(), slackParts(stamp, r.Body)...)
	r.SetHeader(slackTime, stamp)
	r.SetHeader(slackSignature, "v0="+hex.EncodeToString(sum))
	return nil
}

// slackHandshake answers url_verification with the challenge, as plain text.
func slackHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	if r.Method != http.MethodPost || len(r.Body) > peekLimit || isForm(r) {
		return capture.Answer{}, false
	}
	f := value(r.Body).pick("type", "challenge")
	kind, _ := f[0].text()
	challenge, ok := f[1].text()
	if kind != "url_verification" || !ok || challenge == "" {
		return capture.Answer{}, false
	}
	return capture.Answer{
		Status: http.StatusOK,
		Fields: []capture.Field{
			{Name: "Content-Type", Value: "text/plain; charset=utf-8"},
			{Name: "X-Content-Type-Options", Value: "nosniff"},
		},
		Body: []byte(challenge),
	}, true
}
