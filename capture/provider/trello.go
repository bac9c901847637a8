package provider

import (
	"net/http"
	"time"

	"anyhook.net/desktop/capture"
)

// Trello signs the body and the callback URL behind it, with SHA-1. When a webhook
// is made it asks for the address with HEAD.
var trello = capture.Provider{
	Name:     "trello",
	Title:    "Trello",
	Scheme:   trelloScheme.String(),
	Header:   trelloScheme.header,
	Deadline: 30 * time.Second,
	Dedupe:   trelloFields.dedupe(),
	Order:    trelloFields.orders(),
	Retry:    capture.Retry{Times: 3, After: []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute}},
	Disabled: "An answer of 410 deletes the webhook.",
	Setup:    "POST /1/webhooks with the address as callbackURL; the secret is that of the API key, at trello.com/power-ups/admin.",
	Note:     "The URL is part of what is signed: after the name of the tunnel changed, requests to the old one no longer fit.",
	Trust:    capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources: []string{
		"a registry of recipes by others",
	},
	Marks:   []string{"X-Trello-Webhook"},
	Members: []string{"model"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("action", "model")
		return f[0].at("idMemberCreator") != nil && f[1].at("id") != nil
	},
	Verify:      trelloScheme.verify,
	Sign:        trelloScheme.sign,
	CheckSecret: trelloScheme.keys.check,
	Events:      trelloFields.eventsOf("trello"),
	Handshake:   asksByHead,
}

var trelloScheme = scheme{
	header: "X-Trello-Webhook",
	hash:   usingSHA1,
	form:   alone("", base64std),
	signs:  []piece{theBody, theURL},
	keys:   keys{want: "the secret of the Power-Up's API key, not a token", alien: []string{"ATTA"}},
}

var trelloFields = fields{
	key:    "$.action.id",
	typ:    []string{"$.action.type"},
	object: []string{"$.model.id"},
	at:     "$.action.date",
}

// asksByHead answers a check of the address by HEAD, where the endpoint says whose it is.
func asksByHead(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	return capture.Answer{Status: http.StatusOK}, r.Method == http.MethodHead
}
