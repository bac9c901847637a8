package provider

import (
	"net/http"
	"time"

	"anyhook.net/desktop/capture"
)

const asanaSecret = "X-Hook-Secret"

// Asana makes a secret for each webhook and sends it once, in a header that it
// wants back. A request without events says that the webhook is alive.
var asana = capture.Provider{
	Name:     "asana",
	Title:    "Asana",
	Scheme:   asanaScheme.String(),
	Header:   asanaScheme.header,
	Deadline: 10 * time.Second,
	Dedupe:   asanaFields.dedupe(),
	Order:    asanaFields.orders(),
	Retry:    capture.Retry{Within: 24 * time.Hour},
	Disabled: "A webhook that fails for 24 hours is deleted.",
	Setup:    "Create the webhook with POST /webhooks: the address is target; the secret is the X-Hook-Secret of the first request.",
	Note:     "An endpoint for Asana that has no secret yet keeps the one of the first request; each webhook has one of its own. Events come at most once: some can be lost. Only an answer of 200 or 204 counts.",
	Trust:    capture.Trust{Signature: capture.ByDocs, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"https://github.com/Asana/developer-docs/blob/master/source/includes/markdown/_webhooks.html.md",
	},
	Marks:       []string{asanaScheme.header, asanaSecret},
	Members:     []string{"events"},
	Body:        isAsana,
	Verify:      asanaScheme.verify,
	Sign:        asanaScheme.sign,
	CheckSecret: asanaScheme.keys.check,
	Events:      asanaEvents,
	Batch:       asanaFields.batchOf().parts,
	Join:        asanaFields.batchOf().join,
	Handshake:   asanaHandshake,
	Learn:       asanaLearn,
}

var asanaScheme = scheme{
	header: "X-Hook-Signature",
	form:   alone("", hexadecimal),
	keys:   keys{want: "the X-Hook-Secret of the first request"},
}

var asanaFields = fields{
	each:   "$.events",
	parts:  []string{"@.resource.gid", "@.action", "@.created_at", "@.change.field", "@.parent.gid"},
	typ:    []string{"@.resource.resource_type", "@.action"},
	object: []string{"@.resource.gid"},
	at:     "@.created_at",
}

func isAsana(r *capture.Request) bool {
	for first := range value(r.Body).at("events").elements() {
		resource := first.at("resource").pick("gid", "resource_type")
		return resource[0] != nil && resource[1] != nil && first.at("action") != nil
	}
	return false
}

// asanaEvents reads a batch, which is empty every eight hours.
func asanaEvents(r *capture.Request) ([]capture.Event, error) {
	if all := value(r.Body).at("events"); all.kind() == '[' && all.nth(0) == nil {
		f := reading{name: "asana"}
		f.document(r.Body, "{")
		return []capture.Event{{Type: "heartbeat"}}, f.err()
	}
	return asanaFields.eventsOf("asana")(r)
}

func asanaLearn(r *capture.Request) (capture.Secret, bool) {
	secret, n := only(r, asanaSecret)
	if value(r.Body).at("events") != nil { // it would be taken for one that needs no signature
		return "", false
	}
	return capture.Secret(secret), n == 1 && secret != "" && len(secret) <= maxText && r.Method == http.MethodPost && !has(r, asanaScheme.header)
}

// asanaHandshake gives the secret back.
func asanaHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	secret, ok := asanaLearn(r)
	return capture.Answer{
		Status: http.StatusOK,
		Fields: []capture.Field{{Name: asanaSecret, Value: secret.Reveal()}},
	}, ok
}
