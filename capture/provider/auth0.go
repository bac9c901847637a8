package provider

import (
	"bytes"
	"encoding/json"
	"slices"

	"anyhook.net/desktop/capture"
)

// Auth0 streams its log as JSON lines, as a list or as one object, as the
// stream is set up; lines are not one JSON document, which parsers refuse.
var auth0 = capture.Provider{
	Name:     "auth0",
	Title:    "Auth0 log streams",
	Scheme:   auth0Token.String(),
	Header:   auth0Token.header,
	Dedupe:   "log_id",
	Order:    "data.date",
	Retry:    capture.Retry{Times: 3},
	Disabled: "A stream that fails for seven days is paused.",
	Setup:    "Monitoring → Streams → Create log stream → Custom webhook: the address, and an authorization token that you choose.",
	Note:     "A body may be JSON lines, a list or one object: that is a setting of the stream.",
	Trust:    capture.Trust{Signature: capture.ByDocs, Identity: capture.ByHearsay, Retry: capture.ByDocs},
	Sources: []string{
		"https://github.com/auth0/docs-v2/tree/main/main/docs/customize/log-streams",
	},
	Members:     []string{"log_id", "logs"},
	Body:        isAuth0,
	Verify:      auth0Token.verify,
	Sign:        auth0Token.sign,
	CheckSecret: auth0Token.keys.check,
	Events:      auth0Fields.eventsOf("auth0"),
	Batch:       auth0Parts,
	Join:        auth0Join,
}

var auth0Token = token{
	header: "Authorization",
	scheme: "Bearer",
	keys:   keys{want: "the authorization token of the stream"},
}

var auth0Fields = fields{
	each:   "$",
	key:    "@.log_id",
	typ:    []string{"@.data.type"},
	object: []string{"@.data.user_id|@.data.client_id"},
	at:     "@.data.date",
	inside: auth0List,
}

// auth0List makes one list of a body of any of its formats.
func auth0List(body []byte) []byte {
	switch v := value(body); {
	case v.kind() != '{':
		return body
	case json.Valid(body):
		if logs := v.at("logs"); logs.kind() == '[' {
			return logs
		}
		return slices.Concat([]byte("["), body, []byte("]"))
	}
	lines := slices.DeleteFunc(bytes.Split(body, []byte("\n")), func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 })
	return slices.Concat([]byte("["), bytes.Join(lines, []byte(",")), []byte("]"))
}

func isAuth0(r *capture.Request) bool {
	for first := range value(auth0List(r.Body)).elements() {
		f := first.pick("log_id", "data")
		return f[0] != nil && f[1].at("date") != nil
	}
	return false
}

// auth0Shape is where a body in one piece has its logs; false for lines of them.
func auth0Shape(body []byte) (batch, bool) {
	v := value(body)
	switch {
	case v.kind() == '{' && v.at("logs").kind() == '[' && json.Valid(body):
		return batch{list: "$.logs"}, true
	case v.kind() == '[':
		return batch{list: "$"}, true
	}
	return batch{}, false
}

func auth0Parts(r *capture.Request) ([][]byte, error) {
	if b, ok := auth0Shape(r.Body); ok {
		return b.parts(r)
	}
	list := auth0List(r.Body) // of lines, which keep their bytes in it
	return batch{list: "$"}.parts(&capture.Request{Body: list})
}

// auth0Join writes lines where r has lines, or one log alone.
func auth0Join(r *capture.Request, parts [][]byte) error {
	if b, ok := auth0Shape(r.Body); ok {
		return b.join(r, parts)
	}
	checked := capture.Request{Body: []byte("[]")}
	if err := (batch{list: "$"}).join(&checked, parts); err != nil {
		return err
	}
	lines := make([][]byte, len(parts))
	for i, part := range parts {
		lines[i] = bytes.ReplaceAll(part, []byte("\n"), nil) // white space: within a string it is escaped
	}
	end := r.Body[len(bytes.TrimRight(r.Body, "\r\n")):]
	r.Body = slices.Concat(bytes.Join(lines, []byte("\n")), end)
	return nil
}
