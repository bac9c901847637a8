package provider

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// A payload is a *.meta.json of testdata/payloads, with its body.
type payload struct {
	Provider string
	Name     string
	Method   string
	Headers  map[string]string
	BodyFile string `json:"body_file"`
	Expect   struct {
		ID        string `json:"event_id"`
		Group     string `json:"event_group_id"`
		Type      string `json:"event_type"`
		Object    string `json:"object_id"`
		Key       string `json:"dedupe_key"`
		At        string `json:"occurred_at"`
		AtUnix    int64  `json:"occurred_at_unix"`
		Items     int
		Keys      int `json:"unique_composite_keys"`
		Attempt   any // as the provider counts: 0 is the first
		Handshake bool
		Respond   string
	}
	body []byte
}

func (p payload) request(t testing.TB) *capture.Request {
	t.Helper()
	return vector{
		Method: p.Method, URL: "https://hooks.example.com/in/" + p.Provider,
		Headers: p.Headers, Body: p.body, Now: 1796040000,
	}.request(t)
}

func loadPayloads(t testing.TB, dir string) []payload {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", dir, "*", "*.meta.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var out []payload
	for _, file := range files {
		var p payload
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &p), file)
		p.body, err = os.ReadFile(filepath.Join(filepath.Dir(file), p.BodyFile))
		require.NoError(t, err)
		out = append(out, p)
	}
	return out
}

func TestEventsAreReadFromPayloads(t *testing.T) {
	t.Parallel()
	for _, p := range loadPayloads(t, "payloads") {
		if p.Provider == "unknown" {
			continue
		}
		t.Run(p.Provider+"/"+p.Name, func(t *testing.T) {
			t.Parallel()
			events, err := row(t, p.Provider).Events(p.request(t))
			require.NoError(t, err)
			require.Len(t, events, max(p.Expect.Items, 1))
			e, w := events[0], p.Expect
			require.Equal(t, row(t, p.Provider).Dedupe == "", e.Key.Value == "", "a key is never made up")
			require.NotEmpty(t, e.Type)
			if p.Provider != "twilio" && p.Provider != "calendly" && w.ID != "" {
				require.Equal(t, capture.Key{Value: w.ID, Exact: true}, e.Key)
			}
			if w.Key != "" && w.Items == 0 {
				require.Equal(t, w.Key, e.Key.Value)
			}
			if w.Type != "" {
				require.Equal(t, w.Type, e.Type)
			}
			if w.Object != "" {
				require.Equal(t, w.Object, e.Object)
			}
			require.Equal(t, w.Group, e.Group)
			if w.At != "" {
				at, ok := parseTime(w.At)
				require.True(t, ok, w.At)
				require.Equal(t, at.UTC(), e.At)
			}
			if w.AtUnix != 0 {
				require.Equal(t, time.Unix(w.AtUnix, 0).UTC(), e.At)
			}
			if n, ok := w.Attempt.(float64); ok {
				require.Equal(t, int(n)+1, e.Try)
			}
			if w.Keys != 0 {
				require.Equal(t, w.Keys, distinct(events))
			}
		})
	}
}

func distinct(events []capture.Event) int {
	keys := map[string]bool{}
	for _, e := range events {
		keys[e.Key.Value] = true
	}
	return len(keys)
}

func event(t *testing.T, provider, name string) capture.Event {
	t.Helper()
	for _, p := range loadPayloads(t, "payloads") {
		if p.Provider == provider && p.Name == name {
			events, err := row(t, provider).Events(p.request(t))
			require.NoError(t, err)
			return events[0]
		}
	}
	t.Fatalf("no payload %s/%s", provider, name)
	return capture.Event{}
}

func TestStatesOfAMessageHaveAnOrderWithoutATime(t *testing.T) {
	t.Parallel()
	queued, sent, delivered := event(t, "twilio", "status-1-queued"), event(t, "twilio", "status-2-sent"), event(t, "twilio", "status-3-delivered")
	require.True(t, queued.Older(sent))
	require.True(t, sent.Older(delivered))
	require.False(t, delivered.Older(queued))
	require.Equal(t, queued.Object, delivered.Object)
	require.Equal(t, int64(4), event(t, "twilio", "voice-call-completed").Order, "one more than SequenceNumber, which begins at 0")
	require.Equal(t, time.Date(2026, 11, 30, 11, 59, 57, 0, time.UTC), event(t, "twilio", "voice-call-completed").At)
}

func TestEventsOfOneSecondAreNotPutInOrder(t *testing.T) {
	t.Parallel()
	gone, late := event(t, "stripe", "04-subscription-deleted"), event(t, "stripe", "05-subscription-updated-same-second-as-deleted")
	require.False(t, gone.Older(late))
	require.False(t, late.Older(gone))
	require.True(t, event(t, "stripe", "01-subscription-created").Older(gone))
}

func TestASecondSubscriptionTellsOfTheSameEvent(t *testing.T) {
	t.Parallel()
	one, two := event(t, "shopify", "orders-create"), event(t, "shopify", "orders-create-second-subscription")
	require.Equal(t, one.Group, two.Group)
	require.NotEqual(t, one.Key, two.Key)
}

func TestAnEditNamesTheMessageItEdits(t *testing.T) {
	t.Parallel()
	sent, edited := event(t, "slack", "event_callback-message"), event(t, "slack", "event_callback-message-changed")
	require.Equal(t, sent.Object, edited.Object)
	require.True(t, sent.Older(edited))
}

// If the newest event of each property wins, the order of a batch does not matter.
func TestABatchInAnyOrderHasOneEnd(t *testing.T) {
	t.Parallel()
	var expected struct {
		Final map[string]struct {
			OccurredAt int64 `json:"occurredAt"`
		}
	}
	b, err := os.ReadFile("testdata/payloads/hubspot/batch-100-shuffled.expected-final.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &expected))
	for _, p := range loadPayloads(t, "payloads") {
		if p.Name != "batch-100-shuffled" {
			continue
		}
		events, err := hubspot.Events(p.request(t))
		require.NoError(t, err)
		newest := map[string]time.Time{}
		for _, e := range events {
			part := strings.Split(e.Key.Value, "|")
			name := part[0] + "." + part[len(part)-1]
			if newest[name].Before(e.At) {
				newest[name] = e.At
			}
		}
		for name, want := range expected.Final {
			require.Equal(t, want.OccurredAt, newest[name].UnixMilli(), name)
		}
		require.True(t, slices.ContainsFunc(events, func(e capture.Event) bool { return e.Try == 3 }), "attemptNumber 2 is the third attempt")
	}
}

func TestEveryRequestIsRecognisedByItsProviderAlone(t *testing.T) {
	t.Parallel()
	takers := func(r *capture.Request) []string {
		if p := Known.Of(r); p != nil {
			return []string{p.Name}
		}
		return nil
	}
	for _, p := range loadPayloads(t, "payloads") {
		want := []string{p.Provider}
		if p.Provider == "unknown" {
			want = nil
		}
		require.Equal(t, want, takers(p.request(t)), "%s/%s", p.Provider, p.Name)

		bare := p
		bare.Headers = map[string]string{"Content-Type": p.Headers["Content-Type"]}
		if got := takers(bare.request(t)); len(got) > 0 {
			require.Equal(t, want, got, "%s/%s by its body", p.Provider, p.Name)
		}
	}
	for _, p := range loadPayloads(t, "strangers") {
		require.Empty(t, takers(p.request(t)), "%s/%s", p.Provider, p.Name)
	}
	// Those who follow Standard Webhooks are told apart by their bodies, and the vectors have one for all: that of nobody in particular.
	follows := []string{"resend", "clerk", "openai", "polar", "bigcommerce", "anthropic", "brex"}
	for _, v := range loadVectors(t) {
		switch r := v.request(t); {
		case isStandard(r, svixNames) && (v.Provider == "svix" || slices.Contains(follows, v.Provider)):
			v.Provider = "svix"
		case isStandard(r, standardNames) && (v.Provider == "svix" || slices.Contains(follows, v.Provider)):
			v.Provider = "standardwebhooks" // nothing but the standard's names
		}
		want := []string{v.Provider}
		got := takers(v.request(t))
		if len(got) == 0 && (v.Expect == "missing" || strings.Contains(v.ID, "docs-")) {
			continue // no header tells whose it is
		}
		require.Equal(t, want, got, v.ID)
	}
}

func TestABodyAloneIsRecognised(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ provider, kind, body string }{
		{"stripe", "application/json", `{"object":"event","id":"evt_1","type":"x"}`},
		{"stripe", "application/json", `{"id":"evt_1","object":"v2.core.event"}`},
		{"hubspot", "application/json", `[{"subscriptionType":"contact.creation","occurredAt":1,"portalId":2,"objectId":3}]`},
		{"calendly", "application/json", `{"event":"invitee.created","payload":{"uri":"https://api.calendly.com/x"}}`},
		{"twilio", "application/x-www-form-urlencoded", `From=1&AccountSid=AC00`},
		{"slack", "application/json", `{"type":"event_callback","event_id":"Ev1"}`},
		{"", "application/json", `{"object":"event","id":"other_1"}`},
		{"", "application/json", `[[[[[`},
		{"", "application/json", `{"object":`},
		{"", "application/json", strings.Repeat(" ", 64<<10) + `{"object":"event","id":"evt_1","type":"x"}`},
	} {
		r := vector{Method: http.MethodPost, URL: "https://h.example/", Headers: map[string]string{"Content-Type": test.kind}, Body: []byte(test.body)}.request(t)
		got := ""
		if p := Known.Of(r); p != nil {
			got = p.Name
		}
		require.Equal(t, test.provider, got, test.body)
		r.Header.Set("X-Acme-Signature", "1")
		require.Nil(t, Known.Of(r), "another provider's header speaks louder")
	}
}

func TestForgesThatImitateGitHubAreNotGitHub(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"X-Gitea-Event", "X-Forgejo-Event", "X-Gogs-Event"} {
		r := vector{Method: http.MethodPost, URL: "https://h.example/", Headers: map[string]string{
			name: "push", "X-GitHub-Event": "push", "X-GitHub-Delivery": "1", "X-Hub-Signature-256": "sha256=00",
		}}.request(t)
		require.Nil(t, Known.Of(r), name)
	}
}

func TestSlackGetsItsChallengeBack(t *testing.T) {
	t.Parallel()
	for _, p := range loadPayloads(t, "payloads") {
		if p.Provider != "slack" {
			continue
		}
		answer, ok := slack.Handshake(p.request(t), nil)
		require.Equal(t, p.Expect.Handshake, ok, p.Name)
		if ok {
			require.Equal(t, http.StatusOK, answer.Status)
			require.Equal(t, p.Expect.Respond, string(answer.Body))
			require.Contains(t, answer.Fields, capture.Field{Name: "Content-Type", Value: "text/plain; charset=utf-8"})
		}
	}
	for _, body := range []string{
		``, `{}`, `[]`, `{"type":"url_verification"}`, `{"type":"url_verification","challenge":""}`,
		`{"type":"url_verification","challenge":{"a":1}}`, `{"type":"event_callback","challenge":"x"}`,
		`{"type":"url_verification","challenge":"` + strings.Repeat("x", maxText+1) + `"}`,
	} {
		_, ok := slack.Handshake(&capture.Request{Method: http.MethodPost, Body: []byte(body), Header: http.Header{}}, nil)
		require.False(t, ok, body)
	}
}
