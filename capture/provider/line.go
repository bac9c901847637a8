package provider

import (
	"net/http"

	"anyhook.net/desktop/capture"
)

// LINE sends several events a request, each with an id that stays when it is
// sent again. The Verify button of its console sends a request without events.
var line = capture.Provider{
	Name:     "line",
	Title:    "LINE",
	Scheme:   lineScheme.String(),
	Header:   lineScheme.header,
	Dedupe:   lineFields.dedupe(),
	Order:    lineFields.orders(),
	Attempt:  lineFields.shown("@.deliveryContext.isRedelivery"),
	Disabled: "LINE may suspend sending when the bot server fails for a long time.",
	Setup:    "LINE Developers Console → your channel → Messaging API → Webhook URL; the channel secret is under Basic settings.",
	Note:     "Events are sent again only where redelivery is switched on. What was redelivered says so, but not how often.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.ByDocs, Retry: capture.ByHearsay},
	Sources: []string{
		"npm @line/bot-sdk@11.0.0",
		"https://github.com/line/line-openapi/blob/main/webhook.yml",
		"https://developers.line.biz/en/docs/messaging-api/receiving-messages",
	},
	Marks:       []string{lineScheme.header},
	Agent:       "LineBotWebhook",
	Members:     []string{"destination"},
	Body:        isLINE,
	Verify:      lineScheme.verify,
	Sign:        lineScheme.sign,
	CheckSecret: lineScheme.keys.check,
	Events:      lineEvents,
	Mark:        lineMark,
	Batch:       lineBatch.parts,
	Join:        lineBatch.join,
	Handshake:   lineHandshake,
}

var lineScheme = scheme{
	header: "X-Line-Signature",
	form:   alone("", base64std),
	keys:   keys{want: "the channel secret, not a channel access token"},
}

var lineFields = fields{
	each:   "$.events",
	key:    "@.webhookEventId",
	typ:    []string{"@.type"},
	object: []string{"@.message.id|@.unsend.messageId|@.source.groupId|@.source.roomId|@.source.userId"},
	at:     "@.timestamp",
}

var lineBatch = lineFields.batchOf()

func isLINE(r *capture.Request) bool {
	f := value(r.Body).pick("destination", "events")
	to, _ := f[0].text()
	return to != "" && f[1].kind() == '['
}

// lineEvents tells a redelivery from a first delivery; which one it is, LINE does not say.
func lineEvents(r *capture.Request) ([]capture.Event, error) {
	const first, again = 1, 2
	events, err := lineFields.eventsOf("line")(r)
	i := 0
	for v := range value(r.Body).at("events").elements() {
		if i == len(events) {
			break
		}
		switch v.at("deliveryContext", "isRedelivery").kind() {
		case 'f':
			events[i].Try = first
		case 't':
			events[i].Try = again
		}
		i++
	}
	return events, err
}

func lineHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	f := challenged(r, "destination", "events")
	if f[0] == nil || f[1].kind() != '[' {
		return capture.Answer{}, false
	}
	for range f[1].elements() {
		return capture.Answer{}, false
	}
	return capture.Answer{Status: http.StatusOK}, true
}
