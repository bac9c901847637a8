package provider

import (
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
	Dedupe:   gitlabFields.dedupe(),
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
	key:    "header:Idempotency-Key|header:webhook-id|header:X-Gitlab-Event-Uuid",
	typ:    []string{"$.object_kind|header:X-Gitlab-Event", "$.object_attributes.action"},
	object: []string{"$.object_attributes.id"},
	at:     "$.object_attributes.updated_at|$.object_attributes.created_at",
}

// gitlabVerify looks at the token only where there is no signature.
func gitlabVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	if has(r, standardNames.all()...) {
		return gitlabSigned.verify(r, secrets, now)
	}
	return gitlabToken.verify(r, secrets, now)
}

func gitlabSign(r *capture.Request, secret capture.Secret, now time.Time) error {
	signing := strings.HasPrefix(secret.Reveal(), "whsec_")
	if !has(r, standardNames.signature()) && !signing {
		return gitlabToken.sign(r, secret, now)
	}
	if key := r.Header.Get("Idempotency-Key"); key != "" && r.Header.Get(standardNames.id()) == "" {
		r.SetHeader(standardNames.id(), key)
	}
	return gitlabSigned.sign(r, secret, now)
}

// gitlabEvents names the branch where a push has no object of its own.
func gitlabEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := gitlabFields.eventsOf("gitlab")(r)
	for i := range events {
		if events[i].Object != "" {
			continue
		}
		f := reading{name: "gitlab"}
		s := source{r: r, doc: r.Body}
		events[i].Object = s.joined(&f, []string{"$.project.id|$.project_id", "$.ref"}, "@")
	}
	return events, err
}
