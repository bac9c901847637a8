package provider

import (
	"cmp"
	"slices"
	"strings"

	"anyhook.net/desktop/capture"
)

// metaRanks put the states of a message in their order: their time has a
// resolution of one second, and read may come before delivered.
var metaRanks = map[string]int64{"sent": 1, "delivered": 2, "read": 3, "played": 4, "failed": 4}

// metaEvents reads what is nested in a request: entries, and in each of them
// changes with messages and states of messages (WhatsApp) or with anything
// else (pages, Instagram, leads), or the messages of a chat.
func metaEvents(r *capture.Request) ([]capture.Event, error) {
	const most = 1000
	m := metaReading{f: reading{name: "meta"}}
	doc := m.f.document(r.Body, "{")
	top := doc.pick("object", "entry")
	m.object = m.f.text(top[0], "$.object")
	for entry := range top[1].elements() {
		m.entry(entry)
		if len(m.events) > most {
			m.events = m.events[:most]
			m.f.fail("more than %d events", most)
			break
		}
	}
	m.f.errs = m.f.errs[:min(len(m.f.errs), 20)]
	if doc != nil && len(m.events) == 0 {
		m.f.fail("no changes and no messages in $.entry")
	}
	return m.events, m.f.err()
}

// metaBatch takes the events out of their entries and changes.
var metaBatch = batch{list: "$.entry", within: []func(value) []value{
	func(entry value) []value { return entry.pick("changes", "messaging", "standby") },
	func(change value) []value { return change.at("value").pick("messages", "statuses") },
}}

type metaReading struct {
	f      reading
	object string // the kind of thing that is subscribed to: page, whatsapp_business_account
	events []capture.Event
}

func (m *metaReading) add(e capture.Event, kind string) {
	e.Type = m.object + "." + kind
	m.events = append(m.events, e)
}

func (m *metaReading) entry(entry value) {
	top := entry.pick("id", "time", "changes", "messaging", "standby")
	for change := range top[2].elements() {
		f := change.pick("field", "value")
		m.change(m.f.text(f[0], "field"), f[1], top)
	}
	for i := 3; i < len(top); i++ {
		for message := range top[i].elements() {
			m.chat(message)
		}
	}
}

func (m *metaReading) change(field string, v value, entry []value) {
	inside := v.pick("messages", "statuses")
	for message := range inside[0].elements() {
		f := message.pick("id", "timestamp")
		id := m.f.text(f[0], "messages[].id")
		m.add(capture.Event{Key: exact(id), Object: id, At: m.f.when(f[1], "messages[].timestamp")}, field)
	}
	for status := range inside[1].elements() {
		f := status.pick("id", "timestamp", "status")
		id, state := m.f.text(f[0], "statuses[].id"), m.f.text(f[2], "statuses[].status")
		m.add(capture.Event{
			Key: composite(id, state), Object: id, At: m.f.when(f[1], "statuses[].timestamp"), Order: metaRanks[state],
		}, "statuses."+state)
	}
	if inside[0] != nil || inside[1] != nil {
		return
	}
	at := m.f.text(entry[1], "entry[].time")
	f := v.pick("leadgen_id", "comment_id", "reaction_type", "post_id", "media_id", "id", "verb", "item", "from")
	text := func(i int) string { return m.f.text(f[i], "value") }
	id := cmp.Or(text(0), text(1), text(3), text(4), text(5))
	kind := strings.Join(slices.DeleteFunc([]string{field, text(7), text(6)}, func(s string) bool { return s == "" }), ".")
	from := m.f.text(f[8].at("id"), "value.from.id")
	m.add(capture.Event{
		Key:    composite(id, kind, text(2), from, at),
		Object: cmp.Or(id, m.f.text(entry[0], "entry[].id")),
		At:     m.f.when(entry[1], "entry[].time"),
	}, kind)
}

// chat reads a message of Messenger or Instagram, or what was done with one.
func (m *metaReading) chat(v value) {
	f := v.pick("sender", "recipient", "timestamp")
	var kind string
	var what value
	for quoted, member := range v.members() {
		if name, _ := value(quoted).text(); member.kind() == '{' && name != "sender" && name != "recipient" {
			kind, what = name, member
			break
		}
	}
	sender := m.f.text(f[0].at("id"), "messaging[].sender.id")
	mid := m.f.text(what.at("mid"), "messaging[]."+kind+".mid")
	e := capture.Event{Object: cmp.Or(mid, sender), At: m.f.when(f[2], "messaging[].timestamp")}
	switch kind {
	case "message", "postback":
		e.Key = exact(mid)
	default:
		e.Key = composite(e.Object, kind, m.f.text(f[2], "messaging[].timestamp"))
	}
	m.add(e, kind)
}
