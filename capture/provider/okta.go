package provider

import (
	"net/http"
	"time"

	"anyhook.net/desktop/capture"
)

const oktaChallenge = "X-Okta-Verification-Challenge"

// Okta shows a text of your choice, in a header of your choice, and signs
// nothing. Before it sends anything it asks for a header back in JSON.
var okta = capture.Provider{
	Name:     "okta",
	Title:    "Okta event hooks",
	Scheme:   oktaToken.String(),
	Header:   oktaToken.header,
	Deadline: 3 * time.Second,
	Dedupe:   oktaFields.dedupe(),
	Order:    oktaFields.orders(),
	Retry:    capture.Retry{Times: 1},
	Setup:    "Workflow → Event Hooks → Create: the address, Authorization as the authentication field, and a secret that you choose; then verify the endpoint.",
	Note:     "Answers of 4xx are not tried again. AnyHook looks for the secret in Authorization: a hook with another authentication field cannot be checked here.",
	Trust:    capture.Trust{Signature: capture.ByDocs, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"https://github.com/okta/okta-developer-docs/blob/master/packages/@okta/vuepress-site/docs/concepts/event-hooks/index.md",
	},
	Marks:       []string{oktaChallenge},
	Agent:       "Okta",
	Members:     []string{"eventType"},
	Body:        isOkta,
	Verify:      oktaToken.verify,
	Sign:        oktaToken.sign,
	CheckSecret: oktaToken.keys.check,
	Events:      oktaFields.eventsOf("okta"),
	Batch:       oktaFields.batchOf().parts,
	Join:        oktaFields.batchOf().join,
	Handshake:   oktaHandshake,
}

var oktaToken = token{
	header: "Authorization",
	keys:   keys{want: "the authentication secret of the hook, not an API token", alien: []string{"SSWS "}},
}

var oktaFields = fields{
	each:   "$.data.events",
	key:    "@.uuid",
	group:  "$.eventId",
	typ:    []string{"@.eventType"},
	object: []string{"@.target.0.id|@.actor.id"},
	at:     "@.published",
}

func isOkta(r *capture.Request) bool {
	kind, _ := value(r.Body).at("eventType").text()
	return kind == "com.okta.event_hook"
}

func oktaHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	challenge, n := only(r, oktaChallenge)
	return inJSON(map[string]string{"verification": challenge}), r.Method == http.MethodGet && n == 1 && challenge != ""
}
