package provider

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestSetUpChecksOfToolsAreAnswered(t *testing.T) {
	t.Parallel()
	for id, status := range map[string]capture.Status{
		"tfc-verification": capture.Valid,
		"trello-head":      capture.Missing, // there is nothing that could be signed
	} {
		e := handshakes(t)[id]
		r := e.request(t, "")
		if status == capture.Valid {
			require.NoError(t, row(t, e.Provider).Sign(r, "one", noon))
		}
		a, ok := answer(t, e.Provider, r, "one")
		require.True(t, ok, id)
		require.Equal(t, status, r.Signature.Status, id)
		e.requireAnswer(t, a)
	}
	for provider, r := range map[string]*capture.Request{
		"terraform-cloud": posted(`{"notifications":[{"trigger":"run:created"},{"trigger":"verification"}]}`),
		"trello":          posted(`{"action":{"id":"a"},"model":{"id":"m"}}`),
	} {
		_, ok := answer(t, provider, r, "one")
		require.False(t, ok, provider)
	}
}

func TestGitLabIsHeldToItsSignatureByWhoHasTheKey(t *testing.T) {
	t.Parallel()
	const (
		shown   = capture.Secret("gl-token")
		signing = capture.Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
		other   = capture.Secret("whsec_CzBVep/E6Q4zWH2ix+wRNluApcrvFDle")
	)
	both := posted(`{}`, "X-Gitlab-Event", "Push Hook", "Idempotency-Key", "k", "X-Gitlab-Token", shown.Reveal())
	require.NoError(t, gitlab.Sign(both, signing, noon))
	require.Equal(t, "k", both.Header.Get("webhook-id"), "its key is what is signed")
	tampered := both.Clone()
	tampered.Body = []byte(`{"a":1}`)
	stripped := both.Clone()
	for _, name := range standardNames.all() {
		stripped.Header.Del(name)
	}
	for _, test := range []struct {
		what    string
		r       *capture.Request
		secrets []capture.Secret
		want    capture.Status
	}{
		{"signed", both, []capture.Secret{signing}, capture.Valid},
		{"signed, and both secrets are there", both, []capture.Secret{shown, signing}, capture.Valid},
		{"signed, but only the token is there", both, []capture.Secret{shown}, capture.Authenticated},
		{"signed, and nothing is there", both, nil, capture.Unchecked},
		{"signed by somebody else", both, []capture.Secret{other}, capture.Invalid},
		{"signed wrongly, with the right token", tampered, []capture.Secret{shown, signing}, capture.Invalid},
		{"not signed, with the right token", stripped, []capture.Secret{shown, signing}, capture.Authenticated},
		{"not signed, and only a key is there", stripped, []capture.Secret{signing}, capture.Invalid},
	} {
		require.Equal(t, test.want, gitlab.Verify(test.r, test.secrets, noon).Status, test.what)
	}
	require.NoError(t, gitlab.Sign(both, "another", noon))
	require.Equal(t, "another", both.Header.Get("X-Gitlab-Token"))
	require.Equal(t, capture.Valid, gitlab.Verify(both, []capture.Secret{signing}, noon).Status, "the other secret's work is left alone")
}

func TestAWordInPlaceOfASignatureIsNone(t *testing.T) {
	t.Parallel()
	r := posted(`{"triggerEvent":"BOOKING_CREATED"}`, "X-Cal-Signature-256", "no-secret-provided")
	got := calcom.Verify(r, []capture.Secret{"one"}, noon)
	require.Equal(t, capture.Missing, got.Status)
	require.NoError(t, calcom.Sign(r, "one", noon))
	require.Equal(t, capture.Valid, calcom.Verify(r, []capture.Secret{"one"}, noon).Status)
}

func TestAHeaderOfManyIsToldByWhatComesWithIt(t *testing.T) {
	t.Parallel()
	const sha256 = "sha256=89f34c9d9d678571ca20ac6aaf61021224fd7356f3498f07cb16bc8d5da94315"
	const standard = "v1,wiDv/uE1n4ig64T789EFMWPpZnCUK6ZKOYfS+a73iA8="
	for _, test := range []struct {
		want    string
		body    string
		headers []string
	}{
		{"bitbucket", `{}`, []string{"X-Hub-Signature", sha256, "X-Event-Key", "repo:push"}},
		{"jira", `{}`, []string{"X-Hub-Signature", sha256, "X-Atlassian-Webhook-Identifier", "1"}},
		{"intercom", `{}`, []string{"X-Hub-Signature", "sha1=00", "X-Topic", "t"}},
		{"intercom", `{"type":"notification_event","topic":"t"}`, []string{"X-Hub-Signature", "not its shape"}},
		{"", `{"type":"notification_event","topic":"t"}`, []string{"X-Hub-Signature", sha256}},
		{"", `{}`, []string{"X-Hub-Signature", sha256}},
		{"gitlab", `{}`, []string{"webhook-id", "m", "webhook-signature", standard, "X-Gitlab-Event", "Push Hook"}},
		{"gocardless", `{"events":[]}`, []string{"Webhook-Signature", "00"}},
		{"standardwebhooks", `{"events":[]}`, []string{"webhook-id", "m", "webhook-signature", standard}},
		{"bigcommerce", `{"producer":"stores/a","scope":"store/order/created","hash":"h"}`, []string{"webhook-id", "m", "webhook-signature", standard}},
		{"bigcommerce", `{"hash":"h","data":{"type":"order"},"scope":"store\/order\/created","producer":"stores\/a"}`, []string{"webhook-id", "m", "webhook-signature", standard}},
		{"standardwebhooks", `{"type":"x","producer":"stores/a","scope":"store/order/created","hash":"h"}`, []string{"webhook-id", "m", "webhook-signature", standard}},
		{"openai", `{"object":"event","id":"evt_1","type":"respons\u0065.completed"}`, []string{"webhook-id", "m", "webhook-timestamp", "1"}},
		{"standardwebhooks", `{"object":"event","id":"evt_1","type":"invoice.paid"}`, []string{"webhook-id", "m", "webhook-timestamp", "1"}},
		{"polar", `{"type":"order.paid","timestamp":"t","data":{"id":"o"}}`, []string{"webhook-id", "m", "webhook-timestamp", "1"}},
		{"standardwebhooks", `{"type":"order.paid","timestamp":"t","data":{}}`, []string{"webhook-id", "m", "webhook-timestamp", "1"}},
		{"clerk", `{"data":{"id":"u"},"instance_id":"ins_1","object":"event","type":"user.created"}`, []string{"svix-id", "m", "svix-timestamp", "1"}},
		{"resend", `{"type":"email.sent","data":{"email_id":"e"}}`, []string{"svix-id", "m", "svix-timestamp", "1"}},
		{"svix", `{"type":"email.sent","data":{"id":"e"}}`, []string{"svix-id", "m", "svix-timestamp", "1"}},
	} {
		r := posted(test.body, test.headers...)
		require.Equal(t, test.want, sender(Known.Of(r)), "%s %v", test.body, test.headers)
		r.Method = http.MethodGet
		require.Equal(t, test.want, sender(Known.Of(r)), "a header is a header")
	}
}
