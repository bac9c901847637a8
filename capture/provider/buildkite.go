package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Buildkite signs the time and the body, or shows a token, as the user chooses.
// What the body tells may be a later state than the one that set it off.
var buildkite = capture.Provider{
	Name:        "buildkite",
	Title:       "Buildkite",
	Scheme:      buildkiteScheme.String() + "; or " + buildkiteToken.String(),
	Header:      buildkiteScheme.header,
	Tolerance:   buildkiteScheme.stamp.window,
	Dedupe:      buildkiteFields.dedupe(),
	Order:       buildkiteFields.orders(),
	Setup:       "Organization Settings → Notification Services → Webhook: the token, and whether it is shown or signs.",
	Note:        "The body may show a later state than the one that it tells of.",
	Trust:       capture.Trust{Signature: capture.ByDocs, Identity: capture.ByDocs, Retry: capture.ByHearsay},
	Sources:     []string{"https://github.com/buildkite/docs pages/apis/webhooks @35cf0294"},
	Marks:       []string{"X-Buildkite-Event", "X-Buildkite-Signature", "X-Buildkite-Token"},
	Agent:       "Buildkite",
	Verify:      buildkiteVerify,
	Sign:        buildkiteSign,
	CheckSecret: buildkiteScheme.keys.check,
	Events:      buildkiteFields.eventsOf("buildkite"),
}

var (
	buildkiteScheme = scheme{
		header: "X-Buildkite-Signature",
		form:   list(",", "timestamp", "signature", hexadecimal),
		stamp:  stamp{unit: inSeconds, window: 5 * time.Minute},
		signs:  []piece{theTime, literal("."), theBody},
		keys:   keys{want: "the token of the notification service, not an API access token", alien: []string{"bkua_"}},
	}
	buildkiteToken = token{header: "X-Buildkite-Token", keys: buildkiteScheme.keys}
)

var buildkiteFields = fields{
	parts:  []string{"$.build.id|$.job.id|$.agent.id|header:X-Buildkite-Request", "header:X-Buildkite-Event|$.event", "$.job.id", "$.build.state|$.job.state"},
	typ:    []string{"header:X-Buildkite-Event|$.event"},
	object: []string{"$.build.id|$.agent.id"},
	at:     "$.build.finished_at|$.build.started_at|$.build.scheduled_at|$.build.created_at",
}

// buildkiteVerify looks at the token only where there is no signature.
func buildkiteVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	if !has(r, buildkiteScheme.header) && has(r, buildkiteToken.header) {
		return buildkiteToken.verify(r, secrets, now)
	}
	return buildkiteScheme.verify(r, secrets, now)
}

func buildkiteSign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if !has(r, buildkiteScheme.header) && has(r, buildkiteToken.header) {
		return buildkiteToken.sign(r, secret, now)
	}
	return buildkiteScheme.sign(r, secret, now)
}
