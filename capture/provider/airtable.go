package provider

import (
	"encoding/base64"
	"time"

	"anyhook.net/desktop/capture"
)

// Airtable's secret is base64 of the key, which is not to be used as it is
// written. Its requests only say that there is something to fetch.
var airtable = capture.Provider{
	Name:        "airtable",
	Title:       "Airtable",
	Scheme:      airtableScheme.String(),
	Header:      airtableScheme.header,
	Deadline:    25 * time.Second,
	Order:       airtableFields.orders(),
	Setup:       "Create the webhook with POST /v0/bases/…/webhooks: the address is notificationUrl, the secret is macSecretBase64 of the answer, which is shown once.",
	Note:        "Nothing tells one notice from the next, so duplicates cannot be told: fetch the payloads from the cursor on. Only an answer of 200 or 204 counts.",
	Trust:       capture.Trust{Signature: capture.ByOthers, Identity: capture.ByOthers, Retry: capture.ByHearsay},
	Sources:     []string{"documentation of pyairtable", "a registry of webhook signatures by others"},
	Marks:       []string{airtableScheme.header},
	Members:     []string{"base"},
	Body:        isAirtable,
	Verify:      airtableScheme.verify,
	Sign:        airtableScheme.sign,
	CheckSecret: airtableScheme.keys.check,
	Events:      airtableFields.eventsOf("airtable"),
}

var airtableScheme = scheme{
	header: "X-Airtable-Content-MAC",
	form:   alone("hmac-sha256=", hexadecimal),
	key:    airtableKey,
	keys: keys{
		want:   "macSecretBase64, which is base64, not an access token",
		alien:  []string{"pat", "key"},
		usable: func(s string) bool { return airtableKey(s) != nil },
	},
}

func airtableKey(secret string) []byte {
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil || len(key) == 0 {
		return nil
	}
	return key
}

var airtableFields = fields{
	typ:    []string{"ping"},
	object: []string{"$.base.id", "$.webhook.id"},
	at:     "$.timestamp",
}

func isAirtable(r *capture.Request) bool {
	f := value(r.Body).pick("base", "webhook")
	return f[0].at("id") != nil && f[1].at("id") != nil
}
