package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

const (
	githubSignature = "X-Hub-Signature-256"
	githubLegacy    = "X-Hub-Signature"
)

// GitHub signs the body, which is JSON or a form with the JSON in a field
// payload. It numbers its deliveries; a redelivery keeps its number. It sends
// no time of its own, so that the order has to be read from the object.
var github = capture.Provider{
	Name:     "github",
	Title:    "GitHub",
	Scheme:   githubScheme.newer.String(),
	Header:   githubSignature,
	Deadline: 10 * time.Second,
	Dedupe:   "header:X-GitHub-Delivery",
	Order:    "$.repository.pushed_at of pushes, updated_at of the object of other events",
	Retry:    capture.Retry{Never: true},
	Setup:    "Repository or organization → Settings → Webhooks → Add webhook; you choose the secret there.",
	Note:     "Failed deliveries are listed under Recent Deliveries, where Redeliver sends them again with the same X-GitHub-Delivery.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries",
		"https://docs.github.com/webhooks/using-webhooks/handling-failed-webhook-deliveries",
		"https://docs.github.com/webhooks/using-webhooks/best-practices-for-using-webhooks",
		"npm @octokit/webhooks-methods@6.0.0",
	},
	Marks: []string{"X-GitHub-Event", "X-GitHub-Delivery", "X-GitHub-Hook-Id"},
	Agent: "GitHub-Hookshot/",
	Match: func(r *capture.Request) bool {
		// They send GitHub's headers beside their own.
		return !has(r, "X-Gitea-Event", "X-Forgejo-Event", "X-Gogs-Event")
	},
	Verify:      githubScheme.verify,
	Sign:        githubScheme.sign,
	CheckSecret: githubKeys.check,
	Events:      githubEvents,
}

var githubKeys = keys{
	want:  "the secret of the webhook, not an access token",
	alien: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
}

var githubScheme = pair{
	newer: scheme{header: githubSignature, form: alone("sha256=", hexadecimal), keys: githubKeys},
	older: scheme{header: githubLegacy, hash: usingSHA1, form: alone("sha1=", hexadecimal), keys: githubKeys},
}

// githubObject is the member of the body that an event is about, where it is not named after the event.
var githubObject = map[string]string{
	"check_run":                   "check_run",
	"commit_comment":              "comment",
	"discussion_comment":          "comment",
	"fork":                        "forkee",
	"issue_comment":               "comment",
	"issues":                      "issue",
	"ping":                        "hook",
	"public":                      "repository",
	"pull_request_review":         "review",
	"pull_request_review_comment": "comment",
	"star":                        "repository",
	"watch":                       "repository",
}

func githubEvents(r *capture.Request) ([]capture.Event, error) {
	f := reading{name: "github"}
	event := f.header(r, "X-GitHub-Event")
	if event == "" {
		f.fail("no X-GitHub-Event header")
	}
	e := capture.Event{Key: exact(f.header(r, "X-GitHub-Delivery")), Type: event}
	body := r.Body
	if isForm(r) {
		body = []byte(formValue(string(r.Body), "payload"))
	}
	doc := f.document(body, "{")
	if doc == nil {
		return []capture.Event{e}, f.err()
	}
	name, ok := githubObject[event]
	if !ok {
		name = event
	}
	top := doc.pick("action", "ref", "repository", name)
	if action := f.text(top[0], "$.action"); action != "" {
		e.Type += "." + action
	}
	switch event {
	case "push", "create", "delete":
		repository := top[2].pick("full_name", "pushed_at")
		e.Object = f.text(repository[0], "$.repository.full_name") + "@" + f.text(top[1], "$.ref")
		e.At = f.when(repository[1], "$.repository.pushed_at")
	default:
		object := top[3].pick("id", "updated_at")
		e.Object = f.text(object[0], "$."+name+".id")
		e.At = f.when(object[1], "$."+name+".updated_at")
	}
	return []capture.Event{e}, f.err()
}
