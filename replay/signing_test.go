package replay_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/replay"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func signed(t *testing.T, name string, how replay.Signing, secret capture.Secret) (capture.Signature, *capture.Request, error) {
	t.Helper()
	p, ok := provider.ByName(name)
	require.True(t, ok)
	r := &capture.Request{
		At: noon, Method: "POST", URL: "https://hooks.example.com/in", Body: []byte(`{"id":"evt_1"}`),
		Head: capture.Head("POST /in HTTP/1.1\r\nHost: hooks.example.com\r\nwebhook-id: msg_1\r\nX-HubSpot-Signature: 00\r\n\r\n"),
	}
	r.Header = r.Head.Header()
	if name != "hubspot" {
		r.RemoveHeader("X-HubSpot-Signature")
	}
	err := how.Sign(&p, r, secret, noon)
	return p.Verify(r, []capture.Secret{secret}, noon), r, err
}

func TestEverySigningIsWorthWhatItSays(t *testing.T) {
	t.Parallel()
	const whsec = capture.Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	for name, secret := range map[string]capture.Secret{"stripe": "whsec_zZ9", "hubspot": "0", "slack": "abc", "standardwebhooks": whsec} {
		for how, want := range map[replay.Signing]capture.Status{
			replay.Fresh: capture.Valid, replay.WrongSecret: capture.Invalid, replay.Altered: capture.Invalid,
			replay.Stale: capture.Stale, replay.Unsigned: capture.Missing,
		} {
			got, r, err := signed(t, name, how, secret)
			require.NoError(t, err)
			require.Equal(t, want, got.Status, "%s %s: %s", name, how, got.Reason())
			require.Equal(t, how != replay.Fresh, how.Wrong())
			require.True(t, strings.HasPrefix(string(r.Body), `{"id":"evt_1"}`))
		}
	}
}

func TestWhatCannotBeWrongIsSaid(t *testing.T) {
	t.Parallel()
	_, _, err := signed(t, "github", replay.Stale, "one")
	require.ErrorContains(t, err, "never too old")
	_, _, err = signed(t, "github", "nonsense", "one")
	require.ErrorContains(t, err, "nonsense")
	_, _, err = signed(t, "github", replay.Fresh, "")
	require.Error(t, err)
	nobody := &capture.Provider{Title: "Acme"}
	require.ErrorContains(t, replay.Fresh.Sign(nobody, &capture.Request{}, "one", noon), "only Acme has the key")
	require.NoError(t, replay.AsReceived.Sign(nobody, &capture.Request{}, "", noon))
	covers := &capture.Provider{
		Title: "Token",
		Sign:  func(*capture.Request, capture.Secret, time.Time) error { return nil },
		Verify: func(*capture.Request, []capture.Secret, time.Time) capture.Signature {
			return capture.Signature{Status: capture.Authenticated}
		},
	}
	require.ErrorContains(t, replay.Altered.Sign(covers, &capture.Request{}, "one", noon), "does not sign the body")
	require.ErrorContains(t, replay.Unsigned.Sign(covers, &capture.Request{}, "one", noon), "in the body")
}
