package provider

import (
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Meta signs the body as it sends it, with \u escapes in small letters, so
// that no JSON written anew fits. One request tells of many things, nested in
// entries and changes, or in entries and messages.
var meta = capture.Provider{
	Name:   "meta",
	Title:  "Meta / Facebook / Instagram / WhatsApp",
	Scheme: metaScheme.String(),
	Header: metaScheme.header,
	Dedupe: "the id of a message; id + status of a status; id + verb + time of other changes that have an id",
	Order:  "status of a message (sent, delivered, read); timestamp in messages; $.entry[*].time else",
	Retry:  capture.Retry{Within: 7 * 24 * time.Hour},
	Setup:  "App Dashboard → your app → Webhooks (WhatsApp: Configuration); the app secret is under App settings → Basic. Keep the verify token as a second secret here.",
	Note:   "A week of retries is what WhatsApp is known for. Changes without an id of their own cannot be told apart. Meta asks for answers within a fraction of a second.",
	Trust:  capture.Trust{Signature: capture.BySource, Identity: capture.ByHearsay, Retry: capture.ByOthers},
	Sources: []string{
		"https://github.com/WhatsApp/WhatsApp-Nodejs-SDK/blob/main/src/api/webhooks.ts",
		"https://docs.360dialog.com/partner/messaging/receiving-messages-via-webhook",
	},
	Marks: []string{metaScheme.header},
	Agent: "facebook",
	Match: func(r *capture.Request) bool {
		return strings.HasPrefix(r.Header.Get("User-Agent"), "facebook") ||
			!has(r, "X-Github-Event", "X-Gitea-Event", "X-Forgejo-Event", "X-Gogs-Event") && len(r.Body) <= maxHandshake && isMeta(r)
	},
	Members:     []string{"entry"},
	Body:        isMeta,
	Verify:      metaScheme.verify,
	Sign:        metaSign,
	CheckSecret: metaKeys.check,
	Events:      metaEvents,
	Batch:       metaBatch.parts,
	Join:        metaBatch.join,
	Handshake:   metaHandshake,
}

var metaKeys = keys{
	want:  "the app secret, not an access token",
	alien: []string{"EAA"},
}

var (
	metaScheme = scheme{header: "X-Hub-Signature-256", form: alone("sha256=", hexadecimal), keys: metaKeys}
	metaOlder  = scheme{header: "X-Hub-Signature", hash: usingSHA1, form: alone("sha1=", hexadecimal), keys: metaKeys}
)

// metaSign renews the older signature as well, which comes along for those who still check it.
func metaSign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := metaScheme.sign(r, secret, now); err != nil || !has(r, metaOlder.header) {
		return err
	}
	return metaOlder.sign(r, secret, now)
}

func isMeta(r *capture.Request) bool {
	f := value(r.Body).pick("object", "entry")
	object, _ := f[0].text()
	for first := range f[1].elements() {
		return object != "" && first.at("id") != nil
	}
	return false
}

// metaHandshake answers hub.challenge to who knows the verify token, which is
// one of the secrets, if there are any.
func metaHandshake(r *capture.Request, secrets []capture.Secret) (capture.Answer, bool) {
	a, _ := parseAddress(r.URL)
	challenge, token := formValue(a.query(), "hub.challenge"), formValue(a.query(), "hub.verify_token")
	if r.Method != http.MethodGet || formValue(a.query(), "hub.mode") != "subscribe" || challenge == "" {
		return capture.Answer{}, false
	}
	known := !anySecret(secrets)
	for _, s := range secrets {
		if s != "" && subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(token)) == 1 {
			known = true
		}
	}
	if !known {
		refusal := plain("the verify token is none of the secrets of this endpoint")
		refusal.Status = http.StatusForbidden
		return refusal, true
	}
	return plain(challenge), true
}
