package provider

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// imitations are recipes that sign as providers do that AnyHook knows.
func imitations() map[string]Recipe {
	return map[string]Recipe{
		"stripe":           {Kind: "hmac", Header: "Stripe-Signature", Prefix: "v1=", TimeIn: "t=", Signs: "{time}.{body}", Tolerance: 300},
		"github":           {Kind: "hmac", Header: "X-Hub-Signature-256", Prefix: "sha256="},
		"shopify":          {Kind: "hmac", Header: "X-Shopify-Hmac-Sha256", Encoding: "base64"},
		"slack":            {Kind: "hmac", Header: "X-Slack-Signature", Prefix: "v0=", TimeIn: "X-Slack-Request-Timestamp", Signs: "v0:{time}:{body}", Tolerance: 300},
		"hubspot":          {Kind: "hmac", Header: "X-HubSpot-Signature-v3", Encoding: "base64", TimeIn: "X-HubSpot-Request-Timestamp", TimeUnit: "ms", Signs: "{method}{url}{body}{time}", Tolerance: 300},
		"standardwebhooks": {Kind: "hmac", Header: "webhook-signature", Prefix: "v1,", Encoding: "base64", KeyForm: "whsec", TimeIn: "webhook-timestamp", Signs: "{header:webhook-id}.{time}.{body}", Tolerance: 300},
	}
}

func TestARecipeSignsAsTheProviderItImitates(t *testing.T) {
	t.Parallel()
	const secret, other = capture.Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), capture.Secret("whsec_CzBVep/E6Q4zWH2ix+wRNluApcrvFDle")
	for name, recipe := range imitations() {
		recipe.Name, recipe.Title = "mine", "Mine"
		mine, err := recipe.Provider()
		require.NoError(t, err, name)
		theirs := row(t, name)
		r := specimen{method: http.MethodPost, url: "https://h.example/in?a=1", headers: map[string]string{"webhook-id": "m1"}, body: `{"id":1}`}.request(t)

		require.NoError(t, theirs.Sign(r, secret, noon), name)
		got := mine.Verify(r, []capture.Secret{other, secret}, noon)
		require.Equal(t, capture.Valid, got.Status, "%s: %s", name, got.Reason())
		require.Equal(t, 2, got.Secret)

		require.NoError(t, mine.Sign(r, other, noon.Add(time.Hour)), name)
		got = theirs.Verify(r, []capture.Secret{other}, noon.Add(time.Hour))
		require.Equal(t, capture.Valid, got.Status, "%s: %s", name, got.Reason())
		require.Equal(t, capture.Invalid, mine.Verify(r, []capture.Secret{secret}, noon.Add(time.Hour)).Status)
		if recipe.Tolerance > 0 {
			require.Equal(t, capture.Stale, mine.Verify(r, []capture.Secret{other}, noon.Add(2*time.Hour)).Status, name)
		}
	}
}

func TestARecipeReadsEventsByJQ(t *testing.T) {
	t.Parallel()
	p, err := Recipe{
		Name: "mine", Title: "Mine", Kind: "none", Mark: "X-Mine",
		Each: ".events[]", Key: `"\(.id)/\($headers["x-mine"])"`, Unique: true, Type: ".kind", Object: ".of.id", At: ".at", Order: ".version",
	}.Provider()
	require.NoError(t, err)
	r := specimen{method: http.MethodPost, url: "https://h.example/", headers: map[string]string{"X-Mine": "h"}, body: `{"events":[
		{"id":12345678901234567890,"kind":"a","of":{"id":"o"},"at":"2026-11-30T12:00:00Z","version":7},{"id":"two","kind":null}]}`}.request(t)
	require.True(t, p.Takes(r))
	events, err := p.Events(r)
	require.NoError(t, err)
	require.Equal(t, []capture.Event{
		{Key: capture.Key{Value: "12345678901234567890/h", Exact: true}, Type: "a", Object: "o", At: noon, Order: 7},
		{Key: capture.Key{Value: "two/h", Exact: true}},
	}, events)

	form := specimen{method: http.MethodPost, url: "https://h.example/", headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, body: "id=4&kind=b%20c"}.request(t)
	p, err = Recipe{Name: "mine", Title: "Mine", Kind: "none", Key: ".id", Type: ".kind"}.Provider()
	require.NoError(t, err)
	events, err = p.Events(form)
	require.NoError(t, err)
	require.Equal(t, []capture.Event{{Key: capture.Key{Value: "4"}, Type: "b c"}}, events)
}

func TestAProgramThatNeverEndsIsStopped(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"def f: f; f", "[range(1e9)] | length", "[limit(1e8; repeat(1))] | length"} {
		p, err := Recipe{Name: "mine", Title: "Mine", Kind: "none", Type: text}.Provider()
		require.NoError(t, err)
		_, err = p.Events(posted(`{}`))
		require.Error(t, err, text)
	}
	p, err := Recipe{Name: "mine", Title: "Mine", Kind: "none", Each: "repeat(1)"}.Provider()
	require.NoError(t, err)
	events, err := p.Events(posted(`{}`))
	require.ErrorContains(t, err, "more than 1000")
	require.Len(t, events, jqMost)
}

func TestAProgramSeesNothingButTheRequest(t *testing.T) {
	t.Setenv("ANYHOOK_SECRET", "never shown")
	for _, text := range []string{"env.ANYHOOK_SECRET", "$ENV.ANYHOOK_SECRET", "input", `"x" | input_filename`} {
		p, err := Recipe{Name: "mine", Title: "Mine", Kind: "none", Type: text}.Provider()
		if err != nil {
			continue
		}
		events, _ := p.Events(posted(`{}`))
		for _, e := range events {
			require.Empty(t, e.Type, text)
		}
	}
}

func TestAWrongRecipeIsNamed(t *testing.T) {
	t.Parallel()
	good := Recipe{Name: "mine", Title: "Mine", Kind: "hmac", Header: "X-Sig"}
	_, err := good.Provider()
	require.NoError(t, err)
	for _, test := range []struct {
		says  string
		spoil func(*Recipe)
	}{
		{"name: small", func(r *Recipe) { r.Name = "Mine!" }},
		{"name: stripe", func(r *Recipe) { r.Name = "stripe" }},
		{"title:", func(r *Recipe) { r.Title = " " }},
		{"kind:", func(r *Recipe) { r.Kind = "rsa" }},
		{"header:", func(r *Recipe) { r.Header = "X Sig" }},
		{"mark:", func(r *Recipe) { r.Mark = "X:Sig" }},
		{"tolerance: there", func(r *Recipe) { r.Tolerance = 5 }},
		{"tolerance: from", func(r *Recipe) { r.Tolerance = -5 }},
		{"hash:", func(r *Recipe) { r.Hash = "md5" }},
		{"encoding:", func(r *Recipe) { r.Encoding = "rot13" }},
		{"keyForm:", func(r *Recipe) { r.KeyForm = "pem" }},
		{"timeUnit:", func(r *Recipe) { r.TimeUnit = "h" }},
		{"time:", func(r *Recipe) { r.TimeIn = "X Y" }},
		{"prefix:", func(r *Recipe) { r.TimeIn = "t=" }},
		{"signs: {time}", func(r *Recipe) { r.Signs = "{time}{body}" }},
		{"signs: without {body}", func(r *Recipe) { r.Signs = "{url}" }},
		{"signs: {what}", func(r *Recipe) { r.Signs = "{what}" }},
		{"signs: { without }", func(r *Recipe) { r.Signs = "{body" }},
		{"key:", func(r *Recipe) { r.Key = ".[" }},
		{"at: at most", func(r *Recipe) { r.At = strings.Repeat(".", 3000) }},
	} {
		r := good
		test.spoil(&r)
		_, err := r.Provider()
		require.ErrorContains(t, err, test.says)
	}
}

// FuzzRecipe looks for a recipe or a body that makes a reading panic or hang.
func FuzzRecipe(f *testing.F) {
	f.Add("{time}.{body}", ".id", `{"id":[1]}`)
	f.Add("{header:X-A}{body}", `"\(.a)" | ascii`, `[{"a":1}]`)
	f.Fuzz(func(t *testing.T, signs, program, body string) {
		p, err := Recipe{Name: "mine", Title: "Mine", Kind: "hmac", Header: "X-Sig", TimeIn: "X-Time", Signs: signs, Key: program, Each: program}.Provider()
		if err != nil {
			return
		}
		r := posted(body)
		events, _ := p.Events(r)
		require.LessOrEqual(t, len(events), jqMost)
		require.NotEqual(t, capture.Valid, p.Verify(r, []capture.Secret{"one"}, noon).Status)
	})
}
