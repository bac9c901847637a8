package provider

import (
	"slices"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// GitLab shows a token, which covers nothing of the body; since version 19 it
// signs by Standard Webhooks where a signing token is set. Its idempotency key
// stays over retries, and is the id that is signed.
var gitlab = capture.Provider{
	Name:     "gitlab",
	Title:    "GitLab",
	Scheme:   gitlabToken.String() + "; with a signing token, HMAC-SHA256 of id.time.body, base64 (Standard Webhooks)",
	Header:   gitlabToken.header,
	Deadline: 10 * time.Second,
	Dedupe:   gitlabFields.dedupe() + "; of older versions X-Gitlab-Event-UUID + X-Gitlab-Webhook-UUID",
	Order:    gitlabFields.orders(),
	Retry:    capture.Retry{Never: true},
	Disabled: "After four failures in a row it stops for a minute, then for longer, up to a day; after answers of 4xx it may stop for good.",
	Setup:    "Settings → Webhooks → Add new webhook: the secret token, or the signing token, is chosen there.",
	Note:     "Webhooks that set each other off share X-Gitlab-Event-UUID: it tells nothing apart.",
	Trust:    capture.Trust{Signature: capture.ByDocs, Identity: capture.ByDocs, Retry: capture.ByOthers},
	Sources: []string{
		"https://gitlab.com/gitlab-org/gitlab/-/merge_requests/230944",
		"https://gitlab.com/gitlab-com/gl-infra/delivery/-/issues/19320",
		"https://docs.gitlab.com/user/project/integrations/webhooks/",
	},
	Marks:       []string{"X-Gitlab-Event", "X-Gitlab-Webhook-Uuid", "X-Gitlab-Instance"},
	Agent:       "GitLab/",
	Verify:      gitlabVerify,
	Sign:        gitlabSign,
	CheckSecret: gitlabToken.keys.check,
	Events:      gitlabEvents,
}

var (
	gitlabToken = token{
		header: "X-Gitlab-Token",
		keys:   keys{want: "the secret token of the webhook, not an access token", alien: []string{"glpat-", "gldt-", "glrt-"}},
	}
	gitlabSigned = standard{names: standardNames, old: true}
)

var gitlabFields = fields{
	key:    "header:Idempotency-Key|header:webhook-id",
	typ:    []string{"$.object_kind|header:X-Gitlab-Event", "$.object_attributes.action"},
	object: []string{"$.object_attributes.id|$.build_id|$.deployment_id"},
	at:     "$.object_attributes.updated_at|$.object_attributes.finished_at|$.object_attributes.created_at|$.build_finished_at|$.build_started_at|$.build_created_at|$.status_changed_at",
}

// gitlabVerify looks at the signature where there is one, unless all it has is
// a token: a request may show both. That depends on the secrets alone, so that
// nobody can choose the weaker of the two.
func gitlabVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	if has(r, standardNames.all()...) && (!anySecret(secrets) || slices.ContainsFunc(secrets, gitlabSigns)) {
		return gitlabSigned.verify(r, secrets, now)
	}
	return gitlabToken.verify(r, secrets, now)
}

// gitlabSigns reports whether a secret is a signing token; GitLab makes no others.
func gitlabSigns(secret capture.Secret) bool { return strings.HasPrefix(secret.Reveal(), "whsec_") }

// gitlabSign renews what the secret is for, and leaves the other alone, which is made with another secret.
func gitlabSign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if !gitlabSigns(secret) {
		return gitlabToken.sign(r, secret, now)
	}
	if key := r.Header.Get("Idempotency-Key"); key != "" && r.Header.Get(standardNames.id()) == "" {
		r.SetHeader(standardNames.id(), key)
	}
	return gitlabSigned.sign(r, secret, now)
}

var (
	gitlabRead      = gitlabFields.eventsOf("gitlab")
	gitlabReadOlder = gitlabOlder().eventsOf("gitlab")
)

// gitlabOlder are the fields of versions without an idempotency key: what sets
// off a webhook shares its id with all that comes of it.
func gitlabOlder() fields {
	x := gitlabFields
	x.key, x.parts = "", []string{"header:X-Gitlab-Event-Uuid", "header:X-Gitlab-Webhook-Uuid"}
	return x
}

// gitlabEvents names the branch where a push has no object of its own.
func gitlabEvents(r *capture.Request) ([]capture.Event, error) {
	read := gitlabRead
	if !has(r, "Idempotency-Key", "Webhook-Id") {
		read = gitlabReadOlder
	}
	events, err := read(r)
	for i := range events {
		if events[i].Object != "" {
			continue
		}
		f := reading{name: "gitlab"}
		s := source{r: r, doc: r.Body, docTop: topOf(r.Body, []string{"project", "project_id", "ref"})}
		events[i].Object = s.joined(&f, []string{"$.project.id|$.project_id", "$.ref"}, "@")
	}
	return events, err
}
