package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Resend sends through Svix: its headers and its rules.
var resend = capture.Provider{
	Name:        "resend",
	Title:       "Resend",
	Scheme:      "HMAC-SHA256 of id.time.body, base64 (Standard Webhooks)",
	Header:      svixNames.signature(),
	Tolerance:   300 * time.Second,
	Dedupe:      resendFields.dedupe(),
	Order:       resendFields.orders(),
	Setup:       "Webhooks → Add webhook; the signing secret is on the webhook's page.",
	Trust:       capture.Trust{Signature: capture.BySDK, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:     []string{"npm resend@6.38.0"},
	Marks:       svixNames.all(),
	Match:       func(r *capture.Request) bool { return isStandard(r, svixNames) && isResend(r) },
	Verify:      resendStandard.verify,
	Sign:        resendStandard.sign,
	CheckSecret: resendStandard.expected().check,
	Events:      resendFields.eventsOf("resend"),
}

var resendStandard = standard{names: svixNames}

var resendFields = fields{
	key:    "header:svix-id",
	typ:    []string{"$.type"},
	object: []string{"$.data.email_id|$.data.id"},
	at:     "$.created_at",
}

// isResend looks at the kinds of events; contacts are told by their audience, since others have contacts, too.
func isResend(r *capture.Request) bool {
	body := value(peek(r))
	kind := body.first("type")[0]
	data := func() value { return body.first("data")[0] }
	switch {
	case kind.begins("email."):
		return data().at("email_id") != nil
	case kind.begins("contact."):
		return data().at("audience_id") != nil
	}
	return kind.begins("domain.") && body.at("created_at") != nil && data().at("region") != nil
}
