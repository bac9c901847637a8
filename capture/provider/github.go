package provider

import (
	"crypto/sha1" //nolint:gosec // GitHub still sends this signature beside the newer one
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strings"
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
	Scheme:   "HMAC-SHA256 of the body, hex with sha256= in front",
	Header:   githubSignature,
	Deadline: 10 * time.Second,
	Dedupe:   "X-GitHub-Delivery",
	Sources: []string{
		"https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries",
		"https://docs.github.com/webhooks/using-webhooks/handling-failed-webhook-deliveries",
		"https://docs.github.com/webhooks/using-webhooks/best-practices-for-using-webhooks",
		"npm @octokit/webhooks-methods@6.0.0",
	},
	Match: func(r *capture.Request) bool {
		// Gitea, Forgejo and Gogs send GitHub's headers beside their own.
		if has(r, "X-Gitea-Event", "X-Forgejo-Event", "X-Gogs-Event") {
			return false
		}
		return has(r, "X-GitHub-Event", "X-GitHub-Delivery", "X-GitHub-Hook-Id") || agent(r, "GitHub-Hookshot/")
	},
	Verify: githubVerify,
	Sign:   githubSign,
	Events: githubEvents,
}

var githubKeys = keys{
	want:  "the secret of the webhook, not an access token",
	alien: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
}

// githubVerify checks the SHA-1 signature only where the other one is not there.
func githubVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	if !has(r, githubSignature) && has(r, githubLegacy) {
		return githubCheck(r, secrets, now, githubForm{githubLegacy, "sha1=", "HMAC-SHA1 of body (legacy)", sha1.New})
	}
	return githubCheck(r, secrets, now, githubForm{githubSignature, "sha256=", "HMAC-SHA256 of body", sha256.New})
}

type githubForm struct {
	header, prefix, scheme string
	hash                   func() hash.Hash
}

func githubCheck(r *capture.Request, secrets []capture.Secret, now time.Time, form githubForm) capture.Signature {
	header, bad := signature(r, form.header, secrets)
	if bad != nil {
		return *bad
	}
	digits, ok := strings.CutPrefix(header, form.prefix)
	sig, fits := unhex(digits, form.hash().Size())
	if !ok || !fits {
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, form.prefix+"… in hex")
	}
	return claim{
		ways:  []way{{form.scheme, [][]byte{r.Body}, 0}},
		keys:  githubKeys,
		match: anyMAC(form.hash, sig),
	}.judge(secrets, now)
}

func githubSign(r *capture.Request, secret capture.Secret, _ time.Time) error {
	if err := githubKeys.check(secret); err != nil {
		return err
	}
	legacy := has(r, githubLegacy)
	if has(r, githubSignature) || !legacy {
		r.SetHeader(githubSignature, "sha256="+hex.EncodeToString(mac(sha256.New, secret.Reveal(), r.Body)))
	}
	if legacy {
		r.SetHeader(githubLegacy, "sha1="+hex.EncodeToString(mac(sha1.New, secret.Reveal(), r.Body)))
	}
	return nil
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
	e := capture.Event{Key: exact(f.header(r, "X-GitHub-Delivery"), r.Body), Type: event}
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
