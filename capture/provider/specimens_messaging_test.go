package provider

import "net/http"

// messagingSpecimens are those of senders of messages and of what happens to them.
func messagingSpecimens() []specimen {
	const (
		post   = http.MethodPost
		hook   = "https://hooks.example.com/in/x?tenant=7"
		form   = "application/x-www-form-urlencoded"
		object = `{"id":"o_1","text":"hello \u00e4"}`
		signed = `{"signature":{"timestamp":"1796040000","token":"a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0","signature":""},"event-data":{"id":"e"}}`
	)
	type h = map[string]string
	token := specimenExtra{token: true}
	return []specimen{
		{"meeting", "zoom", post, hook, nil, object, "one", "two", specimenExtra{ours: []string{zoomTime}}},
		{"change", "meta", post, hook, nil, object, "one", "two", none},
		{"change with both signatures", "meta", post, hook, h{"X-Hub-Signature": "x", "X-Hub-Signature-256": "x"}, object, "one", "two", specimenExtra{ours: []string{"X-Hub-Signature"}}},
		{"batch", "line", post, hook, nil, object, "one", "two", none},
		{"update", "telegram", post, hook, nil, object, "one", "two", token},
		{"event", "mailgun", post, hook, nil, signed, "one", "two", token},
		{"bounce", "postmark", post, hook, nil, object, "user:one", "user:two", token},
		{"notification", "twitch", post, hook, h{twitchID: "m_1"}, object, "one", "two", specimenExtra{ours: []string{twitchTime}}},
		{"notification", "intercom", post, hook, h{"X-Topic": "t"}, object, "one", "two", none},
		{"event", "zendesk", post, hook, nil, object, "one", "two", specimenExtra{ours: []string{zendeskScheme.stamp.header}}},
		{"answer", "typeform", post, hook, nil, object, "one", "two", none},
		{"batch", "mandrill", post, hook, h{"Content-Type": form}, "mandrill_events=%5B%7B%22a%22%3A%22b+c%22%7D%5D", "one", "two", none},
		{"batch", "pusher", post, hook, h{"X-Pusher-Key": "k"}, object, "one", "two", none},
		{"track", "segment", post, hook, nil, object, "one", "two", none},
		{"activity", "x", post, hook, nil, object, "one", "two", none},
	}
}
