package provider

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Adyen signs eight fields of each item inside the body, with a key in hex;
// the webhooks of its platforms are signed in a header, over the body. A
// classic webhook wants the text [accepted].
var adyen = capture.Provider{
	Name:     "adyen",
	Title:    "Adyen",
	Scheme:   "HMAC-SHA256 of eight fields, base64 in additionalData.hmacSignature of each item; of platforms: of the body, in HmacSignature",
	Deadline: 10 * time.Second,
	Dedupe:   adyenItems.dedupe(),
	Order:    adyenItems.orders(),
	Retry: capture.Retry{Within: 30 * 24 * time.Hour, After: []time.Duration{
		9 * time.Second, 9 * time.Second, 9 * time.Second, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute,
		15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
	}},
	Setup: "Customer Area → Developers → Webhooks → Create new webhook → Standard; generate the HMAC key there: it is shown once.",
	Note:  "Eight fields are protected and no others: not eventDate, not reason. Every item of a request has to fit. While one fails, those behind it wait.",
	Trust: capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByDocs},
	Sources: []string{
		"npm @adyen/api-library@32.1.0 hmacValidator",
		"https://docs.adyen.com/development-resources/webhooks/troubleshoot",
		"https://docs.adyen.com/development-resources/webhooks/handle-webhook-events",
	},
	Marks:       []string{adyenHeader},
	Agent:       "Adyen",
	Members:     []string{"notificationItems"},
	Body:        func(r *capture.Request) bool { return value(r.Body).at("notificationItems").kind() == '[' },
	Verify:      adyenVerify,
	Sign:        adyenSign,
	CheckSecret: adyenPlatform.keys.check,
	Events:      adyenEvents,
	Batch:       adyenItems.batchOf().parts,
	Join:        adyenItems.batchOf().join,
	Ack: capture.Answer{
		Status: http.StatusOK,
		Fields: []capture.Field{{Name: "Content-Type", Value: "text/plain"}},
		Body:   []byte("[accepted]"),
	},
}

const (
	adyenHeader = "Hmacsignature"
	adyenSays   = "HMAC-SHA256 of eight fields of each item"
	adyenPlace  = "additionalData.hmacSignature"
)

var adyenPlatform = scheme{
	header: adyenHeader,
	form:   alone("", base64std),
	key:    unhexKey,
	keys: keys{
		want:   "the HMAC key of the webhook, 64 hex digits",
		usable: func(secret string) bool { return len(unhexKey(secret)) > 0 },
	},
}

var (
	adyenItems = fields{
		each:   "$.notificationItems",
		parts:  []string{"@.NotificationRequestItem.pspReference", "@.NotificationRequestItem.eventCode", "@.NotificationRequestItem.success"},
		typ:    []string{"@.NotificationRequestItem.eventCode"},
		object: []string{"@.NotificationRequestItem.originalReference|@.NotificationRequestItem.pspReference"},
		at:     "@.NotificationRequestItem.eventDate",
	}
	adyenPlatforms = fields{
		parts:  []string{"$.data.id", "$.type", "$.timestamp"},
		typ:    []string{"$.type"},
		object: []string{"$.data.id"},
		at:     "$.timestamp",
	}
)

func adyenEvents(r *capture.Request) ([]capture.Event, error) {
	if adyenClassic(r) {
		return adyenItems.eventsOf("adyen")(r)
	}
	return adyenPlatforms.eventsOf("adyen")(r)
}

func adyenClassic(r *capture.Request) bool { return value(r.Body).at("notificationItems") != nil }

// An adyenItem is what of an item is signed, and its signature.
type adyenItem struct {
	content []byte
	place   value
}

// adyenMost is how many items are read; Adyen sends one, or a few.
const adyenMost = 1000

// adyenRead reads the items, one more than adyenMost if there are too many.
func adyenRead(r *capture.Request) []adyenItem {
	var out []adyenItem
	for v := range value(r.Body).at("notificationItems").elements() {
		if len(out) > adyenMost {
			break
		}
		item := v.at("NotificationRequestItem")
		f := item.pick("pspReference", "originalReference", "merchantAccountCode", "merchantReference", "amount", "eventCode", "success", "additionalData")
		amount := f[4].pick("value", "currency")
		var texts []string
		for _, p := range []value{f[0], f[1], f[2], f[3], amount[0], amount[1], f[5], f[6]} {
			text, ok := p.text()
			if !ok && (p.kind() == 't' || p.kind() == 'f') {
				text = string(p)
			}
			texts = append(texts, text)
		}
		out = append(out, adyenItem{[]byte(strings.Join(texts, ":")), f[7].at("hmacSignature")})
	}
	return out
}

func adyenVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	if !adyenClassic(r) {
		return adyenPlatform.verify(r, secrets, now)
	}
	items := adyenRead(r)
	if len(items) > adyenMost {
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "at most 1000 notificationItems")
	}
	var sigs [][]byte
	w := way{scheme: adyenSays}
	for _, item := range items {
		text, _ := item.place.text()
		sig, err := base64.StdEncoding.Strict().DecodeString(text)
		switch {
		case text == "":
			return refuse(secrets, capture.Missing, capture.WhyNoHeader, adyenPlace)
		case err != nil || len(sig) != sha256.Size:
			return refuse(secrets, capture.Malformed, capture.WhyBadShape, adyenPlace+": 44 characters of base64")
		}
		sigs = append(sigs, sig)
		w.parts = append(w.parts, item.content)
	}
	if len(items) == 0 {
		return refuse(secrets, capture.Missing, capture.WhyNoHeader, adyenPlace)
	}
	return claim{ways: []way{w}, keys: adyenPlatform.keys, match: func(secret string, parts [][]byte) bool {
		key := unhexKey(secret)
		for i, part := range parts {
			if len(key) == 0 || i >= len(sigs) || !hmac.Equal(sigs[i], mac(sha256.New, string(key), part)) {
				return false
			}
		}
		return true
	}}.judge(secrets, now)
}

func adyenSign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if !adyenClassic(r) {
		return adyenPlatform.sign(r, secret, now)
	}
	if err := adyenPlatform.keys.check(secret); err != nil {
		return err
	}
	key, items := string(unhexKey(secret.Reveal())), adyenRead(r)
	if len(items) == 0 || len(items) > adyenMost {
		return errors.New("no notificationItems, or more than can be signed")
	}
	var signed []byte
	done := 0
	for _, item := range items {
		if item.place.kind() != '"' {
			return errors.New("no " + adyenPlace + " to put the signature into")
		}
		start := cap(r.Body) - cap(item.place)
		signed = append(signed, r.Body[done:start]...)
		signed = append(signed, strconv.Quote(base64.StdEncoding.EncodeToString(mac(sha256.New, key, item.content)))...)
		done = start + len(item.place)
	}
	r.Body = append(signed, r.Body[done:]...)
	return nil
}
