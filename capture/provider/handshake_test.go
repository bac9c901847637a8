package provider

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// handshakes returns the exchanges of testdata/handshakes.json.
func handshakes(t testing.TB) map[string]exchange {
	t.Helper()
	var all []exchange
	b, err := os.ReadFile("testdata/handshakes.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &all))
	out := map[string]exchange{}
	for _, e := range all {
		out[e.ID] = e
	}
	return out
}

// An exchange is a set-up check and its answer.
type exchange struct {
	ID       string
	Provider string
	Secret   string
	Request  struct {
		Method  string
		Query   string
		Headers map[string]string
		Body    string
	}
	Response struct {
		Status  int
		Headers map[string]string
		Body    string
		JSON    json.RawMessage
	}
}

// request returns the check; body is for those of which the data have a sketch alone.
func (e exchange) request(t testing.TB, body string) *capture.Request {
	t.Helper()
	if body == "" {
		body = e.Request.Body
	}
	u := "https://hooks.example.com/in/" + e.Provider
	if e.Request.Query != "" {
		u += "?" + e.Request.Query
	}
	return vector{Method: e.Request.Method, URL: u, Headers: e.Request.Headers, Body: []byte(body), Now: noon.Unix()}.request(t)
}

// answer lets a provider answer as the capture does: after it verified.
func answer(t testing.TB, name string, r *capture.Request, secrets ...capture.Secret) (capture.Answer, bool) {
	t.Helper()
	p := row(t, name)
	r.Signature = p.Verify(r, secrets, noon)
	return p.Handshake(r, secrets)
}

// requireAnswer compares an answer with that of an exchange.
func (e exchange) requireAnswer(t testing.TB, a capture.Answer) {
	t.Helper()
	require.Equal(t, e.Response.Status, a.Status, e.ID)
	if len(e.Response.JSON) > 0 {
		require.JSONEq(t, string(e.Response.JSON), string(a.Body), e.ID)
	} else {
		require.Equal(t, e.Response.Body, string(a.Body), e.ID)
	}
	for name, want := range e.Response.Headers {
		if name == "Content-Length" {
			continue // net/http's own
		}
		got := ""
		for _, f := range a.Fields {
			if strings.EqualFold(f.Name, name) {
				got = f.Value
			}
		}
		require.True(t, strings.HasPrefix(got, want), "%s: %s is %q", e.ID, name, got)
	}
}

func TestSetUpChecksOfMessagingAreAnswered(t *testing.T) {
	t.Parallel()
	all := handshakes(t)
	for id, test := range map[string]struct {
		body    string
		headers []string
		secret  capture.Secret
	}{
		"slack-url-verification": {secret: "slack-secret"},
		"meta-hub-challenge":     {secret: "meatyhamhock"},
		"zoom-url-validation":    {secret: "zoom-secret"},
		"x-crc":                  {secret: "x-consumer-secret"},
		"discord-ping":           {body: `{"application_id":"1","id":"2","token":"t","type":1,"version":1}`},
		"discord-event-ping":     {body: `{"version":1,"application_id":"1","type":0}`},
		"twitch-challenge":       {body: `{"challenge":"pogchamp-1","subscription":{"id":"s"}}`},
		"line-verify":            {body: `{"destination":"U0","events":[]}`},
		"mandrill-head":          {secret: "mandrill-key"},
	} {
		e, ok := all[id]
		require.True(t, ok, id)
		r := e.request(t, test.body)
		var secrets []capture.Secret
		if test.secret != "" {
			secrets = []capture.Secret{test.secret}
		}
		a, ok := answer(t, e.Provider, r, secrets...)
		require.True(t, ok, id)
		if len(r.Body) > 0 && test.secret != "" {
			require.Equal(t, capture.Valid, r.Signature.Status, id)
		}
		e.requireAnswer(t, a)
	}
}

func TestWhatIsNoSetUpCheckIsNotAnswered(t *testing.T) {
	t.Parallel()
	get := func(query string) *capture.Request {
		return &capture.Request{Method: http.MethodGet, URL: "https://h.example/in?" + query, Header: http.Header{}}
	}
	for _, test := range []struct {
		provider string
		r        *capture.Request
	}{
		{"discord", posted(`{"version":1,"application_id":"1","type":1,"event":{"type":"A"}}`)},
		{"discord", posted(`{"type":1}`)},
		{"discord", posted(`{"application_id":"1","type":2}`)},
		{"zoom", posted(`{"event":"meeting.started","payload":{"plainToken":"a"}}`)},
		{"zoom", posted(`{"event":"endpoint.url_validation","payload":{"plainToken":"v0:1796040000:{}"}}`)},
		{"zoom", posted(`{"event":"endpoint.url_validation","payload":{}}`)},
		{"x", get("crc_token=%7B%22a%22%3A1%7D")},
		{"x", get("")},
		{"x", get("crc_token=" + strings.Repeat("a", 300))},
		{"x", posted(`{"crc_token":"a"}`)},
		{"line", posted(`{"destination":"U0","events":[{"type":"message"}]}`)},
		{"line", posted(`{"events":[]}`)},
		{"twitch", posted(`{"challenge":"c"}`)},
		{"twitch", posted(`{"challenge":"c"}`, twitchKind, "notification")},
		{"twitch", posted(`{"challenge":{}}`, twitchKind, "webhook_callback_verification")},
		{"meta", get("hub.mode=unsubscribe&hub.challenge=1&hub.verify_token=one")},
		{"meta", get("hub.mode=subscribe&hub.verify_token=one")},
		{"meta", posted(`{"hub.mode":"subscribe","hub.challenge":"1"}`)},
		{"mandrill", posted("")},
	} {
		_, ok := row(t, test.provider).Handshake(test.r, []capture.Secret{"one"})
		require.False(t, ok, "%s %s %s", test.provider, test.r.URL, test.r.Body)
	}
	for _, name := range []string{"zoom", "x"} {
		e := handshakes(t)[map[string]string{"zoom": "zoom-url-validation", "x": "x-crc"}[name]]
		_, ok := row(t, name).Handshake(e.request(t, ""), []capture.Secret{""})
		require.False(t, ok, "no answer without a secret, which would be made with an empty key")
	}
}

func TestAVerifyTokenThatNobodyGaveIsRefused(t *testing.T) {
	t.Parallel()
	e := handshakes(t)["meta-hub-challenge"]
	a, ok := answer(t, "meta", e.request(t, ""), "app secret", "another token", "")
	require.True(t, ok)
	require.Equal(t, http.StatusForbidden, a.Status)
	require.NotContains(t, string(a.Body), "another token")
	a, ok = answer(t, "meta", e.request(t, ""), "app secret", "meatyhamhock")
	require.True(t, ok)
	e.requireAnswer(t, a)
	a, ok = answer(t, "meta", e.request(t, ""))
	require.True(t, ok)
	e.requireAnswer(t, a)
}

func TestTheSecretThatSignedAnswers(t *testing.T) {
	t.Parallel()
	e := handshakes(t)["zoom-url-validation"]
	a, ok := answer(t, "zoom", e.request(t, ""), "older", "zoom-secret")
	require.True(t, ok)
	e.requireAnswer(t, a)
}
