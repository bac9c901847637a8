package provider

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"mime/multipart"
	"net/http"
	"time"

	"anyhook.net/desktop/capture"
)

// Dropbox Sign posts a form of several parts, with JSON in the part json. Its
// hash covers the time and the type of the event and nothing else, so that two
// events of one second may have the same.
var dropboxSign = capture.Provider{
	Name:        "dropbox-sign",
	Title:       "Dropbox Sign",
	Scheme:      dropboxSignSays + ", hex in $.event.event_hash; nothing else of the body is signed",
	Deadline:    30 * time.Second,
	Dedupe:      dropboxSignFields.dedupe(),
	Order:       dropboxSignFields.orders(),
	Retry:       capture.Retry{Times: 6},
	Setup:       "Settings → API: the account callback, or that of an API app; the secret is the API key of the account.",
	Note:        "It insists on the text Hello API Event Received in the answer; AnyHook says it where it acknowledges by itself. The body is multipart/form-data, and $ stands for the JSON in its part json.",
	Trust:       capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByHearsay},
	Sources:     []string{"npm @dropbox/sign@1.11.0"},
	Agent:       "HelloSign API",
	Body:        func(r *capture.Request) bool { return dropboxSignEvent(r.Body).at("event_hash") != nil },
	Verify:      dropboxSignVerify,
	Sign:        dropboxSignSign,
	CheckSecret: dropboxSignKeys.check,
	Events:      dropboxSignFields.eventsOf("dropbox-sign"),
	Ack: capture.Answer{
		Status: http.StatusOK,
		Fields: []capture.Field{{Name: "Content-Type", Value: "text/plain; charset=utf-8"}},
		Body:   []byte("Hello API Event Received"),
	},
}

const dropboxSignSays = "HMAC-SHA256 of event_time, event_type"

var dropboxSignKeys = keys{want: "the API key of the account"}

var dropboxSignFields = fields{
	parts: []string{
		"$.event.event_hash",
		"$.signature_request.signature_request_id|$.template.template_id|$.account.account_id",
		"$.event.event_metadata.related_signature_id",
	},
	typ:    []string{"$.event.event_type"},
	object: []string{"$.signature_request.signature_request_id|$.template.template_id|$.account.account_id"},
	at:     "$.event.event_time",
	inside: dropboxSignJSON,
}

// dropboxSignJSON returns the part json of the form, which is a part of the
// body; nil if there is none. The first line names the boundary.
func dropboxSignJSON(body []byte) []byte {
	const mostParts, mostBoundary = 16, 80
	line, _, _ := bytes.Cut(body[:min(len(body), mostBoundary)], []byte("\r\n"))
	boundary, ok := bytes.CutPrefix(line, []byte("--"))
	if !ok || len(boundary) == 0 {
		return nil
	}
	parts := multipart.NewReader(bytes.NewReader(body), string(boundary))
	for range mostParts {
		part, err := parts.NextRawPart()
		if err != nil {
			return nil
		}
		if part.FormName() != "json" {
			continue
		}
		var text bytes.Buffer
		if _, err := text.ReadFrom(part); err != nil || text.Len() == 0 {
			return nil
		}
		i := bytes.Index(body, text.Bytes())
		return body[i : i+text.Len()]
	}
	return nil
}

func dropboxSignEvent(body []byte) value { return value(dropboxSignJSON(body)).at("event") }

// dropboxSignParts returns the signature and what it covers; "" for what is not there.
func dropboxSignParts(body []byte) (hash value, text, stamp, kind string) {
	f := dropboxSignEvent(body).pick("event_hash", "event_time", "event_type")
	text, _ = f[0].text()
	stamp, _ = f[1].text()
	kind, _ = f[2].text()
	return f[0], text, stamp, kind
}

func dropboxSignVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	_, text, stamp, kind := dropboxSignParts(r.Body)
	sig, ok := unhex(text, sha256.Size)
	switch {
	case text == "":
		return refuse(secrets, capture.Missing, capture.WhyNoHeader, "$.event.event_hash")
	case !ok:
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "64 hex digits")
	case stamp == "":
		return refuse(secrets, capture.Malformed, capture.WhyNoTimestamp, "$.event")
	}
	s := claim{
		ways:  []way{{scheme: dropboxSignSays, parts: [][]byte{[]byte(stamp), []byte(kind)}}},
		keys:  dropboxSignKeys,
		match: anyMAC(sha256.New, sig),
	}.judge(secrets, now)
	s.Content = nil
	if s.Status == capture.Valid {
		s.Status = capture.Authenticated
	}
	return s
}

// dropboxSignSign renews the hash. The time is that of the event, and stays.
func dropboxSignSign(r *capture.Request, secret capture.Secret, _ time.Time) error {
	if err := dropboxSignKeys.check(secret); err != nil {
		return err
	}
	hash, _, stamp, kind := dropboxSignParts(r.Body)
	if _, ok := hash.text(); !ok || stamp == "" || kind == "" {
		return errors.New("no $.event with an event_time and an event_type, which are signed, and an event_hash")
	}
	sum := hex.EncodeToString(mac(sha256.New, secret.Reveal(), []byte(stamp), []byte(kind)))
	if hash.kind() != '"' { // a number cannot be hex digits
		sum = `"` + sum + `"`
	}
	r.Body = rewrite(r.Body, hash, sum)
	return nil
}
