package provider

import (
	"cmp"
	"strconv"
	"strings"

	"anyhook.net/desktop/capture"
)

// hubspotMost is how many events of one request are read. HubSpot documents a
// hundred; more than ten times as many are somebody else's.
const hubspotMost = 1000

var hubspotBatch = batch{list: "$"}

func isHubSpot(r *capture.Request) bool {
	for first := range value(r.Body).elements() {
		f := first.pick("subscriptionType", "eventType", "occurredAt", "portalId")
		return (f[0] != nil || f[1] != nil) && f[2] != nil && f[3] != nil
	}
	return false
}

func hubspotEvents(r *capture.Request) ([]capture.Event, error) {
	f := reading{name: "hubspot"}
	doc := f.document(r.Body, "[{")
	if doc.kind() == '{' {
		return []capture.Event{hubspotEvent(&f, doc, "$")}, f.err()
	}
	var events []capture.Event
	for v := range doc.elements() {
		if len(events) == hubspotMost {
			f.fail("more than %d events", hubspotMost)
			break
		}
		const tell = 20 // errors, so that a hostile batch does not make a book of them
		one := reading{name: f.name}
		events = append(events, hubspotEvent(&one, v, "$["+strconv.Itoa(len(events))+"]"))
		if len(f.errs) < tell {
			f.errs = append(f.errs, one.errs...)
		}
	}
	if doc != nil && len(events) == 0 {
		f.fail("no events")
	}
	return events, f.err()
}

// hubspotEvent reads one event. Its eventId is documented as not unique, so
// that the key is made of what happened to what, and when.
func hubspotEvent(f *reading, v value, path string) capture.Event {
	top := v.pick("subscriptionType", "eventType", "occurredAt", "objectId", "objectTypeId",
		"fromObjectId", "toObjectId", "propertyName", "attemptNumber")
	text := func(i int, name string) string { return f.text(top[i], path+"."+name) }

	e := capture.Event{Type: cmp.Or(text(0, "subscriptionType"), text(1, "eventType"))}
	if e.Type == "" {
		f.fail("no %s.subscriptionType", path)
	}
	object := text(3, "objectId")
	if from := text(5, "fromObjectId"); object == "" && from != "" {
		object = from + ">" + text(6, "toObjectId")
	}
	occurred := text(2, "occurredAt")
	e.At = f.when(top[2], path+".occurredAt")
	e.Key = composite(object, e.Type, occurred, text(7, "propertyName"))
	if object == "" {
		f.fail("no %s.objectId", path)
	} else {
		kind, _, _ := strings.Cut(e.Type, ".")
		e.Object = cmp.Or(text(4, "objectTypeId"), kind) + "/" + object
	}
	if n, err := strconv.Atoi(text(8, "attemptNumber")); err == nil && n >= 0 && n < 1000 {
		e.Try = n + 1
	}
	return e
}
