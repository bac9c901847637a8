package provider

import (
	"net/url"
	"strings"

	"anyhook.net/desktop/capture"
)

// Mandrill signs the address as it has it on file, with the fields of the form
// behind it. The _id in an event is that of the message: its delivery and each
// time it is opened have the same.
var mandrill = capture.Provider{
	Name:        "mandrill",
	Title:       "Mandrill",
	Scheme:      mandrillScheme.String(),
	Header:      mandrillScheme.header,
	Dedupe:      "_id + event + ts + url, in form:mandrill_events",
	Order:       "ts, in form:mandrill_events",
	Setup:       "Settings → Webhooks → Add a webhook; its key is in the list.",
	Note:        "Mandrill asks for the address with HEAD before it takes it.",
	Trust:       capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:     []string{"common knowledge, not checked"},
	Marks:       []string{mandrillScheme.header},
	Agent:       "Mandrill",
	Members:     []string{"mandrill_events"},
	Body:        func(r *capture.Request) bool { return isForm(r) && mandrillBatch(r.Body) != nil },
	Verify:      mandrillScheme.verify,
	Sign:        mandrillScheme.sign,
	CheckSecret: mandrillScheme.keys.check,
	Events:      mandrillFields.eventsOf("mandrill"),
	Batch:       mandrillParts,
	Join:        mandrillJoin,
	Handshake:   asksByHead,
}

var mandrillScheme = scheme{
	header: "X-Mandrill-Signature",
	hash:   usingSHA1,
	form:   alone("", base64std),
	signs:  []piece{theURL, theForm},
	keys:   keys{want: "the key of the webhook, not an API key", alien: []string{"md-"}},
}

var mandrillFields = fields{
	each:   "$",
	parts:  []string{"@._id|@.msg.headers.Message-Id|@.reject.email", "@.event|@.type", "@.ts", "@.url"},
	typ:    []string{"@.event|@.type"},
	object: []string{"@._id|@.msg.headers.Message-Id|@.reject.email"},
	at:     "@.ts",
	inside: mandrillBatch,
}

// mandrillBatch returns the events, which are JSON in a field of the form.
func mandrillBatch(body []byte) []byte {
	if text := formValue(string(body), "mandrill_events"); text != "" {
		return []byte(text)
	}
	return nil
}

// mandrillParts takes apart what is in the form.
func mandrillParts(r *capture.Request) ([][]byte, error) {
	list := mandrillBatch(r.Body)
	if list == nil {
		return nil, errEmptyBatch
	}
	return batch{list: "$"}.parts(&capture.Request{Body: list})
}

// mandrillJoin puts the events into the form, the other fields of which stay as they are.
func mandrillJoin(r *capture.Request, parts [][]byte) error {
	list := capture.Request{Body: mandrillBatch(r.Body)}
	if err := (batch{list: "$"}).join(&list, parts); err != nil {
		return err
	}
	pairs := strings.Split(string(r.Body), "&")
	for i, pair := range pairs {
		if name, _, _ := strings.Cut(pair, "="); unescape(name) == "mandrill_events" {
			pairs[i] = name + "=" + url.QueryEscape(string(list.Body))
			r.Body = []byte(strings.Join(pairs, "&"))
			return nil
		}
	}
	return errNoBatch
}
