package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Clerk sends through Svix: its headers and its rules.
var clerk = capture.Provider{
	Name:      "clerk",
	Title:     "Clerk",
	Scheme:    "HMAC-SHA256 of id.time.body, base64 (Standard Webhooks)",
	Header:    svixNames.signature(),
	Tolerance: 300 * time.Second,
	Dedupe:    clerkFields.dedupe(),
	Order:     clerkFields.orders(),
	Setup:     "Configure → Webhooks → Add endpoint; the signing secret is on the endpoint's page.",
	Trust:     capture.Trust{Signature: capture.BySDK, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:   []string{"npm @clerk/backend@3.25.0"},
	Marks:     svixNames.all(),
	Match: func(r *capture.Request) bool {
		if !isStandard(r, svixNames) {
			return false
		}
		f := value(peek(r)).first("object", "instance_id")
		return f[0].is("event") && f[1] != nil
	},
	Verify:      clerkStandard.verify,
	Sign:        clerkStandard.sign,
	CheckSecret: clerkStandard.expected().check,
	Events:      clerkFields.eventsOf("clerk"),
}

var clerkStandard = standard{names: svixNames}

var clerkFields = fields{
	key:    "header:svix-id",
	typ:    []string{"$.type"},
	object: []string{"$.data.id"},
	at:     "$.timestamp",
}
