package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Bitbucket signs the body under a header name that others use, too: the key of
// the event tells it apart. It counts its attempts.
var bitbucket = capture.Provider{
	Name:     "bitbucket",
	Title:    "Bitbucket Cloud",
	Scheme:   bitbucketScheme.String(),
	Header:   bitbucketScheme.header,
	Deadline: 10 * time.Second,
	Dedupe:   bitbucketFields.dedupe(),
	Order:    bitbucketFields.orders(),
	Attempt:  bitbucketFields.try,
	Retry:    capture.Retry{Times: 2},
	Setup:    "Repository settings → Webhooks → Add webhook; the secret is chosen or made there.",
	Trust:    capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources: []string{
		"https://github.com/adnanh/webhook/issues/662",
		"Bitbucket's blog on webhook security, as quoted there",
	},
	Marks:       []string{"X-Event-Key", "X-Hook-Uuid", "X-Request-Uuid"},
	Agent:       "Bitbucket-Webhooks",
	Match:       func(r *capture.Request) bool { return has(r, "X-Event-Key") },
	Verify:      bitbucketScheme.verify,
	Sign:        bitbucketScheme.sign,
	CheckSecret: bitbucketScheme.keys.check,
	Events:      bitbucketFields.eventsOf("bitbucket"),
	Mark:        bitbucketFields.marksOf(),
}

var bitbucketScheme = scheme{
	header: "X-Hub-Signature",
	form:   alone("sha256=", hexadecimal),
	keys:   keys{want: "the secret of the webhook, not an app password"},
}

var bitbucketFields = fields{
	key:    "header:X-Request-Uuid",
	typ:    []string{"header:X-Event-Key"},
	object: []string{"$.repository.uuid", "$.pullrequest.id|$.issue.id"},
	at:     "$.pullrequest.updated_on|$.issue.updated_on|$.repository.updated_on",
	try:    "header:X-Attempt-Number",
}
