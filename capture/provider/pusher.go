package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Pusher signs the body. Its events have one time a request and no id: what
// happened in a channel, and when, is all there is, and of the messages of
// clients even that says nothing, since they may well be alike.
var pusher = capture.Provider{
	Name:     "pusher",
	Title:    "Pusher Channels",
	Scheme:   pusherScheme.String(),
	Header:   pusherScheme.header,
	Deadline: 4 * time.Second,
	Dedupe:   pusherFields.dedupe(),
	Order:    pusherFields.orders(),
	Retry:    capture.Retry{Within: 5 * time.Minute},
	Setup:    "Channels → your app → Webhooks; the secret is under App Keys.",
	Note:     "X-Pusher-Key names the key whose secret signs. The events of clients cannot be told apart.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByDocs},
	Sources: []string{
		"npm pusher@5.3.4",
		"https://docs.bird.com/pusher/channels/channels/webhooks/channels-webhook-timeouts-and-retries",
	},
	Marks:   []string{"X-Pusher-Key", pusherScheme.header},
	Members: []string{"time_ms"},
	Body: func(r *capture.Request) bool {
		f := value(r.Body).pick("time_ms", "events")
		return f[0] != nil && f[1].kind() == '['
	},
	Verify:      pusherScheme.verify,
	Sign:        pusherScheme.sign,
	CheckSecret: pusherScheme.keys.check,
	Events:      pusherEvents,
	Batch:       pusherFields.batchOf().parts,
	Join:        pusherFields.batchOf().join,
}

var pusherScheme = scheme{
	header: "X-Pusher-Signature",
	form:   alone("", hexadecimal),
	keys:   keys{want: "the secret of the app, not its key"},
}

var pusherFields = fields{
	each:   "$.events",
	parts:  []string{"@.channel", "@.name", "@.user_id", "$.time_ms"},
	typ:    []string{"@.name"},
	object: []string{"@.channel"},
	at:     "$.time_ms",
}

func pusherEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := pusherFields.eventsOf("pusher")(r)
	for i := range events {
		if events[i].Type == "client_event" {
			events[i].Key = capture.Key{}
		}
	}
	return events, err
}
