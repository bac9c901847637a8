package story

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// Endpoints implements view.Desk.
func (d *Desk) Endpoints(context.Context) ([]capture.Endpoint, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.endpoints), nil
}

// SaveEndpoint implements view.Desk.
func (d *Desk) SaveEndpoint(_ context.Context, old string, e capture.Endpoint) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.IndexFunc(d.endpoints, func(o capture.Endpoint) bool { return o.Name == old }); i >= 0 && old != "" {
		d.endpoints[i] = e
	} else {
		d.endpoints = append(d.endpoints, e)
	}
	d.ring()
	return nil
}

// DeleteEndpoint implements view.Desk.
func (d *Desk) DeleteEndpoint(_ context.Context, name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.endpoints = slices.DeleteFunc(d.endpoints, func(e capture.Endpoint) bool { return e.Name == name })
	d.ring()
	return nil
}

// Listening implements view.Listener.
func (d *Desk) Listening(_ context.Context, target string) bool {
	return d.Dial != nil && d.Dial(target)
}

// OpenPorts implements view.Desk.
func (d *Desk) OpenPorts(context.Context) []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.Ports)
}

// Setting implements view.Desk.
func (d *Desk) Setting(_ context.Context, key string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.settings[key], nil
}

// SetSetting implements view.Desk.
func (d *Desk) SetSetting(_ context.Context, key, value string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settings[key] = value
	return nil
}

// Providers implements view.Desk.
func (d *Desk) Providers() []capture.Provider { return providers }

func sign(r *capture.Request, _ capture.Secret, now time.Time) error {
	r.SetHeader("X-Signed", now.String())
	return nil
}

var providers = []capture.Provider{
	{Name: "calendly", Title: "Calendly", Scheme: "HMAC-SHA256 of t.body, hex", Header: "Calendly-Webhook-Signature", Tolerance: 3 * time.Minute, Dedupe: "$.payload.uri + $.event", Sign: sign},
	{Name: "github", Title: "GitHub", Scheme: "HMAC-SHA256 of the body, hex", Header: "X-Hub-Signature-256", Deadline: 10 * time.Second, Dedupe: "X-GitHub-Delivery", Sign: sign},
	{Name: "hubspot", Title: "HubSpot", Scheme: "HMAC-SHA256 of method, URL, body and time, base64", Header: "X-HubSpot-Signature-v3", Tolerance: 5 * time.Minute, Deadline: 5 * time.Second, Dedupe: "objectId + subscriptionType + propertyName + occurredAt", Sign: sign},
	{Name: "shopify", Title: "Shopify", Scheme: "HMAC-SHA256 of the body, base64", Header: "X-Shopify-Hmac-Sha256", Deadline: 5 * time.Second, Dedupe: "X-Shopify-Webhook-Id + topic", Sign: sign},
	{Name: "slack", Title: "Slack", Scheme: "HMAC-SHA256 of v0:t:body, hex", Header: "X-Slack-Signature", Tolerance: 5 * time.Minute, Deadline: 3 * time.Second, Dedupe: "$.event_id", Sign: sign},
	{Name: "stripe", Title: "Stripe", Scheme: "HMAC-SHA256 of t.body, hex", Header: "Stripe-Signature", Tolerance: 5 * time.Minute, Dedupe: "$.id", Sign: sign},
	{Name: "twilio", Title: "Twilio", Scheme: "HMAC-SHA1 of URL and form fields, base64", Header: "X-Twilio-Signature", Deadline: 15 * time.Second, Dedupe: "MessageSid + MessageStatus", Sign: sign},
}

// Replay implements view.Desk: one send after the other, to a handler that answers 200 unless Answer says otherwise.
func (d *Desk) Replay(ctx context.Context, s replay.Scenario, target string, progress func(replay.Run)) (replay.Run, error) {
	d.mu.Lock()
	d.sent = append(d.sent, s)
	d.mu.Unlock()
	run := replay.Run{ID: "run_1", Scenario: s, Target: target, Start: d.Now()}
	for _, w := range s.Waves {
		for _, send := range w {
			if d.Hold != nil {
				d.Hold(ctx)
			}
			if ctx.Err() != nil {
				run.Skipped = s.Sends() - run.Sent
				run.End = d.Now()
				return run, ctx.Err()
			}
			if d.send(send) {
				run.OK++
			} else {
				run.Failed++
			}
			run.Sent++
			progress(run)
		}
		if len(w) > 1 {
			run.Spread = append(run.Spread, 312*time.Microsecond)
		}
	}
	run.End, run.Practice = d.Now(), d.Practised
	return run, nil
}

// send records one attempt, and reports whether the handler took it.
func (d *Desk) send(s replay.Send) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.requests, func(r *capture.Request) bool { return r.ID == s.Request })
	if i < 0 {
		return false
	}
	o := replay.Outcome{Status: 200, Head: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"), Body: []byte(`{"received":true}`), BodySize: 17, Timing: replay.Timing{Dial: 210 * time.Microsecond, Written: 300 * time.Microsecond, FirstByte: 3 * time.Millisecond, Done: 3140 * time.Microsecond}}
	if d.Answer != nil {
		o = d.Answer(s)
	}
	all := d.attempts[s.Request]
	a := replay.Attempt{ID: int64(len(all) + 1), Request: s.Request, Seq: d.requests[i].Seq, N: len(all) + 1, Run: "run_1", Replay: true, Signing: s.Signing, Target: "http://localhost:3000/webhooks", Start: d.Now(), Took: 3140 * time.Microsecond, Outcome: o}
	d.attempts[s.Request] = append(all, a)
	st := &d.standings[i]
	st.Attempts++
	st.Replays++
	st.Status, st.Failure = o.Status, o.Failure
	d.ring()
	return o.OK()
}

// SendSample implements view.Desk.
func (d *Desk) SendSample(_ context.Context, provider, sample string) error {
	r := &capture.Request{
		Kind: capture.Delivery, Endpoint: "default", At: d.Now(), URL: "http://127.0.0.1:4080/", Method: "POST", Provider: provider, Answered: 200,
		Head: capture.NewHead("POST", "/", capture.Field{Name: "Content-Type", Value: "application/json"}), Body: []byte(`{"type":"` + sample + `"}`),
		Signature: capture.Signature{Status: capture.Valid, At: d.Now()}, Events: []capture.Event{{Type: sample, Object: "obj_1", Seen: 1}},
	}
	d.Add(r, replay.Standing{Progress: replay.Delivered, Attempts: 1, Tries: 1, Status: 200})
	return nil
}

// Samples implements view.Desk.
func (d *Desk) Samples(provider string) []string {
	return map[string][]string{
		"stripe": {"invoice.paid", "customer.subscription.updated", "charge.refunded"}, "github": {"ping", "push", "issues.opened"},
		"hubspot": {"batch of 3", "batch of 100"}, "slack": {"app_mention"}, "shopify": {"orders/create"}, "calendly": {"invitee.created"}, "twilio": {"message.delivered"},
	}[provider]
}

// Practice implements view.Desk.
func (d *Desk) Practice(_ context.Context, on bool) error {
	d.Set(func(s *view.Status) {
		s.Practice = ""
		if on {
			s.Practice = "http://127.0.0.1:4999"
		}
	})
	return nil
}

// Pause implements view.Desk.
func (d *Desk) Pause(on bool) { d.Set(func(s *view.Status) { s.Paused = on }) }

// Connect implements view.Desk.
func (d *Desk) Connect(_ context.Context, c view.TunnelChoice) error {
	d.Set(func(s *view.Status) { s.HasToken = s.HasToken || c.Token != ""; c.Token = ""; s.Choice = c })
	return nil
}

// TestURL implements view.Desk.
func (d *Desk) TestURL(ctx context.Context) error {
	if d.Hold != nil {
		d.Hold(ctx)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls["TestURL"]++
	return d.Unreached
}

// RetryTunnel implements view.Desk.
func (d *Desk) RetryTunnel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls["RetryTunnel"]++
}

// Export implements view.Desk: a file for each request, which says that it is one.
func (d *Desk) Export(_ context.Context, dir, format string, _ bool, ids []capture.ID) ([]string, error) {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = filepath.Join(dir, string(id)+"."+format)
		if err := os.WriteFile(names[i], []byte("# "+format+" of "+string(id)+"\n"), 0o600); err != nil {
			return names[:i], err
		}
	}
	return names, nil
}

// Import implements view.Desk.
func (d *Desk) Import(_ context.Context, paths []string) (int, error) {
	if len(paths) == 0 {
		return 0, errors.New("nothing chosen")
	}
	return len(paths), nil
}
