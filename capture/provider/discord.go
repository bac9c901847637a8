package provider

import (
	"cmp"
	"crypto/ed25519"
	"net/http"
	"strconv"
	"time"

	"anyhook.net/desktop/capture"
)

// Discord signs with a key of its own, so that nobody else can sign for it. It
// sends interactions and webhook events, which count their types alike: type 1
// is the ping of the former, and an event of the latter.
var discord = capture.Provider{
	Name:     "discord",
	Title:    "Discord (interactions, webhook events)",
	Scheme:   discordKey.String(),
	Header:   discordKey.header,
	Deadline: 3 * time.Second,
	Dedupe:   "$.id of interactions; $.event.data ids + $.event.type + $.event.timestamp of events",
	Order:    "the time in $.id of interactions; $.event.timestamp of events",
	Retry:    capture.Retry{Within: 10 * time.Minute},
	Disabled: "Too many failures make Discord stop sending events, and write an e-mail about it.",
	Setup:    "Developer Portal → your application → General Information: Interactions Endpoint URL, and the public key; events: Webhooks.",
	Note:     "Discord tests an address with bad signatures too, and drops it unless they are answered 401: keep the public key here before saving the address there. Interactions are never sent again, and what they show is in the answer.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"npm discord-interactions@4.4.0",
		"https://github.com/discord/discord-api-docs/blob/main/developers/events/webhook-events.mdx",
		"https://github.com/discord/discord-api-docs/blob/main/developers/interactions/overview.mdx",
	},
	Marks:       []string{"X-Signature-Ed25519", "X-Signature-Timestamp"},
	Agent:       "Discord-",
	Verify:      discordKey.verify,
	CheckSecret: discordKey.keys().check,
	Events:      discordEvents,
	Handshake:   discordHandshake,
	Ack:         capture.Answer{Status: http.StatusNoContent},
}

var discordKey = publicKey{
	algorithm: "Ed25519",
	header:    "X-Signature-Ed25519",
	time:      "X-Signature-Timestamp",
	shape:     "128 hex digits",
	decode: func(header string) []byte {
		sig, ok := unhex(header, ed25519.SignatureSize)
		if !ok {
			return nil
		}
		return sig
	},
	parse: func(secret string) []byte {
		key, ok := unhex(secret, ed25519.PublicKeySize)
		if !ok {
			return nil
		}
		return key
	},
	check: func(key, message, sig []byte) bool { return ed25519.Verify(key, message, sig) },
	want:  "the public key of the application, 64 hex digits, not its token",
}

// The types that Discord gives in digits.
const (
	discordPing      = "1" // of interactions
	discordEventPing = "0" // of webhook events
)

var discordTypes = map[string]string{
	discordPing: "ping", "2": "application_command", "3": "message_component",
	"4": "application_command_autocomplete", "5": "modal_submit",
}

// discordHandshake answers both kinds of ping. An event of type 1 is none.
func discordHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	f := challenged(r, "type", "application_id", "event", "token")
	kind, _ := f[0].text()
	application, _ := f[1].text()
	switch {
	case application == "" || f[2] != nil:
	case kind == discordEventPing:
		return capture.Answer{Status: http.StatusNoContent}, true
	case kind == discordPing:
		return inJSON(map[string]int{"type": 1}), true
	}
	return capture.Answer{}, false
}

func discordEvents(r *capture.Request) ([]capture.Event, error) {
	f := reading{name: "discord"}
	doc := f.document(r.Body, "{")
	if doc == nil {
		return nil, f.err()
	}
	top := doc.pick("id", "type", "event", "message", "data")
	if top[2] != nil {
		return []capture.Event{discordEvent(&f, top[2])}, f.err()
	}
	id := f.must(top[0], "$.id")
	kind := f.must(top[1], "$.type")
	e := capture.Event{
		Key:    exact(id),
		Type:   cmp.Or(discordTypes[kind], kind),
		Object: cmp.Or(f.text(top[3].at("id"), "$.message.id"), id),
		At:     snowflake(id),
	}
	if name := f.text(top[4].at("name"), "$.data.name"); name != "" {
		e.Type += "." + name
	}
	return []capture.Event{e}, f.err()
}

// discordEvent reads a webhook event. It has no id: what happened to whom, and when, tells it apart.
func discordEvent(f *reading, event value) capture.Event {
	top := event.pick("type", "timestamp", "data")
	data := top[2].pick("id", "user", "user_id")
	e := capture.Event{
		Type: f.must(top[0], "$.event.type"),
		At:   f.when(top[1], "$.event.timestamp"),
		Object: cmp.Or(
			f.text(data[0], "$.event.data.id"),
			f.text(data[1].at("id"), "$.event.data.user.id"),
			f.text(data[2], "$.event.data.user_id"),
		),
	}
	e.Key = composite(e.Object, e.Type, f.text(top[1], "$.event.timestamp"))
	return e
}

// snowflake returns the time that is in the upper bits of one of Discord's
// ids, in milliseconds since 2015; the zero time if it is none.
func snowflake(id string) time.Time {
	n, err := strconv.ParseUint(id, 10, 63)
	if err != nil {
		return time.Time{}
	}
	const since = 1420070400000
	return time.UnixMilli(int64(n>>22) + since).UTC()
}
