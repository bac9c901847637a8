package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Vercel signs the body with SHA-1; libraries that say SHA-256 are wrong.
var vercel = capture.Provider{
	Name:     "vercel",
	Title:    "Vercel",
	Scheme:   vercelScheme.String(),
	Header:   vercelScheme.header,
	Deadline: 30 * time.Second,
	Dedupe:   vercelFields.dedupe(),
	Order:    vercelFields.orders(),
	Retry:    capture.Retry{Within: 24 * time.Hour},
	Setup:    "Team settings → Webhooks → Create webhook; the secret is shown once.",
	Trust:    capture.Trust{Signature: capture.ByOthers, Identity: capture.ByOthers, Retry: capture.ByOthers},
	Sources: []string{
		"https://github.com/hookdeck/webhook-skills vercel",
	},
	Marks:   []string{"X-Vercel-Signature"},
	Members: []string{"region"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("id", "type", "payload", "createdAt", "region")
		return f[0] != nil && f[1] != nil && f[2].kind() == '{' && f[3] != nil && f[4] != nil
	},
	Verify:      vercelScheme.verify,
	Sign:        vercelScheme.sign,
	CheckSecret: vercelScheme.keys.check,
	Events:      vercelFields.eventsOf("vercel"),
}

var vercelScheme = scheme{
	header: "X-Vercel-Signature",
	hash:   usingSHA1,
	form:   alone("", hexadecimal),
	keys:   keys{want: "the secret that was shown when the webhook was made"},
}

var vercelFields = fields{
	key:    "$.id",
	typ:    []string{"$.type"},
	object: []string{"$.payload.deployment.id|$.payload.project.id|$.payload.domain.name"},
	at:     "$.createdAt",
}
