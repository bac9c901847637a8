package provider

import "anyhook.net/desktop/capture"

// Postmark shows the user and password that stand in the address, and signs
// nothing. An id is that of the message; what happened to it, and when, tells
// its events apart.
var postmark = capture.Provider{
	Name:        "postmark",
	Title:       "Postmark",
	Scheme:      postmarkToken.String(),
	Header:      postmarkToken.header,
	Dedupe:      postmarkFields.dedupe(),
	Order:       postmarkFields.orders(),
	Retry:       capture.Retry{Times: 10},
	Setup:       "Server → message stream → Webhooks → Add webhook: a user and a password for Basic authentication; keep them here as user:password.",
	Note:        "An answer of 403 ends the retries.",
	Trust:       capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:     []string{"https://github.com/hookdeck/webhook-skills (postmark)"},
	Agent:       "Postmark",
	Members:     []string{"MessageID"},
	Body:        isPostmark,
	Verify:      postmarkToken.verify,
	Sign:        postmarkToken.sign,
	CheckSecret: postmarkToken.keys.check,
	Events:      postmarkEvents,
}

var postmarkToken = token{
	header: "Authorization",
	basic:  true,
	keys:   keys{want: "user:password, as the webhook has them"},
}

var postmarkFields = fields{
	parts: []string{
		"$.MessageID", "$.RecordType", "$.ID", "$.Recipient|$.Email",
		"$.DeliveredAt|$.BouncedAt|$.ReceivedAt|$.ChangedAt",
	},
	typ:    []string{"$.RecordType"},
	object: []string{"$.MessageID"},
	at:     "$.DeliveredAt|$.BouncedAt|$.ReceivedAt|$.ChangedAt",
}

func isPostmark(r *capture.Request) bool {
	f := value(r.Body).pick("RecordType", "MessageID", "FromFull")
	id, _ := f[1].text()
	return id != "" && (f[0] != nil || f[2] != nil)
}

// postmarkEvents names e-mails that came in, which have no RecordType.
func postmarkEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := postmarkFields.eventsOf("postmark")(r)
	for i := range events {
		if events[i].Type == "" && value(r.Body).at("FromFull") != nil {
			events[i].Type = "Inbound"
		}
	}
	return events, err
}
