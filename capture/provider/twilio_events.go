package provider

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// twilioRanks put the states of a message, and those of a call, in the order
// in which they follow one another: their callbacks carry no time. Ranks start
// at 1, since an order of 0 is none.
var twilioRanks = map[string]int64{
	"accepted": 1, "scheduled": 1, "queued": 2, "receiving": 2, "sending": 3, "sent": 4,
	"received": 5, "delivered": 5, "undelivered": 5, "failed": 5, "canceled": 5, "read": 6,

	"initiated": 1, "ringing": 3, "in-progress": 4, "answered": 4,
	"completed": 5, "busy": 5, "no-answer": 5,
}

// twilioBatch is the list that event streams send.
var twilioBatch = batch{list: "$"}

func twilioEvents(r *capture.Request) ([]capture.Event, error) {
	f := reading{name: "twilio"}
	switch {
	case r.Method == http.MethodGet:
		a, _ := parseAddress(r.URL)
		return []capture.Event{twilioForm(&f, a.query())}, f.err()
	case isForm(r):
		return []capture.Event{twilioForm(&f, string(r.Body))}, f.err()
	}
	doc := f.document(r.Body, "[{")
	if doc.kind() == '{' {
		return []capture.Event{twilioJSON(&f, doc)}, f.err()
	}
	const most = 1000
	var events []capture.Event
	for v := range doc.elements() {
		if len(events) == most {
			f.fail("more than %d events", most)
			break
		}
		events = append(events, twilioJSON(&f, v))
		f.errs = f.errs[:min(len(f.errs), 20)]
	}
	return events, f.err()
}

// twilioForm reads a message that came in, or a callback on the state of a message or a call.
func twilioForm(f *reading, form string) capture.Event {
	field := map[string]string{}
	for name, value := range formFields(form) {
		switch name {
		case "MessageSid", "SmsSid", "MessageStatus", "SmsStatus", "CallSid", "CallStatus", "SequenceNumber", "Timestamp":
			field[name] = clip(value)
		}
	}
	var e capture.Event
	if t, err := time.Parse(time.RFC1123Z, field["Timestamp"]); err == nil && t.Year() > 0 {
		e.At = t.UTC()
	}
	message := cmp.Or(field["MessageSid"], field["SmsSid"])
	status := cmp.Or(field["MessageStatus"], field["SmsStatus"])
	switch {
	case message != "" && status == "received":
		e.Type, e.Object = "sms.received", message
		e.Key = composite(message, status)
	case message != "":
		e.Type, e.Object = "message."+status, message
		e.Key = composite(message, status)
	case field["CallSid"] != "":
		status = field["CallStatus"]
		e.Type, e.Object = "call."+status, field["CallSid"]
		e.Key = composite(e.Object, cmp.Or(field["SequenceNumber"], status))
	default:
		f.fail("no MessageSid and no CallSid")
		return e
	}
	e.Type = strings.TrimSuffix(e.Type, ".")
	e.Order = twilioRanks[status]
	if n, err := strconv.ParseInt(field["SequenceNumber"], 10, 32); err == nil && n >= 0 {
		e.Order = n + 1
	}
	return e
}

// twilioJSON reads an event of Event Streams, which is a CloudEvent.
func twilioJSON(f *reading, v value) capture.Event {
	top := v.pick("id", "type", "EventType", "time", "data", "MessageSid", "CallSid")
	data := top[4].pick("messageSid", "callSid", "messageStatus", "MessageSid")
	e := capture.Event{
		Key:  exact(f.text(top[0], "$.id")),
		Type: cmp.Or(f.text(top[1], "$.type"), f.text(top[2], "$.EventType")),
		At:   f.when(top[3], "$.time"),
		Object: cmp.Or(
			f.text(data[0], "$.data.messageSid"), f.text(data[1], "$.data.callSid"), f.text(data[3], "$.data.MessageSid"),
			f.text(top[5], "$.MessageSid"), f.text(top[6], "$.CallSid"),
		),
	}
	if e.Type == "" {
		f.fail("no $.type and no $.EventType")
	}
	return e
}
