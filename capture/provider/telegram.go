package provider

import (
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Telegram shows a token of the bot's choice and signs nothing. Its updates
// are numbered in order, which is a better guard than their time in seconds.
var telegram = capture.Provider{
	Name:     "telegram",
	Title:    "Telegram Bot API",
	Scheme:   telegramToken.String(),
	Header:   telegramToken.header,
	Dedupe:   "$.update_id",
	Order:    "$.update_id",
	Retry:    capture.Retry{Within: 24 * time.Hour},
	Disabled: "After 23 hours of answers with 410 Telegram removes the webhook.",
	Setup:    "Call setWebhook of the Bot API with the address as url and a secret_token that you choose.",
	Note:     "The first retry comes at once, then the pauses double up to one or two minutes; Retry-After is honoured up to an hour. The answer may hold a call of a bot method.",
	Trust:    capture.Trust{Signature: capture.BySource, Identity: capture.BySource, Retry: capture.BySource},
	Sources: []string{
		"https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/WebhookActor.cpp",
	},
	Marks:       []string{telegramToken.header},
	Members:     []string{"update_id"},
	Body:        isTelegram,
	Verify:      telegramToken.verify,
	Sign:        telegramToken.sign,
	CheckSecret: telegramToken.keys.check,
	Events:      telegramEvents,
}

var telegramToken = token{
	header: "X-Telegram-Bot-Api-Secret-Token",
	keys: keys{
		want:   "the secret_token given to setWebhook, not the token of the bot",
		usable: func(s string) bool { return !strings.Contains(s, ":") },
	},
}

func isTelegram(r *capture.Request) bool {
	update, name, _ := telegramUpdate(r.Body)
	_, err := strconv.ParseInt(update, 10, 64)
	return err == nil && name != ""
}

// telegramUpdate returns the number of an update, and its other member, which
// is named after what happened.
func telegramUpdate(body []byte) (id, name string, what value) {
	for quoted, v := range value(body).members() {
		switch {
		case named(quoted, "update_id"):
			id, _ = v.text()
		case name == "" && v.kind() == '{':
			name, _ = value(quoted).text()
			what = v
		}
	}
	return id, name, what
}

func telegramEvents(r *capture.Request) ([]capture.Event, error) {
	f := reading{name: "telegram"}
	if f.document(r.Body, "{") == nil {
		return nil, f.err()
	}
	id, name, what := telegramUpdate(r.Body)
	if id == "" {
		f.fail("no $.update_id")
	}
	if name == "" {
		f.fail("nothing beside $.update_id")
	}
	e := capture.Event{Key: exact(id), Type: name}
	if n, err := strconv.ParseInt(id, 10, 64); err == nil && n > 0 {
		e.Order = n
	}
	top := what.pick("message_id", "chat", "date", "edit_date", "message", "id", "poll_id")
	e.At = f.when(top[2], "$."+name+".date")
	if edited := f.when(top[3], "$."+name+".edit_date"); !edited.IsZero() {
		e.At = edited
	}
	message := top[4].pick("message_id", "chat")
	switch chat, inner := telegramID(top[1]), telegramID(message[1]); {
	case chat != "":
		e.Object = chat
		if m := f.text(top[0], "$."+name+".message_id"); m != "" {
			e.Object += "/" + m
		}
	case inner != "": // a button below a message
		e.Object = inner + "/" + f.text(message[0], "$."+name+".message.message_id")
	case top[6] != nil:
		e.Object = f.text(top[6], "$."+name+".poll_id")
	default:
		e.Object = f.text(top[5], "$."+name+".id")
	}
	return []capture.Event{e}, f.err()
}

func telegramID(chat value) string {
	id, _ := chat.at("id").text()
	return id
}
