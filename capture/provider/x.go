package provider

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// X signs the body, and with the same key and in the same way the token of a
// check that anybody may ask for: only a token that cannot be a body is answered.
var x = capture.Provider{
	Name:     "x",
	Title:    "X (Account Activity)",
	Scheme:   xScheme.String(),
	Header:   xScheme.header,
	Deadline: 3 * time.Second,
	Dedupe:   "the id in each event + its list; of follows who, whom and when",
	Order:    "created_timestamp or timestamp_ms of each event",
	Retry:    capture.Retry{Times: 3, Within: 5 * time.Minute},
	Setup:    "Register the address with the Account Activity API; the secret is the API key secret (consumer secret) under Keys and tokens.",
	Note:     "X checks the address with a crc_token now and then; AnyHook answers if the secret is kept here. Retries are those of the enterprise API.",
	Trust:    capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByDocs},
	Sources: []string{
		"https://developer.x.com/en/docs/x-api/enterprise/account-activity-api/guides/activity-retries",
	},
	Marks:       []string{xScheme.header},
	Members:     []string{"for_user_id"},
	Body:        func(r *capture.Request) bool { return value(r.Body).at("for_user_id") != nil },
	Verify:      xScheme.verify,
	Sign:        xScheme.sign,
	CheckSecret: xScheme.keys.check,
	Events:      xEvents,
	Batch:       xBatch,
	Join:        xJoin,
	Handshake:   xHandshake,
}

var xScheme = scheme{
	header: "X-Twitter-Webhooks-Signature",
	form:   alone("sha256=", base64std),
	keys:   keys{want: "the consumer secret of the app, not a bearer token", alien: []string{"AAAAAAAA"}},
}

// xHandshake answers crc_token with its HMAC.
func xHandshake(r *capture.Request, secrets []capture.Secret) (capture.Answer, bool) {
	a, _ := parseAddress(r.URL)
	token, key := formValue(a.query(), "crc_token"), answering(r, secrets)
	if r.Method != http.MethodGet || key == "" || !mayBeMACed(token) {
		return capture.Answer{}, false
	}
	return inJSON(map[string]string{
		"response_token": xScheme.form.prefix + base64.StdEncoding.EncodeToString(mac(sha256.New, key, []byte(token))),
	}), true
}

// xEvents reads the lists of a request, each of which is named after what happened.
func xEvents(r *capture.Request) ([]capture.Event, error) {
	const most = 1000
	f := reading{name: "x"}
	doc := f.document(r.Body, "{")
	if doc == nil {
		return nil, f.err()
	}
	var events []capture.Event
	for quoted, list := range doc.members() {
		name, _ := value(quoted).text()
		if !strings.HasSuffix(name, "_events") {
			continue
		}
		for v := range list.elements() {
			if len(events) == most {
				f.fail("more than %d events", most)
				return events, f.err()
			}
			events = append(events, xEvent(&f, name, v))
			f.errs = f.errs[:min(len(f.errs), 20)]
		}
	}
	if len(events) == 0 {
		f.fail("no list of events")
	}
	return events, f.err()
}

// xEvent reads one event. A post that was deleted names itself inside, and so
// does one that somebody likes; a follow is between two accounts.
func xEvent(f *reading, name string, v value) capture.Event {
	top := v.pick("id_str", "id", "created_timestamp", "timestamp_ms", "status", "favorited_status", "source", "target", "type")
	own := cmp.Or(f.text(top[0], name+"[].id_str"), f.text(top[1], name+"[].id"))
	stamp := cmp.Or(f.text(top[2], name+"[].created_timestamp"), f.text(top[3], name+"[].timestamp_ms"))
	about := cmp.Or(f.text(top[4].at("id"), name+"[].status.id"), f.text(top[5].at("id_str"), name+"[].favorited_status.id_str"), own)
	e := capture.Event{Type: name, Object: about}
	if stamp != "" {
		at, ok := parseTime(stamp)
		if !ok {
			f.fail("%s[] has no readable time", name)
		}
		e.At = at
	}
	if from, to := f.text(top[6].at("id"), name+"[].source.id"), f.text(top[7].at("id"), name+"[].target.id"); about == "" && from != "" {
		e.Object = from + ">" + to
		e.Type += "." + f.text(top[8], name+"[].type")
		e.Key = composite(e.Object, e.Type, stamp)
		return e
	}
	e.Key = composite(cmp.Or(own, about), name)
	if own == "" && about == "" {
		f.fail("no id in %s[]", name)
	}
	return e
}
