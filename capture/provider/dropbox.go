package provider

import (
	"net/http"
	"time"

	"anyhook.net/desktop/capture"
)

// Dropbox tells whose files changed, and neither what nor when: two notices may
// be alike to the byte, so that none of them has a key.
var dropbox = capture.Provider{
	Name:        "dropbox",
	Title:       "Dropbox",
	Scheme:      dropboxScheme.String(),
	Header:      dropboxScheme.header,
	Deadline:    10 * time.Second,
	Setup:       "App Console → your app → Webhooks: the address; the app secret is under Settings.",
	Note:        "A notice names the accounts alone; ask list_folder/continue for what changed. Nothing tells one notice from the next, so duplicates cannot be told. AnyHook answers the challenge where an endpoint names Dropbox.",
	Trust:       capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:     []string{"a registry of webhook signatures by others"},
	Marks:       []string{dropboxScheme.header},
	Agent:       "DropboxWebhooks",
	Members:     []string{"list_folder"},
	Body:        func(r *capture.Request) bool { return value(r.Body).at("list_folder", "accounts").kind() == '[' },
	Verify:      dropboxScheme.verify,
	Sign:        dropboxScheme.sign,
	CheckSecret: dropboxScheme.keys.check,
	Events:      dropboxFields.eventsOf("dropbox"),
	Batch:       dropboxFields.batchOf().parts,
	Join:        dropboxFields.batchOf().join,
	Handshake:   dropboxHandshake,
}

var dropboxScheme = scheme{
	header: "X-Dropbox-Signature",
	form:   alone("", hexadecimal),
	keys:   keys{want: "the app secret, not an access token", alien: []string{"sl."}},
}

var dropboxFields = fields{
	each:   "$.list_folder.accounts",
	typ:    []string{"list_folder"},
	object: []string{"@"},
}

// dropboxHandshake answers the challenge with itself, which must not be taken for a page.
func dropboxHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	a, _ := parseAddress(r.URL)
	challenge := formValue(a.query(), "challenge")
	return plain(challenge), r.Method == http.MethodGet && challenge != ""
}
