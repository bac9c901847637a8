package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Intercom signs the body with SHA-1, in a header that others have as well.
var intercom = capture.Provider{
	Name:     "intercom",
	Title:    "Intercom",
	Scheme:   intercomScheme.String(),
	Header:   intercomScheme.header,
	Deadline: 5 * time.Second,
	Dedupe:   intercomFields.dedupe(),
	Order:    intercomFields.orders(),
	Attempt:  intercomFields.try,
	Retry:    capture.Retry{Times: 1, After: []time.Duration{time.Minute}},
	Disabled: "An answer of 410 disables the webhook.",
	Setup:    "Developer Hub → your app → Webhooks; the client secret is under Basic information.",
	Trust:    capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:  []string{"common knowledge, not checked"},
	Marks:    []string{"X-Topic", intercomScheme.header},
	Match: func(r *capture.Request) bool {
		signature := r.Header.Get(intercomScheme.header)
		if has(r, "X-Github-Event", "X-Hub-Signature-256") || strings.HasPrefix(signature, "sha256=") {
			return false // GitHub, or Bitbucket and Jira, whose header has the same name
		}
		return has(r, "X-Topic") && strings.HasPrefix(signature, intercomScheme.form.prefix) || isIntercom(r)
	},
	Members:     []string{"topic"},
	Body:        isIntercom,
	Verify:      intercomScheme.verify,
	Sign:        intercomScheme.sign,
	CheckSecret: intercomScheme.keys.check,
	Events:      intercomFields.eventsOf("intercom"),
	Mark:        intercomFields.marksOf(),
}

var intercomScheme = scheme{
	header: "X-Hub-Signature",
	hash:   usingSHA1,
	form:   alone("sha1=", hexadecimal),
	keys:   keys{want: "the client secret of the app, not an access token", alien: []string{"dG9r"}},
}

var intercomFields = fields{
	key:    "$.id",
	typ:    []string{"$.topic"},
	object: []string{"$.data.item.type", "$.data.item.id"},
	at:     "$.created_at",
	try:    "$.delivery_attempts",
}

func isIntercom(r *capture.Request) bool {
	if len(r.Body) > maxHandshake {
		return false
	}
	f := value(r.Body).pick("type", "topic")
	kind, _ := f[0].text()
	return kind == "notification_event" && f[1] != nil
}
