package story

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/tunnel"
)

const (
	public = "https://quiet-otter.ngrok-free.app"
	target = "http://localhost:3000/webhooks"
)

// Day returns a desk after a day of work, as of now.
func Day(now func() time.Time) *Desk {
	d := New(now)
	d.endpoints = []capture.Endpoint{
		{Name: "stripe", Path: "/stripe", Provider: "stripe", Secrets: []capture.Secret{"whsec_one", "whsec_two"}, Target: target},
		{Name: "github", Path: "/github", Provider: "github", Secrets: []capture.Secret{"s"}, Target: "http://localhost:3000/github"},
		{Name: "crm", Path: "/hubspot", Provider: "hubspot", Secrets: []capture.Secret{"s"}, Target: "http://localhost:8080/crm", Reply: capture.Wait},
		{Name: "default", Path: "/", Target: ""},
	}
	t := now()
	d.status.Tunnel = tunnel.State{Backend: "ngrok", Phase: tunnel.Online, URL: public, Since: t.Add(-3 * time.Hour), Latency: 38 * time.Millisecond}
	d.status.Choice, d.status.HasToken, d.status.PublicURL = view.TunnelChoice{Kind: "ngrok"}, true, public
	d.status.FileSize, d.status.Waiting, d.status.Failing = 18_400_000, 2, 1
	d.status.Targets = []view.TargetStatus{
		{Endpoint: "stripe", Target: target, Listening: true, Since: t.Add(-time.Hour)},
		{Endpoint: "github", Target: "http://localhost:3000/github", Listening: true, Since: t.Add(-time.Hour)},
		{Endpoint: "crm", Target: "http://localhost:8080/crm", Since: t.Add(-4 * time.Minute), Failures: 3},
		{Endpoint: "default"},
	}
	d.fill(t)
	d.play(t)
	d.status.Requests = capture.Seq(len(d.requests))
	return d
}

// fill adds the day's requests, oldest first.
func (d *Desk) fill(t time.Time) {
	for i := range 26 {
		d.quiet(t.Add(-time.Duration(190-i*6)*time.Minute), i)
	}
	stripe := func(ago time.Duration, typ, object string, body string) *capture.Request {
		return request("stripe", "/stripe", t.Add(-ago), typ, object, body)
	}
	d.Add(handshake(t.Add(-26*time.Minute)), replay.Standing{Progress: replay.Kept})
	d.Add(stripe(22*time.Minute, "customer.subscription.deleted", "sub_1Qk8WzB7", subscription("canceled")), ok(), live(t.Add(-22*time.Minute)))
	late := stripe(21*time.Minute, "customer.subscription.updated", "sub_1Qk8WzB7", subscription("active"))
	late.Events[0].Late = true
	d.Add(late, ok(), live(t.Add(-21*time.Minute)))
	bad := request("github", "/github", t.Add(-15*time.Minute), "push", "octo-org/storefront", `{"ref":"refs/heads/main"}`)
	bad.Signature = capture.Signature{Status: capture.Invalid, Why: capture.WhyNoMatch, Detail: "HMAC-SHA256 of the body", Scheme: "HMAC-SHA256 of the body, hex"}
	bad.Answered = http.StatusUnauthorized
	d.Add(bad, replay.Standing{Progress: replay.Kept})
	d.Add(browser(t.Add(-13*time.Minute)), replay.Standing{Progress: replay.Kept})
	batch := request("hubspot", "/hubspot", t.Add(-9*time.Minute), "deal.propertyChange", "deal 9981724", `[{"objectId":9981724,"subscriptionType":"deal.propertyChange"}]`)
	batch.Endpoint = "crm"
	for i := range 86 {
		batch.Events = append(batch.Events, capture.Event{Type: "deal.propertyChange", Object: fmt.Sprintf("deal %d", 9981725+i), At: batch.At.Add(-time.Duration(i) * time.Second), Seen: 1 + i%7/6, Late: i%11 == 5, Key: capture.Key{Value: fmt.Sprintf("%d·dealstage", 9981725+i)}})
	}
	d.Add(batch, replay.Standing{Progress: replay.Retrying, Tries: 3, Attempts: 3, Failure: replay.Timeout, Due: t.Add(94 * time.Second)},
		failed(t.Add(-9*time.Minute), replay.Refused), failed(t.Add(-8*time.Minute), replay.Timeout), failed(t.Add(-4*time.Minute), replay.Timeout))
	d.Add(request("shopify", "/shopify", t.Add(-6*time.Minute), "orders/create", "order 820982911946154508", `{"id":820982911946154508,"total_price":"403.00"}`), replay.Standing{Progress: replay.Queued})
	d.Add(&capture.Request{Kind: capture.Stray, At: t.Add(-5 * time.Minute), Head: []byte("\x16\x03\x01\x02"), Body: []byte{}, Note: "TLS spoken to a plain HTTP port"}, replay.Standing{Progress: replay.Kept})
	invoice := stripe(3*time.Minute, "invoice.paid", "in_1QkAvYB7kZ2m", invoiceBody)
	d.Add(invoice, replay.Standing{Progress: replay.Delivered, Tries: 2, Attempts: 3, Replays: 1, Status: 200},
		failed(t.Add(-3*time.Minute), replay.Refused), live(t.Add(-2*time.Minute)), again(t.Add(-time.Minute), 200))
	second := stripe(2*time.Minute, "invoice.paid", "in_1QkAvYB7kZ2m", invoiceBody)
	second.Events[0].Seen = 2
	d.Add(second, replay.Standing{Progress: replay.GaveUp, Tries: 1, Attempts: 1, Status: 409},
		answered(t.Add(-2*time.Minute), 409, `{"error":"event evt_1QkAvYB7 was processed already"}`))
	d.Add(request("slack", "/slack", t.Add(-40*time.Second), "app_mention", "C024BE91L", `{"type":"event_callback"}`), replay.Standing{Progress: replay.Queued})
	d.Add(stripe(4*time.Second, "payment_intent.succeeded", "pi_3QkB0aB7kZ2m", `{"id":"evt_3QkB0a"}`), ok(), live(t.Add(-4*time.Second)))
}

func (d *Desk) quiet(at time.Time, i int) {
	kinds := []struct{ provider, path, typ, object string }{
		{"stripe", "/stripe", "charge.succeeded", "ch_3Qk%03dB7kZ2m"},
		{"github", "/github", "issues.opened", "octo-org/storefront#%d"},
		{"calendly", "/calendly", "invitee.created", "scheduled_events/%03d"},
		{"twilio", "/twilio", "message.delivered", "SM%03df0c2"},
	}
	k := kinds[i%len(kinds)]
	d.Add(request(k.provider, k.path, at, k.typ, fmt.Sprintf(k.object, 100+i), `{"n":1}`), ok(), live(at))
}

func request(provider, path string, at time.Time, typ, object, body string) *capture.Request {
	endpoint := "default"
	if provider == "stripe" || provider == "github" {
		endpoint = provider
	}
	head := capture.NewHead("POST", path,
		capture.Field{Name: "Host", Value: strings.TrimPrefix(public, "https://")},
		capture.Field{Name: "User-Agent", Value: strings.ToUpper(provider[:1]) + provider[1:] + "/1.0"},
		capture.Field{Name: "Content-Length", Value: fmt.Sprint(len(body))},
		capture.Field{Name: "content-type", Value: "application/json; charset=utf-8"},
		capture.Field{Name: "X-Signature", Value: "t=1764547200,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"},
		capture.Field{Name: "X-Forwarded-For", Value: "54.187.174.169"},
		capture.Field{Name: "X-Forwarded-Proto", Value: "https"})
	return &capture.Request{
		Kind: capture.Delivery, Endpoint: endpoint, At: at, Peer: "54.187.174.169", URL: public + path, Head: head, Body: []byte(body), Method: "POST", Provider: provider, Answered: 200,
		Signature: capture.Signature{Status: capture.Valid, Scheme: "HMAC-SHA256 of t.body, hex", Secret: 1, At: at.Add(-2 * time.Second)},
		Events:    []capture.Event{{Type: typ, Object: object, At: at.Add(-3 * time.Second), Seen: 1, Key: capture.Key{Value: "evt_1QkAvYB7", Exact: true}}},
	}
}

func handshake(at time.Time) *capture.Request {
	r := request("slack", "/slack", at, "url_verification", "", `{"challenge":"x"}`)
	r.Kind = capture.Handshake
	return r
}

func browser(at time.Time) *capture.Request {
	return &capture.Request{Kind: capture.Other, Endpoint: "default", At: at, Peer: "203.0.113.9", URL: public + "/favicon.ico", Method: "GET", Answered: 200, Head: capture.NewHead("GET", "/favicon.ico"), Body: []byte{}, Signature: capture.Signature{Status: capture.Unchecked}}
}

func ok() replay.Standing {
	return replay.Standing{Progress: replay.Delivered, Tries: 1, Attempts: 1, Status: 200}
}

func live(at time.Time) replay.Attempt {
	return answered(at, 200, `{"received":true}`)
}

func answered(at time.Time, status int, body string) replay.Attempt {
	return replay.Attempt{Target: target, Start: at, Took: 41200 * time.Microsecond, Outcome: replay.Outcome{
		Status: status, Head: fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nX-Powered-By: Express\r\n\r\n", status, http.StatusText(status)),
		Body: []byte(body), BodySize: int64(len(body)),
		Timing: replay.Timing{Dial: 400 * time.Microsecond, Written: 900 * time.Microsecond, FirstByte: 40 * time.Millisecond, Done: 41200 * time.Microsecond},
	}}
}

func again(at time.Time, status int) replay.Attempt {
	a := answered(at, status, `{"received":true,"charged":false,"why":"evt_1QkAvYB7 was processed already"}`)
	a.Replay, a.Signing, a.Run = true, replay.Fresh, "run_1"
	return a
}

func failed(at time.Time, f replay.Failure) replay.Attempt {
	a := replay.Attempt{Target: target, Start: at, Took: 600 * time.Microsecond, Outcome: replay.Outcome{Failure: f, Phase: replay.Dialing, Detail: "dial tcp 127.0.0.1:3000: connect: connection refused"}}
	if f == replay.Timeout {
		a.Took, a.Outcome.Phase, a.Outcome.Detail = 30*time.Second, replay.Waiting, ""
		a.Outcome.Timing = replay.Timing{Dial: 400 * time.Microsecond, Written: 900 * time.Microsecond}
	}
	return a
}

func subscription(status string) string {
	return fmt.Sprintf(`{"id":"evt_1Qk8","type":"customer.subscription.updated","data":{"object":{"id":"sub_1Qk8WzB7","status":%q}}}`, status)
}

var invoiceBody = string(bytes.TrimSpace([]byte(`
{"id":"evt_1QkAvYB7","object":"event","api_version":"2026-02-25.clover","created":1764547197,"livemode":false,"type":"invoice.paid","data":{"object":{"id":"in_1QkAvYB7kZ2m","object":"invoice","amount_paid":4200,"currency":"twd","customer":"cus_S0mE1","customer_name":"陳小明","lines":{"data":[{"id":"il_1","amount":4200,"description":"改期 01:00 カレンダー 한국어 😀 é"}],"has_more":false},"number":1152921506151679042,"tax":1.0,"status":"paid"}},"pending_webhooks":1,"request":{"id":"req_8xkN","idempotency_key":"0c3c0a7e-6f0f-4f8e-9c06-f0f4c58a7d11"}}
`)))
