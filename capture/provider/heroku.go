package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Heroku signs the body.
var heroku = capture.Provider{
	Name:   "heroku",
	Title:  "Heroku",
	Scheme: herokuScheme.String(),
	Header: herokuScheme.header,
	Dedupe: herokuFields.dedupe(),
	Order:  herokuFields.orders(),
	Retry:  capture.Retry{Within: 3 * 24 * time.Hour},
	Setup:  "heroku webhooks:add -i api:release -l sync -u ADDRESS; the secret is printed once.",
	Note:   "At the level sync it sends again for up to 72 hours, at the level notify once.",
	Trust:  capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByDocs},
	Sources: []string{
		"https://devcenter.heroku.com/changelog-items/1966",
		"several receivers that quote devcenter.heroku.com",
	},
	Marks:   []string{"Heroku-Webhook-Hmac-Sha256"},
	Members: []string{"published_at"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("resource", "action", "data", "published_at")
		return f[0].kind() == '"' && f[1].kind() == '"' && f[2].kind() == '{' && f[3] != nil
	},
	Verify:      herokuScheme.verify,
	Sign:        herokuScheme.sign,
	CheckSecret: herokuScheme.keys.check,
	Events:      herokuFields.eventsOf("heroku"),
}

var herokuScheme = scheme{
	header: "Heroku-Webhook-Hmac-Sha256",
	form:   alone("", base64std),
	keys:   keys{want: "the secret that was shown when the webhook was made"},
}

var herokuFields = fields{
	key:    "$.id",
	typ:    []string{"$.resource", "$.action"},
	object: []string{"$.data.id"},
	at:     "$.created_at|$.published_at",
}
