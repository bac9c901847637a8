package provider

import (
	"errors"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Mollie signs the body of its newer webhooks, with one header line for each
// secret. The classic ones are unsigned forms that name an object and nothing
// else: what happened has to be fetched, and nothing tells two apart.
var mollie = capture.Provider{
	Name:     "mollie",
	Title:    "Mollie",
	Scheme:   mollieScheme.String(),
	Header:   mollieScheme.header,
	Deadline: 15 * time.Second,
	Dedupe:   mollieFields.dedupe(),
	Order:    mollieFields.orders(),
	Retry:    capture.Retry{Times: 10, Within: 26 * time.Hour},
	Setup:    "Newer webhooks: Developers → Webhooks, where the signing secret is shown once. Classic ones: webhookUrl of the payment.",
	Note:     "A classic webhook has an object's id and nothing else: it is unsigned, and no key can be told. Fetch the object.",
	Trust:    capture.Trust{Signature: capture.BySource, Identity: capture.BySource, Retry: capture.ByHearsay},
	Sources: []string{
		"https://github.com/mollie/mollie-api-php src/Webhooks/SignatureValidator.php @53e49e71",
		"https://docs.mollie.com/reference/webhooks-new",
	},
	Marks:       []string{"X-Mollie-Signature"},
	Agent:       "Mollie",
	Members:     []string{"id", "entityId"},
	Body:        isMollie,
	Verify:      mollieScheme.verify,
	Sign:        mollieScheme.sign,
	CheckSecret: mollieScheme.keys.check,
	Events:      mollieEvents,
}

var mollieScheme = scheme{
	header: "X-Mollie-Signature",
	many:   true,
	form:   form{prefix: "sha256=", loose: true, enc: hexadecimal},
	keys: keys{
		want:  "the signing secret of the webhook, not an API key",
		alien: []string{"live_", "test_", "access_"},
	},
}

var (
	mollieFields = fields{
		key:    "$.id",
		typ:    []string{"$.type"},
		object: []string{"$.entityId"},
		at:     "$.createdAt",
	}
	mollieClassic = fields{object: []string{"form:id"}}
)

func isMollie(r *capture.Request) bool {
	if isForm(r) {
		body := string(r.Body)
		kind, id, _ := strings.Cut(formValue(body, "id"), "_")
		return mollieKinds[kind] != "" && id != "" && !strings.Contains(body, "&")
	}
	f := value(r.Body).pick("resource", "entityId")
	resource, _ := f[0].text()
	return resource == "event" && f[1] != nil
}

// mollieKinds are the beginnings of ids that classic webhooks are about.
var mollieKinds = map[string]string{
	"tr": "payment", "re": "refund", "sub": "subscription", "ord": "order", "pl": "payment-link", "stl": "settlement", "cst": "customer", "mdt": "mandate",
}

func mollieEvents(r *capture.Request) ([]capture.Event, error) {
	if !isForm(r) {
		return mollieFields.eventsOf("mollie")(r)
	}
	events, err := mollieClassic.eventsOf("mollie")(r)
	if formValue(string(r.Body), "id") == "" {
		err = errors.New("mollie: no id")
	}
	for i := range events {
		kind, _, _ := strings.Cut(events[i].Object, "_")
		events[i].Type = mollieKinds[kind]
	}
	return events, err
}
