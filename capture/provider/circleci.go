package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// CircleCI signs the body. Its list may hold newer versions of the signature one
// day; the one that is known today is v1.
var circleci = capture.Provider{
	Name:     "circleci",
	Title:    "CircleCI",
	Scheme:   circleciScheme.String(),
	Header:   circleciScheme.header,
	Deadline: 10 * time.Second,
	Dedupe:   circleciFields.dedupe(),
	Order:    circleciFields.orders(),
	Setup:    "Project settings → Webhooks → Add webhook; the secret token is chosen there.",
	Note:     "Failed deliveries are sent again later; when, is not published.",
	Trust:    capture.Trust{Signature: capture.ByDocs, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"https://github.com/circleci/circleci-docs outbound-webhooks.adoc @9734a141",
	},
	Marks:       []string{"Circleci-Event-Type", "Circleci-Signature"},
	Agent:       "CircleCI-Webhook/",
	Verify:      circleciScheme.verify,
	Sign:        circleciScheme.sign,
	CheckSecret: circleciScheme.keys.check,
	Events:      circleciFields.eventsOf("circleci"),
}

var circleciScheme = scheme{
	header: "Circleci-Signature",
	form:   list(",", "", "v1", hexadecimal),
	keys:   keys{want: "the secret token of the webhook, not an API token", alien: []string{"CCIPAT_", "CCIPRJ_"}},
}

var circleciFields = fields{
	key:    "$.id",
	typ:    []string{"$.type"},
	object: []string{"$.job.id|$.workflow.id"},
	at:     "$.happened_at",
}
