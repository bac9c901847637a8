package practice

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An event is what the shop understands of one.
type event struct {
	key    string // what makes it the same event when it comes again
	typ    string
	object string // "" if it tells of none
	state  string
	at     time.Time // zero if it does not say
	rank   int64     // of a state that comes after others whatever the clock says; 0 if there is no such order
}

// older reports whether what o holds is newer.
func (e event) older(o Object) bool {
	if e.rank != 0 && o.rank != 0 {
		return e.rank < o.rank
	}
	return !e.at.IsZero() && e.at.Before(o.At)
}

// A paths is where providers put something, the first that is there counts.
type paths []string

// Where things are in a JSON body, as dotted paths. Providers differ, and the
// shop only wants to tell events apart: what it does not find here, it does without.
var (
	keyPaths = paths{"event_id", "webhookEventId", "sg_event_id", "id", "eventId", "event.client_msg_id"}
	// compositePaths make a key where no field is one.
	compositePaths = []string{
		"objectId", "subscriptionType", "propertyName", "occurredAt", // HubSpot
		"event", "triggerEvent", "created_at", "createdAt", "event_ts", "payload.uri", "payload.uid", "payload.object.uuid", // Calendly, Cal.com, Zoom
	}
	typePaths   = paths{"type", "event_type", "subscriptionType", "triggerEvent", "topic", "event", "object_kind", "action"}
	objectPaths = paths{
		"data.object.payment.id", "data.object.id", "data.id", "payload.uri", "payload.uid", "payload.object.id", "object_attributes.id",
		"pull_request.id", "objectId", "event.ts", "sg_message_id", "message.id", "admin_graphql_api_id", "resource.id", "id",
	}
	statePaths = paths{
		"data.object.payment.status", "data.object.status", "data.status", "payload.status", "object_attributes.state", "pull_request.state",
		"propertyValue", "financial_status", "data.title", "status", "event", "triggerEvent", "action",
	}
	timePaths = paths{
		"data.object.payment.updated_at", "occurred_at", "occurredAt", "updated_at", "created", "created_at", "createdAt", "timestamp",
		"event_ts", "event_time", "pull_request.updated_at", "object_attributes.updated_at",
	}
	// keyHeaders name an event better than its body does.
	keyHeaders  = []string{"Webhook-Id", "Svix-Id", "X-Github-Delivery", "X-Shopify-Event-Id", "X-Gitlab-Event-Uuid", "Linear-Delivery"}
	typeHeaders = []string{"X-Shopify-Topic", "X-Github-Event", "X-Gitlab-Event"}
)

// smsRanks is the order of a message's states, which carry no time.
var smsRanks = map[string]int64{"accepted": 1, "queued": 2, "sending": 3, "sent": 4, "delivered": 5, "undelivered": 5, "failed": 5, "read": 6}

// read finds the events of a request; one at least, whatever the body is.
func read(h http.Header, body []byte) []event {
	if kind, _, _ := mime.ParseMediaType(h.Get("Content-Type")); kind == "application/x-www-form-urlencoded" {
		if form, err := url.ParseQuery(string(body)); err == nil {
			return []event{fromForm(form, body)}
		}
	}
	v, err := decode(body)
	if err != nil {
		return []event{{key: hash(body), typ: "unknown"}}
	}
	list := []any{v}
	if batch, ok := v.([]any); ok {
		list = batch
	} else if batch, ok := find(v, "events").([]any); ok {
		list = batch
	}
	var out []event
	for _, item := range list {
		out = append(out, fromJSON(h, item, len(list) == 1))
	}
	if len(out) == 0 {
		out = []event{{key: hash(body), typ: "empty"}}
	}
	return out
}

func decode(body []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return v, nil
}

// fromJSON reads one event. alone tells that the headers speak of it and of no other.
func fromJSON(h http.Header, v any, alone bool) event {
	e := event{typ: typePaths.text(v), object: objectPaths.text(v), state: statePaths.text(v), at: timePaths.time(v)}
	if alone {
		if t := header(h, typeHeaders); t != "" {
			e.typ = t
		}
		e.key = header(h, keyHeaders)
	}
	if e.state == "" {
		e.state = e.typ
	}
	if name := text(find(v, "propertyName")); name != "" {
		e.object += " " + name
	}
	if e.key == "" && find(v, "objectId") == nil { // HubSpot's eventId is not unique
		e.key = keyPaths.text(v)
	}
	if e.key == "" {
		e.key = composite(v)
	}
	if e.key == "" {
		whole, _ := json.Marshal(v)
		e.key = hash(whole)
	}
	return e
}

func composite(v any) string {
	var parts []string
	for _, p := range compositePaths {
		if s := text(find(v, p)); s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts, "|")
}

func fromForm(form url.Values, body []byte) event {
	id := first(form, "MessageSid", "CallSid", "id")
	state := first(form, "MessageStatus", "SmsStatus", "CallStatus", "action")
	if id == "" {
		return event{key: hash(body), typ: "form"}
	}
	e := event{key: id + "|" + state, typ: state, object: id, state: state, rank: smsRanks[state]}
	if n := form.Get("SequenceNumber"); n != "" {
		e.rank, _ = strconv.ParseInt(n, 10, 64)
		e.rank++
		e.key += "|" + n
	}
	return e
}

func first(form url.Values, names ...string) string {
	for _, name := range names {
		if s := form.Get(name); s != "" {
			return s
		}
	}
	return ""
}

func header(h http.Header, names []string) string {
	i := slices.IndexFunc(names, func(name string) bool { return h.Get(name) != "" })
	if i < 0 {
		return ""
	}
	return h.Get(names[i])
}

// find follows a dotted path; nil if it ends nowhere.
func find(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

// text is a string, number or truth as text, "" for anything else.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

func (ps paths) text(v any) string {
	for _, p := range ps {
		if s := text(find(v, p)); s != "" {
			return s
		}
	}
	return ""
}

var layouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05 UTC"}

func (ps paths) time(v any) time.Time {
	for _, p := range ps {
		if t := instant(text(find(v, p))); !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// instant reads seconds or milliseconds since 1970, or a date.
func instant(s string) time.Time {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 0 {
		if n > 1e11 { // no second before the year 5138 is that far
			return time.UnixMilli(n).UTC()
		}
		return time.Unix(n, 0).UTC()
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

func hash(body []byte) string {
	h := sha256.Sum256(body)
	return "body " + hex.EncodeToString(h[:8])
}
