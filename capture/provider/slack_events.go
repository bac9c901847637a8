package provider

import (
	"cmp"
	"strconv"
	"strings"

	"anyhook.net/desktop/capture"
)

func slackEvents(r *capture.Request) ([]capture.Event, error) {
	f := reading{name: "slack"}
	var e capture.Event
	switch {
	case !isForm(r):
		doc := f.document(r.Body, "{")
		if doc == nil {
			return nil, f.err()
		}
		e = slackJSON(&f, doc)
	case formValue(string(r.Body), "command") != "":
		e = slackCommand(&f, string(r.Body))
	default:
		payload := []byte(formValue(string(r.Body), "payload"))
		doc := f.document(payload, "{")
		if doc == nil {
			return nil, f.err()
		}
		e = slackInteraction(&f, doc)
	}
	if n, err := strconv.Atoi(r.Header.Get(slackRetry)); err == nil && n > 0 && n < 1000 {
		e.Try = n + 1 // the header counts retries
	}
	return []capture.Event{e}, f.err()
}

// slackJSON reads an event of the Events API. event_time has a resolution of
// one second; event_ts has one of a microsecond, and guards the order.
func slackJSON(f *reading, doc value) capture.Event {
	top := doc.pick("type", "event", "event_id", "event_time", "challenge")
	kind := f.must(top[0], "$.type")
	switch kind {
	case "event_callback":
	case "url_verification":
		return capture.Event{Type: kind, Key: composite(f.text(top[4], "$.challenge"), kind)}
	default: // app_rate_limited, and what may come
		return capture.Event{Type: kind, Key: exact(f.text(top[2], "$.event_id")), At: f.when(top[3], "$.event_time")}
	}
	event := top[1].pick("type", "subtype", "event_ts")
	e := capture.Event{
		Key:    exact(f.must(top[2], "$.event_id")),
		Type:   f.must(event[0], "$.event.type"),
		At:     f.when(top[3], "$.event_time"),
		Object: slackObject(f, top[1]),
		Order:  slackMicros(f.text(event[2], "$.event.event_ts")),
	}
	if sub := f.text(event[1], "$.event.subtype"); sub != "" {
		e.Type += "." + sub
	}
	return e
}

// slackObject names the message that an event is about: its channel and its
// time, which is its id. An edit has a time of its own and names the message inside.
func slackObject(f *reading, event value) string {
	m := event.pick("channel", "ts", "message", "deleted_ts", "item")
	channel, ts := m[0], m[1]
	if item := m[4].pick("channel", "ts"); item[0] != nil && item[1] != nil {
		channel, ts = item[0], item[1]
	}
	if inner := m[2].at("ts"); inner != nil {
		ts = inner
	} else if m[3] != nil {
		ts = m[3]
	}
	if channel.kind() == '{' { // channel_created and its like carry the whole channel
		return f.text(channel.at("id"), "$.event.channel.id")
	}
	in, at := f.text(channel, "$.event.channel"), f.text(ts, "$.event.ts")
	if in == "" || at == "" {
		return in
	}
	return in + ":" + at
}

// slackMicros returns a time such as 1796039990.000200 in microseconds since
// 1970; 0 if it is none.
func slackMicros(ts string) int64 {
	whole, part, _ := strings.Cut(ts, ".")
	if len(part) > 6 || len(whole) > 11 {
		return 0
	}
	n, err := strconv.ParseInt(whole+part+strings.Repeat("0", 6-len(part)), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func slackCommand(f *reading, form string) capture.Event {
	e := capture.Event{Type: clip(formValue(form, "command"))}
	trigger := clip(formValue(form, "trigger_id"))
	if trigger == "" {
		f.fail("no trigger_id")
	}
	e.Key = composite(trigger)
	return e
}

func slackInteraction(f *reading, doc value) capture.Event {
	top := doc.pick("type", "trigger_id", "actions", "action_ts", "callback_id", "view", "channel", "message")
	e := capture.Event{
		Type: f.must(top[0], "$.type"),
		Key:  composite(cmp.Or(f.text(top[1], "$.trigger_id"), f.text(top[4], "$.callback_id")), f.text(top[3], "$.action_ts")),
	}
	channel, message := f.text(top[6].at("id"), "$.channel.id"), f.text(top[7].at("ts"), "$.message.ts")
	if channel != "" && message != "" {
		e.Object = channel + ":" + message // named as by the events about it
	} else {
		e.Object = f.text(top[5].at("id"), "$.view.id")
	}
	ts := f.text(top[3], "$.action_ts")
	for action := range top[2].elements() {
		ts = cmp.Or(ts, f.text(action.at("action_ts"), "$.actions[0].action_ts"))
		break
	}
	e.Order = slackMicros(ts)
	if whole, _, _ := strings.Cut(ts, "."); whole != "" {
		e.At, _ = parseTime(whole)
	}
	return e
}

// clip cuts a text of a form to the length that a text of a body may have.
func clip(s string) string { return s[:min(len(s), maxText)] }
