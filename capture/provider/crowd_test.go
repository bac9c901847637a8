package provider

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestWhatNobodySendsIsRefusedBeforeItCostsMemoryOrTime(t *testing.T) {
	t.Parallel()
	const secret = "s3cret"
	form := strings.Repeat("a&", maxFields)
	notices := `{"value":[` + strings.Repeat(`{"clientState":"s3cret"},`, graphMost) + `{"clientState":"s3cret"}]}`
	for _, c := range []struct{ provider, kind, header, value, body string }{
		{"twilio", "application/x-www-form-urlencoded", twilioSignature, "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", form},
		{"mandrill", "application/x-www-form-urlencoded", mandrillScheme.header, "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", form},
		{"microsoft-graph", "application/json", "X-Nothing", "", notices},
	} {
		r := &capture.Request{Method: http.MethodPost, URL: "https://a.example/", Body: []byte(c.body), Header: http.Header{
			"Content-Type": {c.kind}, c.header: {c.value},
		}}
		capture.Verify(r, Known, capture.Endpoint{Provider: c.provider, Secrets: []capture.Secret{secret}})
		require.Equal(t, capture.Malformed, r.Signature.Status, c.provider)
		require.Equal(t, capture.WhyBadShape, r.Signature.Why, c.provider)
	}
}

func TestOnlyARegionOfAmazonsHasCertificates(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://sns.us-east-1.amazonaws.com/SimpleNotificationService-a.pem":     true,
		"https://sns.us-gov-west-1.amazonaws.com/SimpleNotificationService-a.pem": true,
		"https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-a.pem": true,
		"https://sns.s3-us-west-2.amazonaws.com/SimpleNotificationService-a.pem":  false,
		"https://sns.s3-website-us-east-1.amazonaws.com/a.pem":                    false,
		"https://sns.execute-api.amazonaws.com/a.pem":                             false,
	} {
		_, own := snsAddress(address)
		require.Equal(t, want, own, address)
	}
}

func TestEventsDoNotComeAsASetUpCheck(t *testing.T) {
	t.Parallel()
	r := &capture.Request{Method: http.MethodPost, Header: http.Header{asanaSecret: {"chosen by a stranger"}}}
	for body, want := range map[string]bool{`{}`: true, ``: true, `{"events":[{"action":"deleted"}]}`: false} {
		r.Body = []byte(body)
		_, brings := asanaLearn(r)
		_, asked := asanaHandshake(r, nil)
		require.Equal(t, []bool{want, want}, []bool{brings, asked}, body)
	}
}
