package provider

import (
	"net/http"

	"anyhook.net/desktop/capture"
)

// HCP Terraform signs the body with SHA-512. When a notification is saved it sends
// one that verifies the address.
var terraformCloud = capture.Provider{
	Name:   "terraform-cloud",
	Title:  "HCP Terraform",
	Scheme: terraformCloudScheme.String(),
	Header: terraformCloudScheme.header,
	Dedupe: terraformCloudFields.dedupe(),
	Order:  terraformCloudFields.orders(),
	Setup:  "Workspace → Settings → Notifications → Create → Webhook; the token is chosen there.",
	Trust:  capture.Trust{Signature: capture.ByHearsay, Identity: capture.ByDocs, Retry: capture.ByHearsay},
	Sources: []string{
		"https://github.com/hashicorp/web-unified-docs notification-configurations.mdx @54d38f42",
	},
	Marks:       []string{"X-Tfe-Notification-Signature"},
	Members:     []string{"notification_configuration_id"},
	Body:        func(r *capture.Request) bool { return value(r.Body).at("notification_configuration_id") != nil },
	Verify:      terraformCloudScheme.verify,
	Sign:        terraformCloudScheme.sign,
	CheckSecret: terraformCloudScheme.keys.check,
	Events:      terraformCloudFields.eventsOf("terraform-cloud"),
	Batch:       terraformCloudFields.batchOf().parts,
	Join:        terraformCloudFields.batchOf().join,
	Handshake:   terraformVerification,
}

var terraformCloudScheme = scheme{
	header: "X-Tfe-Notification-Signature",
	hash:   usingSHA512,
	form:   alone("", hexadecimal),
	keys:   keys{want: "the token of the notification configuration, not an API token"},
}

var terraformCloudFields = fields{
	each:   "$.notifications",
	parts:  []string{"$.run_id", "@.trigger", "@.run_updated_at"},
	typ:    []string{"@.trigger"},
	object: []string{"$.run_id"},
	at:     "@.run_updated_at",
}

// terraformVerification is sent when a notification is saved.
func terraformVerification(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	trigger, _ := challenged(r, "notifications")[0].nth(0).at("trigger").text()
	return capture.Answer{Status: http.StatusOK}, trigger == "verification"
}
