package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"anyhook.net/desktop/capture"
)

// Mailgun signs a time and a random token inside the body, and nothing of what
// happened: a signature that fits says who sent the request, as a password would.
var mailgun = capture.Provider{
	Name:   "mailgun",
	Title:  "Mailgun",
	Scheme: mailgunSays + ", hex in $.signature; nothing of the event is signed",
	Dedupe: mailgunFields.dedupe(),
	Order:  mailgunFields.orders(),
	Retry: capture.Retry{Times: 6, Within: 8 * time.Hour, After: []time.Duration{
		5 * time.Minute, 10 * time.Minute, 15 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour,
	}},
	Setup: "Sending → Webhooks → Add webhook; the HTTP webhook signing key is in the account's API security.",
	Note:  "A handler should remember tokens and refuse one that it has seen. An answer of 406 means no, and no retry. $.event-data.delivery-status.attempt-no counts tries to deliver the e-mail, not the webhook.",
	Trust: capture.Trust{Signature: capture.BySDK, Identity: capture.ByHearsay, Retry: capture.ByDocs},
	Sources: []string{
		"npm mailgun-js@0.22.0 validateWebhook",
		"https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-retries",
	},
	Members: []string{"event-data"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("signature", "event-data")
		return f[0].at("token") != nil && f[1] != nil
	},
	Verify:      mailgunVerify,
	Sign:        mailgunSign,
	CheckSecret: mailgunKeys.check,
	Events:      mailgunFields.eventsOf("mailgun"),
}

const mailgunSays = "HMAC-SHA256 of time, token"

var mailgunKeys = keys{
	want:  "the HTTP webhook signing key, not an API key",
	alien: []string{"pubkey-"},
}

var mailgunFields = fields{
	key:    "$.event-data.id",
	typ:    []string{"$.event-data.event"},
	object: []string{"$.event-data.message.headers.message-id", "$.event-data.recipient"},
	at:     "$.event-data.timestamp",
}

func mailgunVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	f := value(r.Body).at("signature").pick("signature", "timestamp", "token")
	text, _ := f[0].text()
	stamp, timed := f[1].text()
	random, _ := f[2].text()
	sig, ok := unhex(text, sha256.Size)
	at, fits := unixTime(stamp, time.Second)
	switch {
	case text == "":
		return refuse(secrets, capture.Missing, capture.WhyNoHeader, "$.signature")
	case !ok:
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "64 hex digits")
	case !timed:
		return refuse(secrets, capture.Malformed, capture.WhyNoTimestamp, "$.signature")
	case !fits:
		return refuse(secrets, capture.Malformed, capture.WhyBadTime, brief(stamp))
	}
	s := claim{
		ways:  []way{{scheme: mailgunSays, parts: [][]byte{[]byte(stamp), []byte(random)}}},
		clock: clock{at: at, unit: time.Second},
		keys:  mailgunKeys,
		match: anyMAC(sha256.New, sig),
	}.judge(secrets, now)
	s.Content = nil
	if s.Status == capture.Valid {
		s.Status = capture.Authenticated
	}
	return s
}

// mailgunSign renews the time, and the token, which a handler that remembers
// tokens would refuse to see again.
func mailgunSign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := mailgunKeys.check(secret); err != nil {
		return err
	}
	stamp := inSeconds.write(now)
	part := func(name string) (value, string, bool) {
		v := value(r.Body).at("signature", name)
		text, ok := v.text()
		return v, text, ok
	}
	_, before, ok := part("token")
	if _, _, timed := part("timestamp"); !ok || !timed {
		return errors.New("no $.signature with a timestamp and a token, which are signed")
	}
	if _, _, signed := part("signature"); !signed {
		return errors.New("no $.signature.signature to put the signature into")
	}
	fresh := sha256.Sum256([]byte(before + stamp))
	random := hex.EncodeToString(fresh[:])[:50]
	sum := hex.EncodeToString(mac(sha256.New, secret.Reveal(), []byte(stamp), []byte(random)))
	for name, text := range map[string]string{"timestamp": stamp, "token": random, "signature": sum} {
		v, _, _ := part(name)
		if v.kind() != '"' { // a number cannot be hex digits
			text = `"` + text + `"`
		}
		r.Body = rewrite(r.Body, v, text)
	}
	return nil
}
