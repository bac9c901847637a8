package provider

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"slices"
	"testing"

	"anyhook.net/desktop/capture"
)

// A specimen is a request to be signed, and secrets that its provider could have made.
type specimen struct {
	name     string
	provider string
	method   string
	url      string
	headers  map[string]string
	body     string
	secret   capture.Secret
	other    capture.Secret
	extra    specimenExtra
}

// A specimenExtra is where a sender is not like most.
type specimenExtra struct {
	token   bool     // it shows a token: nothing of the body is covered
	partial bool     // some of the body is not covered
	stamped bool     // the time is in the body
	many    bool     // its header may come several times
	expires bool     // the token says when it ends
	ours    []string // further headers that signing renews
}

// good is the status of what its secret signed.
func (s specimen) good() capture.Status {
	if s.extra.token {
		return capture.Authenticated
	}
	return capture.Valid
}

func (s specimen) request(t testing.TB) *capture.Request {
	t.Helper()
	return vector{Method: s.method, URL: s.url, Headers: s.headers, Body: []byte(s.body), Now: noon.Unix()}.request(t)
}

func specimens() []specimen {
	const (
		post   = http.MethodPost
		hook   = "https://hooks.example.com/in/x?tenant=7&q=O'Neil"
		form   = "application/x-www-form-urlencoded"
		object = `{"id":"evt_1","object":"event","type":"a.b","created":1796040000,"data":{"object":{"id":"o_1"}}}`
		whsec  = capture.Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
		whsec2 = capture.Secret("whsec_CzBVep/E6Q4zWH2ix+wRNluApcrvFDle")
	)
	pair := func(b byte) capture.Secret {
		key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, ed25519.SeedSize))
		return capture.Secret("whsk_" + base64.StdEncoding.EncodeToString(key))
	}
	type h = map[string]string
	return append(slices.Concat(moreSpecimens(), messagingSpecimens(), paymentsSpecimens(), toolsSpecimens(), platformSpecimens()), []specimen{
		{"snapshot", "stripe", post, hook, nil, object, "whsec_one", "whsec_two", none},
		{"json", "github", post, hook, h{"X-GitHub-Event": "push"}, object, "one", "two", none},
		{"form", "github", post, hook, h{"X-GitHub-Event": "push", "Content-Type": form}, "payload=%7B%7D", "one", "two", none},
		{"classic", "shopify", post, hook, h{"X-Shopify-Topic": "orders/create"}, object, "one", "two", none},
		{"events", "shopify", post, hook, h{"shopify-topic": "orders", "shopify-hmac-sha256": "x"}, object, "one", "two", none},
		{"v3", "hubspot", post, hook, nil, "[" + object + "]", "one", "two", none},
		{"invitee", "calendly", post, hook, nil, object, "one", "two", none},
		{"form", "twilio", post, hook, h{"Content-Type": form}, "B=2&A=1+%F0%9F%8E%89&MessageSid=SM1", "one", "two", none},
		{"json", "twilio", post, hook, h{"Content-Type": "application/json"}, object, "one", "two", none},
		{"shared key", "twilio", post, hook, h{"Content-Type": form, twilioSettings: "key=k,algorithm=HMAC_SHA256"}, "B=2&A=1", "one", "two", none},
		{"port", "twilio", post, "https://hooks.example.com:443/in/x", h{"Content-Type": form}, "B=2&A=1", "one", "two", none},
		{"event", "slack", post, hook, nil, object, "one", "two", none},
		{"v1", "standardwebhooks", post, hook, h{"webhook-id": "msg_1"}, object, whsec, whsec2, none},
		{"v1a", "standardwebhooks", post, hook, h{"webhook-id": "msg_1"}, object, pair(1), pair(2), none},
		{"own names", "svix", post, hook, h{"svix-id": "msg_1"}, object, whsec, whsec2, none},
		{"standard names", "svix", post, hook, h{"webhook-id": "msg_1"}, object, whsec, whsec2, none},
	}...)
}

var none specimenExtra

// moreSpecimens are those of the rows that are described by a scheme alone.
func moreSpecimens() []specimen {
	const (
		post = http.MethodPost
		hook = "https://hooks.example.com/in/x"
	)
	type h = map[string]string
	return []specimen{
		{"issue", "linear", post, hook, h{"Linear-Event": "Issue"}, `{"type":"Issue","webhookTimestamp":1796040000000}`, "one", "two", specimenExtra{stamped: true}},
	}
}
