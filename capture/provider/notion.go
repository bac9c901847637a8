package provider

import (
	"net/http"
	"time"

	"anyhook.net/desktop/capture"
)

// Notion makes the secret itself, and sends it in its first request, which is
// not signed: who is first to ask an endpoint without a secret is believed.
var notion = capture.Provider{
	Name:        "notion",
	Title:       "Notion",
	Scheme:      notionScheme.String(),
	Header:      notionScheme.header,
	Dedupe:      notionFields.dedupe(),
	Order:       notionFields.orders(),
	Attempt:     notionFields.try,
	Retry:       capture.Retry{Times: 8, Within: 24 * time.Hour},
	Setup:       "notion.so/my-integrations → your integration → Webhooks → Create a subscription; the secret is the verification_token of the first request.",
	Note:        "Paste the verification_token of the first request into Notion; an endpoint for Notion that has no secret yet keeps it as the secret.",
	Trust:       capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:     []string{"a registry of webhook signatures by others"},
	Marks:       []string{notionScheme.header},
	Members:     []string{"integration_id", "verification_token"},
	Body:        isNotion,
	Verify:      notionScheme.verify,
	Sign:        notionScheme.sign,
	CheckSecret: notionScheme.keys.check,
	Events:      notionFields.eventsOf("notion"),
	Mark:        notionFields.marksOf(),
	Handshake:   notionHandshake,
	Learn:       notionLearn,
}

var notionScheme = scheme{
	header: "X-Notion-Signature",
	form:   alone("sha256=", hexadecimal),
	keys:   keys{want: "the verification_token, not the token of an integration", alien: []string{"ntn_"}},
}

var notionFields = fields{
	key:    "$.id",
	typ:    []string{"$.type"},
	object: []string{"$.entity.id"},
	at:     "$.timestamp",
	try:    "$.attempt_number",
}

func isNotion(r *capture.Request) bool {
	f := value(r.Body).pick("subscription_id", "integration_id")
	_, first := notionLearn(r)
	return first || f[0] != nil && f[1] != nil
}

// notionLearn returns the token of a body that has nothing else.
func notionLearn(r *capture.Request) (capture.Secret, bool) {
	if has(r, notionScheme.header) {
		return "", false
	}
	token := lone(r, "verification_token")
	return capture.Secret(token), token != ""
}

func notionHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	_, ok := notionLearn(r)
	return capture.Answer{Status: http.StatusOK}, ok
}
