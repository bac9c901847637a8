package provider

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// reported is what developers reported; the verdict is ours to name.
func TestReportedProblemsAreNamed(t *testing.T) {
	t.Parallel()
	type want struct {
		status capture.Status
		why    capture.Why
		detail string
	}
	const valid, invalid, malformed = capture.Valid, capture.Invalid, capture.Malformed
	verdicts := map[string]want{
		"stripe_valid":                      {status: valid},
		"stripe_reserialised":               {invalid, capture.WhyNoMatch, ""},
		"stripe_two_v1_second_matches":      {status: valid},
		"stripe_only_v0":                    {malformed, capture.WhyBadShape, ""},
		"stripe_stale_301s":                 {capture.Stale, capture.WhyTooOld, "301s"},
		"stripe_age_300s":                   {status: valid},
		"stripe_future_600s":                {valid, capture.WhyFuture, "600s"},
		"stripe_wrong_kind_of_key":          {invalid, capture.WhyBadSecret, "whsec_"},
		"stripe_header_spaces":              {malformed, capture.WhyBadShape, ""},
		"stripe_no_t":                       {malformed, capture.WhyNoTimestamp, "Stripe-Signature"},
		"stripe_t_text":                     {malformed, capture.WhyBadTime, `"abc"`},
		"stripe_t_twice":                    {malformed, capture.WhyTwice, "t="},
		"stripe_v1_not_hex":                 {malformed, capture.WhyBadShape, ""},
		"stripe_v1_short":                   {malformed, capture.WhyBadShape, ""},
		"stripe_empty":                      {malformed, capture.WhyBadShape, ""},
		"stripe_thin_valid":                 {status: valid},
		"github_emoji":                      {status: valid},
		"github_form":                       {status: valid},
		"github_upper_hex":                  {status: valid}, // digits are decoded before they are compared
		"github_sha1_only":                  {status: valid}, // and the scheme says so, see below
		"shopify_valid":                     {status: valid},
		"hubspot_v3_valid":                  {status: valid},
		"hubspot_v3_float_timestamp":        {invalid, capture.WhyNoMatch, "v3"},
		"hubspot_v3_stale_300001ms":         {capture.Stale, capture.WhyTooOld, "300.001s"},
		"twilio_form_valid":                 {status: valid},
		"twilio_http_scheme":                {invalid, capture.WhyNoMatch, ""},
		"twilio_port_443":                   {status: valid},
		"twilio_query_order_plus":           {status: valid},
		"twilio_query_sorted_after_signing": {invalid, capture.WhyNoMatch, ""},
		"twilio_raw_quote_in_query":         {status: valid},
		"twilio_json_valid":                 {status: valid},
		"twilio_json_body_changed":          {invalid, capture.WhyBodyChanged, "bodySHA256"},
		"slack_form_valid":                  {status: valid},
		"slack_json_instead":                {invalid, capture.WhyNoMatch, ""},
		"slack_clock_20_days":               {capture.Stale, capture.WhyTooOld, "1728000s"},
		"calendly_valid":                    {status: valid},
		"line_valid":                        {status: valid},
		"trello_valid":                      {status: valid},
		"trello_old_tunnel_url":             {invalid, capture.WhyNoMatch, ""},
		"woo_secret_plain":                  {invalid, capture.WhyNoMatch, ""},
		"meta_escaped_valid":                {status: valid},
		"gitlab_token_valid":                {status: capture.Authenticated},
		"gitlab_token_base64":               {invalid, capture.WhyWrongToken, ""},
		"discord_ping_valid":                {status: valid},
		"discord_ping_bad_sig":              {invalid, capture.WhyNoMatch, ""},
		"discord_key_not_hex":               {invalid, capture.WhyBadSecret, ""},
		"github_no_prefix":                  {status: valid},
		"hookdeck_base64":                   {status: valid},
		"calendly_missing":                  {capture.Missing, capture.WhyNoHeader, "Calendly-Webhook-Signature"},
	}
	schemes := map[string]string{
		"github_sha1_only": "HMAC-SHA1 of body",
		"twilio_port_443":  "HMAC-SHA1 of url and form (address with port 443)",
	}
	b, err := os.ReadFile("testdata/reported.json")
	require.NoError(t, err)
	var all map[string]struct {
		vector
		Body  []byte `json:"body_b64"`
		Clock time.Time
	}
	require.NoError(t, json.Unmarshal(b, &all))
	require.Len(t, all, len(verdicts))
	for name, v := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, ok := verdicts[name]
			require.True(t, ok)
			v.vector.Body = v.Body
			s := rowOrRecipe(t, v.Provider).Verify(v.request(t), v.secrets(t), v.Clock)
			require.Equal(t, w.status, s.Status, s.Reason())
			require.Equal(t, w.why, s.Why, s.Reason())
			require.Contains(t, s.Detail, w.detail)
			if scheme, ok := schemes[name]; ok {
				require.Equal(t, scheme, s.Scheme)
			}
			if name == "stripe_thin_valid" {
				require.Equal(t, 2, s.Secret)
			}
		})
	}
}

// rowOrRecipe returns the row of a provider; of one that AnyHook does not know,
// what a user would describe.
func rowOrRecipe(t testing.TB, name string) capture.Provider {
	t.Helper()
	recipes := map[string]Recipe{
		"gogs":     {Header: "X-Gogs-Signature"},
		"hookdeck": {Header: "X-Hookdeck-Signature", Encoding: "base64"},
	}
	recipe, described := recipes[name]
	if !described {
		return row(t, strings.Replace(name, "woo", "woocommerce", 1))
	}
	recipe.Name, recipe.Title, recipe.Kind = name, name, "hmac"
	p, err := recipe.Provider()
	require.NoError(t, err)
	return p
}
