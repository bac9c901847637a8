package provider

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestSetUpChecksOfPlatformsAreAnswered(t *testing.T) {
	t.Parallel()
	all := handshakes(t)
	for id, test := range map[string]struct {
		body    string
		secrets []capture.Secret
	}{
		"msgraph-validation":        {secrets: []capture.Secret{"state"}},
		"dropbox-challenge":         {secrets: []capture.Secret{"app secret"}},
		"asana-secret":              {},
		"okta-challenge":            {secrets: []capture.Secret{"my-okta-key"}},
		"monday-challenge":          {},
		"notion-verification-token": {},
		"sns-subscription":          {body: string(vectorNamed(t, "aws-sns/v2-valid-subscription-confirmation").Body), secrets: vectorNamed(t, "aws-sns/v2-valid").secrets(t)},
	} {
		e, ok := all[id]
		require.True(t, ok, id)
		r := e.request(t, test.body)
		a, ok := answer(t, e.Provider, r, test.secrets...)
		require.True(t, ok, id)
		e.requireAnswer(t, a)
		if id == "sns-subscription" || id == "okta-challenge" {
			require.True(t, r.Signature.Status.Good(), r.Signature.Reason())
		}
	}
}

func TestWhatIsNoSetUpCheckOfAPlatformIsNotAnswered(t *testing.T) {
	t.Parallel()
	get := func(query string) *capture.Request {
		return &capture.Request{Method: http.MethodGet, URL: "https://h.example/in?" + query, Header: http.Header{}}
	}
	asked := posted("")
	asked.URL += "?validationToken=t"
	told := posted("{}")
	told.URL += "?validationToken=t"
	for _, test := range []struct {
		provider string
		r        *capture.Request
		want     bool
	}{
		{"microsoft-graph", asked, true},
		{"microsoft-graph", told, false},
		{"microsoft-graph", get("validationToken=t"), false},
		{"microsoft-graph", posted(""), false},
		{"dropbox", get("challenge=%3Cscript%3E"), true},
		{"dropbox", get("challenge="), false},
		{"dropbox", posted(`{"challenge":"c"}`), false},
		{"asana", posted("{}", asanaSecret, "s", asanaScheme.header, "0"), false},
		{"asana", posted("{}", asanaSecret, "s", asanaSecret, "t"), false},
		{"asana", posted("{}"), false},
		{"notion", posted(`{"verification_token":"t","id":"1"}`), false},
		{"notion", posted(`{"verification_token":"t"}`, notionScheme.header, "sha256=0"), false},
		{"notion", posted(`{"verification_token":7}`), true},
		{"notion", posted(`{"verification_token":""}`), false},
		{"monday", posted(`{"challenge":"c","event":{}}`), false},
		{"okta", posted("{}", oktaChallenge, "c"), false},
		{"okta", get(""), false},
		{"aws-sns", posted(`{"Type":"Notification"}`), false},
		{"aws-sns", posted(`{}`, "X-Amz-Sns-Message-Type", "UnsubscribeConfirmation"), true},
	} {
		_, ok := row(t, test.provider).Handshake(test.r, []capture.Secret{"one"})
		require.Equal(t, test.want, ok, "%s %s %s", test.provider, test.r.URL, test.r.Body)
	}
}

func TestASecretIsLearnedFromASetUpCheckAlone(t *testing.T) {
	t.Parallel()
	all := handshakes(t)
	for id, want := range map[string]capture.Secret{
		"asana-secret":              "b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81",
		"notion-verification-token": "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl",
	} {
		e := all[id]
		p := row(t, e.Provider)
		got, ok := p.Learn(e.request(t, ""))
		require.True(t, ok, id)
		require.Equal(t, want.Reveal(), got.Reveal(), id)
		require.NoError(t, p.CheckSecret(got), "what is learned is a secret")
	}
	for _, v := range loadVectors(t) {
		if p := row(t, v.Provider); p.Learn != nil {
			_, ok := p.Learn(v.request(t))
			require.False(t, ok, v.ID)
		}
	}
	for _, p := range All {
		require.True(t, p.Learn == nil || p.Handshake != nil, "%s: what it brings comes with a set-up check", p.Name)
	}
}
