package doctor_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/doctor"
	"anyhook.net/desktop/capture/provider"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// A patient is a request that a provider signed with one secret for one
// address, and what became of it until it was checked with another.
type patient struct {
	name     string
	provider string
	fields   string // header lines
	body     string
	signedBy capture.Secret
	signedAt string // the address that the provider has on file; "" is where it arrived
	became   func(r *capture.Request)
	holds    capture.Secret // what the endpoint has; "" is what signed
	cause    doctor.Cause
	detail   string
}

const (
	stripeBody = `{"id":"evt_1","object":"event","livemode":true,"name":"Zoë / 測試"}`
	whsec      = capture.Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	arrived    = "https://hooks.example.com/in/x?b=1&a=2"
	form       = "Content-Type: application/x-www-form-urlencoded\r\n"
)

func body(f func([]byte) []byte) func(*capture.Request) {
	return func(r *capture.Request) { r.Body = f(bytes.Clone(r.Body)) }
}

func to(s string) func(*capture.Request) { return body(func([]byte) []byte { return []byte(s) }) }

func patients() []patient {
	raw, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(whsec.Reveal(), "whsec_"))
	return []patient{
		{name: "a line end in the secret", provider: "stripe", body: stripeBody, signedBy: "whsec_a", holds: "whsec_a\n", cause: doctor.SecretSpace},
		{name: "a space before the secret", provider: "github", body: stripeBody, signedBy: "one", holds: " one", cause: doctor.SecretSpace},
		{name: "quotes of a settings file", provider: "github", body: stripeBody, signedBy: "one", holds: `"one"`, cause: doctor.SecretQuotes},
		{name: "a beginning dropped", provider: "stripe", body: stripeBody, signedBy: "whsec_a", holds: "a", cause: doctor.SecretPrefix},
		{name: "a beginning kept", provider: "github", body: stripeBody, signedBy: "a", holds: "whsec_a", cause: doctor.SecretPrefix},
		{name: "a secret decoded", provider: "github", body: stripeBody, signedBy: capture.Secret(raw), holds: whsec, cause: doctor.SecretEncoding},
		{name: "a secret not decoded", provider: "standardwebhooks", fields: "webhook-id: 1\r\n", body: stripeBody, signedBy: capture.Secret(base64.StdEncoding.EncodeToString([]byte(whsec))), holds: whsec, cause: doctor.SecretEncoding},
		{name: "a secret kept HTML-escaped", provider: "shopify", body: stripeBody, signedBy: "a&amp;b", holds: "a&b", cause: doctor.SecretEscapes},
		{name: "the secret of another endpoint", provider: "stripe", body: stripeBody, signedBy: "whsec_other", holds: "whsec_mine", cause: doctor.OtherEndpoint, detail: "billing"},
		{name: "a line end behind the body", provider: "github", body: stripeBody, signedBy: "one", became: to(stripeBody + "\n"), cause: doctor.BodyLineEnd},
		{name: "a line end taken off", provider: "github", body: stripeBody + "\r\n", signedBy: "one", became: to(stripeBody), cause: doctor.BodyLineEnd},
		{name: "line ends of Windows", provider: "github", body: "{\n}", signedBy: "one", became: to("{\r\n}"), cause: doctor.BodyLineEnd},
		{name: "JSON made compact", provider: "github", body: "{\n  \"a\": 1\n}", signedBy: "one", became: to(`{"a":1}`), cause: doctor.BodyCompact},
		{name: "JSON of Python made compact", provider: "github", body: `{"a": 1, "b": ": ,"}`, signedBy: "one", became: to(`{"a":1,"b":": ,"}`), cause: doctor.BodyCompact},
		{name: "JSON made pretty", provider: "github", body: `{"a":1}`, signedBy: "one", became: to("{\n    \"a\": 1\n}"), cause: doctor.BodyPretty},
		{name: "letters unescaped", provider: "github", body: `{"a":"\u00eb \ud83c\udf89"}`, signedBy: "one", became: to(`{"a":"ë 🎉"}`), cause: doctor.BodyEscapes},
		{name: "letters escaped", provider: "github", body: `{"a":"ë 🎉","b":"\"\\"}`, signedBy: "one", became: to(`{"a":"\u00eb \ud83c\udf89","b":"\"\\"}`), cause: doctor.BodyEscapes},
		{name: "slashes of PHP unescaped", provider: "github", body: `{"a":"http:\/\/x"}`, signedBy: "one", became: to(`{"a":"http://x"}`), cause: doctor.BodyEscapes},
		{name: "ampersands escaped for HTML", provider: "github", body: `{"a":"\u0026\u003c"}`, signedBy: "one", became: to(`{"a":"&<"}`), cause: doctor.BodyEscapes},
		{name: "a byte order mark", provider: "github", body: stripeBody, signedBy: "one", became: to("\xef\xbb\xbf" + stripeBody), cause: doctor.BodyMark},
		{name: "a form that became JSON", provider: "github", body: "payload=%7B%22a%22%3A1%7D", signedBy: "one", became: to(`{"a":1}`), cause: doctor.BodyForm},
		{name: "JSON in a form", provider: "slack", body: `{"a":"b c"}`, signedBy: "one", became: to("payload=%7B%22a%22%3A%22b+c%22%7D"), cause: doctor.BodyJSON},
		{name: "the fields of a form as an object", provider: "slack", body: `{"a":"b c","d":"\u0026"}`, signedBy: "one", became: to("a=b+c&d=%26"), cause: doctor.BodyJSON},
		{name: "http for https", provider: "twilio", fields: form, body: "A=1", signedBy: "one", signedAt: "http://hooks.example.com/in/x?b=1&a=2", cause: doctor.URLScheme, detail: "http://hooks.example.com/in/x?b=1&a=2"},
		{name: "a slash at the end", provider: "twilio", fields: form, body: "A=1", signedBy: "one", signedAt: "https://hooks.example.com/in/x/?b=1&a=2", cause: doctor.URLSlash, detail: "https://hooks.example.com/in/x/?b=1&a=2"},
		{name: "the query in another order", provider: "twilio", fields: form, body: "A=1", signedBy: "one", signedAt: "https://hooks.example.com/in/x?a=2&b=1", cause: doctor.URLQuery, detail: "https://hooks.example.com/in/x?a=2&b=1"},
		{name: "the query gone", provider: "hubspot", body: "[]", signedBy: "one", signedAt: "https://hooks.example.com/in/x", cause: doctor.URLQuery, detail: "https://hooks.example.com/in/x"},
		{name: "the host of an earlier tunnel", provider: "hubspot", body: "[]", signedBy: "one", signedAt: "https://old.example.net/in/x?b=1&a=2", cause: doctor.URLHost, detail: "https://old.example.net/in/x?b=1&a=2"},
		{name: "a port", provider: "hubspot", body: "[]", signedBy: "one", signedAt: "https://hooks.example.com:443/in/x?b=1&a=2", cause: doctor.URLPort, detail: "https://hooks.example.com:443/in/x?b=1&a=2"},
		{name: "milliseconds for seconds", provider: "slack", body: "{}", signedBy: "one", became: func(r *capture.Request) {
			r.SetHeader("X-Slack-Request-Timestamp", r.Header.Get("X-Slack-Request-Timestamp")+"000")
		}, cause: doctor.TimeUnit},
		{name: "milliseconds within the signature", provider: "stripe", body: "{}", signedBy: "one", became: func(r *capture.Request) {
			r.SetHeader("Stripe-Signature", strings.Replace(r.Header.Get("Stripe-Signature"), ",", "000,", 1))
		}, cause: doctor.TimeUnit},
		{name: "no beginning of the signature", provider: "github", body: "{}", signedBy: "one", became: func(r *capture.Request) {
			r.SetHeader("X-Hub-Signature-256", strings.TrimPrefix(r.Header.Get("X-Hub-Signature-256"), "sha256="))
		}, cause: doctor.SigEncoding},
		{name: "test mode", provider: "stripe", body: `{"livemode":false}`, signedBy: "whsec_test", holds: "whsec_live", cause: doctor.TestMode},
		{name: "an address that nobody knows", provider: "twilio", fields: form, body: "A=1", signedBy: "one", signedAt: "https://gone.example.org/x", cause: doctor.URLUnknown},
		{name: "nothing that is known", provider: "github", body: "{}", signedBy: "one", holds: "two"},
	}
}

func (p patient) examined(t *testing.T) (doctor.Finding, *capture.Request) {
	t.Helper()
	row, ok := provider.ByName(p.provider)
	require.True(t, ok)
	r := &capture.Request{At: noon, Method: "POST", URL: arrived, Body: []byte(p.body), Head: capture.Head("POST /in/x?b=1&a=2 HTTP/1.1\r\nHost: hooks.example.com\r\n" + p.fields + "\r\n")}
	if p.signedAt != "" {
		r.URL = p.signedAt
	}
	r.Header = r.Head.Header()
	require.NoError(t, row.Sign(r, p.signedBy, noon))
	r.URL = arrived
	if p.became != nil {
		p.became(r)
	}
	holds := p.holds
	if holds == "" {
		holds = p.signedBy
	}
	secrets := []capture.Secret{"unrelated", holds}
	if p.cause != "" {
		require.True(t, row.Verify(r, secrets, noon).Status.Refused(), "it does not fit as it is")
	}
	f := doctor.Examine(t.Context(), doctor.Patient{
		Request: r, Provider: &row, Secrets: secrets, Rows: provider.Known,
		Others: []doctor.Holder{{Endpoint: "shop", Secrets: []capture.Secret{"no"}}, {Endpoint: "billing", Secrets: []capture.Secret{"whsec_other"}}},
		Bases:  []string{"https://old.example.net", "http://localhost:4080"},
	})
	return f, r
}

func TestWhatReallyGoesWrongIsNamed(t *testing.T) {
	t.Parallel()
	for _, p := range patients() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			f, r := p.examined(t)
			require.Equal(t, p.cause, f.Cause)
			require.Equal(t, p.detail, f.Detail)
			require.Nil(t, f.Also)
			require.Equal(t, arrived, r.URL, "the request stays as it is")
			if p.cause == "" || p.cause == doctor.TestMode || p.cause == doctor.URLUnknown {
				return
			}
			require.Equal(t, capture.Valid, f.Status)
			require.NotEmpty(t, f.Content)
			if p.cause != doctor.OtherEndpoint {
				require.Equal(t, 2, f.Secret)
			}
		})
	}
}

func TestTwoThingsAtOnceAreFound(t *testing.T) {
	t.Parallel()
	p := patient{provider: "github", body: `{"a":1}`, signedBy: "one", holds: "one ", became: to("{\n  \"a\": 1\n}")}
	f, _ := p.examined(t)
	require.Equal(t, doctor.SecretSpace, f.Cause)
	require.NotNil(t, f.Also)
	require.Equal(t, doctor.BodyPretty, f.Also.Cause)
}

func TestAnotherProvidersSignatureIsNamed(t *testing.T) {
	t.Parallel()
	slack, _ := provider.ByName("slack")
	stripe, _ := provider.ByName("stripe")
	r := &capture.Request{At: noon, Method: "POST", Body: []byte("{}"), Head: capture.Head("POST / HTTP/1.1\r\nStripe-Signature: t=1,v1=00\r\n\r\n")}
	r.Header = r.Head.Header()
	require.NoError(t, slack.Sign(r, "one", noon))
	f := doctor.Examine(t.Context(), doctor.Patient{Request: r, Provider: &stripe, Secrets: []capture.Secret{"one"}, Rows: provider.Known})
	require.Equal(t, doctor.OtherProvider, f.Cause)
	require.Equal(t, "Slack", f.Detail)
}

func TestAFindingNeverHoldsASecret(t *testing.T) {
	t.Parallel()
	for _, p := range patients() {
		f, r := p.examined(t)
		told := string(f.Cause) + f.Detail + f.Scheme + string(bytes.Join(f.Content, nil))
		for _, s := range []capture.Secret{p.signedBy, p.holds} {
			if len(s) > 3 && !bytes.Contains(r.Body, []byte(s)) {
				require.NotContains(t, told, s.Reveal(), p.name)
			}
		}
	}
}

func TestAnEndedExaminationFindsNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	row, _ := provider.ByName("github")
	r := &capture.Request{At: noon, Method: "POST", Body: []byte("{}"), Head: capture.Head("POST / HTTP/1.1\r\nX-Hub-Signature-256: sha256=00\r\n\r\n")}
	r.Header = r.Head.Header()
	require.Zero(t, doctor.Examine(ctx, doctor.Patient{Request: r, Provider: &row, Secrets: []capture.Secret{"one "}}))
	require.Zero(t, doctor.Examine(t.Context(), doctor.Patient{Request: r}))
}

// FuzzExamine looks for a body or a signature with which an examination panics, or believes what nobody signed.
func FuzzExamine(f *testing.F) {
	f.Add([]byte(`{"a":"\ud83c\udf89","b":[1,{"c":"\\"}]}`), "t=1,v1=00", "https://x/?a=1&b=2")
	f.Add([]byte("a=1&b=%zz"), "sha256=zz", "://")
	f.Add([]byte(`{"a":"\ud83c`), "", "http://x:80")
	row, _ := provider.ByName("stripe")
	f.Fuzz(func(t *testing.T, body []byte, signature, url string) {
		before := bytes.Clone(body)
		r := &capture.Request{At: noon, Method: "POST", URL: url, Body: body, Head: capture.NewHead("POST", "/", capture.Field{Name: "Stripe-Signature", Value: signature})}
		r.Header = r.Head.Header()
		got := doctor.Examine(t.Context(), doctor.Patient{Request: r, Provider: &row, Secrets: []capture.Secret{"never signed anything"}, Bases: []string{url}})
		require.True(t, got.Cause == "" || got.Cause == doctor.TestMode, got.Cause)
		require.Equal(t, before, body)
	})
}

// What developers reported is what the doctor has to find.
func TestReportedProblemsAreFound(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../provider/testdata/reported.json")
	require.NoError(t, err)
	var all map[string]struct {
		Provider string
		Secret   any
		Method   string
		URL      string
		Headers  map[string]string
		Body     []byte `json:"body_b64"`
	}
	require.NoError(t, json.Unmarshal(b, &all))
	for name, want := range map[string]doctor.Finding{
		"stripe_reserialised":               {Cause: doctor.BodyCompact},
		"twilio_http_scheme":                {Cause: doctor.URLScheme, Detail: "http://hooks.example.test/in/twilio"},
		"twilio_query_sorted_after_signing": {Cause: doctor.URLQuery, Detail: "https://hooks.example.test/in/twilio?b=456&a=123"},
		"trello_old_tunnel_url":             {Cause: doctor.URLUnknown},
		"woo_secret_plain":                  {Cause: doctor.SecretEscapes},
		"gitlab_token_base64":               {Cause: doctor.SecretEncoding},
		"hubspot_v3_float_timestamp":        {Cause: doctor.URLUnknown},
		"slack_json_instead":                {}, // of an object that cannot be told from the form
	} {
		v := all[name]
		row, ok := provider.ByName(strings.Replace(v.Provider, "woo", "woocommerce", 1))
		require.True(t, ok, name)
		r := &capture.Request{At: noon, Method: v.Method, URL: v.URL, Body: v.Body, Head: capture.Head("POST / HTTP/1.1\r\n\r\n")}
		r.Header = r.Head.Header()
		for field, value := range v.Headers {
			r.SetHeader(field, value)
		}
		secret, _ := v.Secret.(string)
		f := doctor.Examine(t.Context(), doctor.Patient{
			Request: r, Provider: &row, Secrets: []capture.Secret{capture.Secret(secret)},
		})
		require.Equal(t, want, doctor.Finding{Cause: f.Cause, Detail: f.Detail}, name)
	}
}
