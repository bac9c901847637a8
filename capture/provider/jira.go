package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Jira signs the body of webhooks that an admin made with a secret; those that an
// app registered are unsigned. Its identifier stays over retries.
var jira = capture.Provider{
	Name:     "jira",
	Title:    "Jira Cloud",
	Scheme:   jiraScheme.String(),
	Header:   jiraScheme.header,
	Deadline: 20 * time.Second,
	Dedupe:   jiraFields.dedupe(),
	Order:    jiraFields.orders(),
	Attempt:  jiraFields.try,
	Retry:    capture.Retry{Times: 5},
	Setup:    "Settings → System → WebHooks → Create a WebHook; the secret is chosen or made there.",
	Note:     "X-Atlassian-Webhook-Flow says how soon: Primary within 30 seconds, Secondary within 15 minutes.",
	Trust:    capture.Trust{Signature: capture.ByOthers, Identity: capture.ByOthers, Retry: capture.ByHearsay},
	Sources: []string{
		"https://mrrefactoring.github.io/jira.js/api/interfaces/webhooks.WebhookHeaders.html",
		"https://trigger.dev/docs/webhooks/providers/jira",
		"https://developer.atlassian.com/cloud/jira/platform/webhooks",
	},
	Marks:   []string{"X-Atlassian-Webhook-Identifier"},
	Agent:   "Atlassian",
	Members: []string{"webhookEvent"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("webhookEvent", "timestamp")
		return f[0] != nil && f[1] != nil
	},
	Verify:      jiraScheme.verify,
	Sign:        jiraScheme.sign,
	CheckSecret: jiraScheme.keys.check,
	Events:      jiraFields.eventsOf("jira"),
	Mark:        jiraFields.marksOf(),
}

var jiraScheme = scheme{
	header: "X-Hub-Signature",
	form:   alone("sha256=", hexadecimal),
	keys:   keys{want: "the secret of the webhook, not an API token", alien: []string{"ATATT"}},
}

var jiraFields = fields{
	key:    "header:X-Atlassian-Webhook-Identifier",
	typ:    []string{"$.webhookEvent"},
	object: []string{"$.issue.id|$.project.id|$.sprint.id|$.version.id|$.user.accountId"},
	at:     "$.timestamp",
	try:    "header:X-Atlassian-Webhook-Retry",
	from0:  true,
}
