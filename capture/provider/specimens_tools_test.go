package provider

import (
	"net/http"

	"anyhook.net/desktop/capture"
)

// toolsSpecimens are those of tools for developers, of calendars, and of who follows Standard Webhooks.
func toolsSpecimens() []specimen {
	const (
		post      = http.MethodPost
		hook      = "https://hooks.example.com/in/x?tenant=7"
		form      = "application/x-www-form-urlencoded"
		object    = `{"id":"o_1","text":"hello \u00e4","n":1}`
		whsec     = capture.Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
		whsec2    = capture.Secret("whsec_CzBVep/E6Q4zWH2ix+wRNluApcrvFDle")
		sixtyFour = capture.Secret("contentful000000000000000000000000000000000000000000000000000000")
	)
	type h = map[string]string
	id := h{"webhook-id": "msg_1"}
	signed := specimenExtra{ours: []string{contentfulTime, contentfulSigned}}
	return []specimen{
		{"token", "gitlab", post, hook, h{"X-Gitlab-Event": "Push Hook"}, object, "one", "two", specimenExtra{token: true}},
		{"signed", "gitlab", post, hook, h{"X-Gitlab-Event": "Push Hook", "webhook-id": "k", "webhook-signature": "x"}, object, whsec, whsec2, none},
		{"push", "bitbucket", post, hook, h{"X-Event-Key": "repo:push"}, object, "one", "two", none},
		{"issue", "jira", post, hook, h{"X-Atlassian-Webhook-Identifier": "1"}, object, "one", "two", none},
		{"job", "circleci", post, hook, nil, object, "one", "two", none},
		{"build", "buildkite", post, hook, h{"X-Buildkite-Event": "build.finished"}, object, "one", "two", none},
		{"deployment", "vercel", post, hook, nil, object, "one", "two", none},
		{"release", "heroku", post, hook, nil, object, "one", "two", none},
		{"run", "terraform-cloud", post, hook, nil, object, "one", "two", none},
		{"issue", "sentry", post, hook, h{"Sentry-Hook-Resource": "issue"}, object, "one", "two", none},
		{"incident", "pagerduty", post, hook, nil, object, "one", "two", none},
		{"document", "sanity", post, hook, nil, object, "one", "two", none},
		{"entry", "contentful", post, hook, h{"X-Contentful-Topic": "a", contentfulTime: "1", contentfulSigned: "x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic"}, object, sixtyFour, "1" + sixtyFour[1:], signed},
		{"card", "trello", post, hook, nil, object, "one", "two", none},
		{"booking", "cal-com", post, hook, nil, object, "one", "two", none},
		{"appointment", "acuity", post, hook, h{"Content-Type": form}, "action=changed&id=1", "one", "two", none},
		{"email", "resend", post, hook, h{"svix-id": "msg_1"}, object, whsec, whsec2, none},
		{"user", "clerk", post, hook, h{"svix-id": "msg_1"}, object, whsec, whsec2, none},
		{"response", "openai", post, hook, id, object, whsec, whsec2, none},
		{"response with a bare secret", "openai", post, hook, id, object, "one", "two", none},
		{"order", "polar", post, hook, id, object, "one", "two", none},
		{"order", "bigcommerce", post, hook, id, object, "one", "two", none},
		{"message", "anthropic", post, hook, id, object, whsec, whsec2, none},
		{"transfer", "brex", post, hook, id, object, whsec, whsec2, none},
	}
}
