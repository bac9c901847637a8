package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

const (
	twitchID   = "Twitch-Eventsub-Message-Id"
	twitchTime = "Twitch-Eventsub-Message-Timestamp"
	twitchKind = "Twitch-Eventsub-Message-Type"
)

// Twitch signs the id of the message, its time and the body. A message that
// was sent again keeps its id. Before it sends anything it asks for a
// challenge back, which is signed as well.
var twitch = capture.Provider{
	Name:      "twitch",
	Title:     "Twitch EventSub",
	Scheme:    twitchScheme.String(),
	Header:    twitchScheme.header,
	Tolerance: twitchScheme.stamp.window,
	Dedupe:    twitchFields.dedupe(),
	Order:     twitchFields.orders(),
	Attempt:   twitchFields.try,
	Disabled:  "Too many failures revoke the subscription, with the reason notification_failures_exceeded.",
	Setup:     "Create the subscription with POST /helix/eventsub/subscriptions: the address is transport.callback, the secret transport.secret.",
	Note:      "Twitch waits a few seconds for an answer, and sends again what it is not sure about. It wants to hear the challenge before it sends events.",
	Trust:     capture.Trust{Signature: capture.ByDocs, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"https://dev.twitch.tv/docs/eventsub/handling-webhook-events",
		"npm @twurple/eventsub-http@8.1.4",
	},
	Marks:       []string{twitchID, twitchScheme.header, twitchKind},
	Verify:      twitchScheme.verify,
	Sign:        twitchScheme.sign,
	CheckSecret: twitchScheme.keys.check,
	Events:      twitchEvents,
	Mark:        twitchFields.marksOf(),
	Batch:       twitchList.parts,
	Join:        twitchList.join,
	Handshake:   twitchHandshake,
}

var twitchScheme = scheme{
	header: "Twitch-Eventsub-Message-Signature",
	form:   alone("sha256=", hexadecimal),
	stamp:  stamp{header: twitchTime, unit: inISO, window: 10 * time.Minute},
	signs:  []piece{headerOf(twitchID), theTime, theBody},
	keys:   keys{want: "the secret given with the subscription, not a token or the client secret"},
}

var (
	twitchFields = fields{
		key:    "header:" + twitchID,
		typ:    []string{"header:Twitch-Eventsub-Subscription-Type"},
		object: []string{"$.event.id|$.event.broadcaster_user_id|$.event.user_id|$.subscription.id"},
		at:     "header:" + twitchTime,
		try:    "header:Twitch-Eventsub-Message-Retry",
		from0:  true,
	}
	twitchBatch = fields{
		each: "$.events", key: "@.id", typ: twitchFields.typ, object: []string{"@.data.entitlement_id|@.id"},
		at: twitchFields.at, try: twitchFields.try, from0: true,
	}
)

// twitchList are the events of the types that come as a list.
var twitchList = twitchBatch.batchOf()

// twitchEvents reads a notification. Those of a stream are about its channel:
// that it ended does not tell its id. Some types come as a list.
func twitchEvents(r *capture.Request) ([]capture.Event, error) {
	top := value(r.Body).pick("events", "event")
	if top[0].kind() == '[' {
		return twitchBatch.eventsOf("twitch")(r)
	}
	events, err := twitchFields.eventsOf("twitch")(r)
	for i := range events {
		e := &events[i]
		if channel, ok := top[1].at("broadcaster_user_id").text(); ok && strings.HasPrefix(e.Type, "stream.") {
			e.Object = channel
		}
		if r.Header.Get(twitchKind) == "revocation" {
			e.Type += ".revocation"
		}
	}
	return events, err
}

func twitchHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	challenge, _ := challenged(r, "challenge")[0].text()
	if r.Header.Get(twitchKind) != "webhook_callback_verification" || challenge == "" {
		return capture.Answer{}, false
	}
	return plain(challenge), true
}
