package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestEndpointsAreKeptWithoutTheirSecrets(t *testing.T) {
	t.Parallel()
	db := openTemp(t)
	s := NewEndpoints(db)
	stripe := capture.Endpoint{
		Name: "stripe", Path: "/stripe", Provider: "stripe", Secrets: []capture.Secret{"whsec_verysecret"}, Target: "http://localhost:3000/hooks",
		Reply: capture.FixedReply, Deadline: time.Second, Fixed: capture.Fixed{Status: 503, Body: "no", Delay: time.Minute, Times: 2},
		Timeout: -1, KeepHost: true, SelfSigned: true, Strict: true, Parallel: 4, ForwardRefused: true, AwayOK: true, PassChecks: true,
	}
	require.NoError(t, s.Save(t.Context(), "", stripe))
	require.NoError(t, s.Save(t.Context(), "", capture.Endpoint{Name: "all", Path: "/"}))
	stripe.Secrets = nil
	all, err := s.All(t.Context())
	require.NoError(t, err)
	require.Equal(t, []capture.Endpoint{stripe, {Name: "all", Path: "/"}}, all)
	var config string
	require.NoError(t, db.Read().QueryRow(`SELECT group_concat(config) FROM endpoint`).Scan(&config))
	require.NotContains(t, config, "verysecret")
	require.NotContains(t, config, "ecret")

	renamed := stripe
	renamed.Name = "Stripe live"
	require.NoError(t, s.Save(t.Context(), "stripe", renamed))
	require.ErrorIs(t, s.Save(t.Context(), "stripe", renamed), ErrNotFound)
	require.ErrorIs(t, s.Save(t.Context(), "", renamed), ErrExists)
	require.ErrorIs(t, s.Save(t.Context(), "all", renamed), ErrExists)
	require.Error(t, s.Save(t.Context(), "", capture.Endpoint{}))
	all, err = s.All(t.Context())
	require.NoError(t, err)
	require.Equal(t, []capture.Endpoint{renamed, {Name: "all", Path: "/"}}, all, "it keeps its place")

	require.NoError(t, s.Delete(t.Context(), "all"))
	require.ErrorIs(t, s.Delete(t.Context(), "all"), ErrNotFound)
	all, err = s.All(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 1)
}

func TestSettingsAreKept(t *testing.T) {
	t.Parallel()
	s := NewSettings(openTemp(t))
	value, err := s.Get(t.Context(), "lang")
	require.NoError(t, err)
	require.Empty(t, value)
	for _, want := range []string{"zh-Hant", "", "a\x00b"} {
		require.NoError(t, s.Set(t.Context(), "lang", want))
		value, err = s.Get(t.Context(), "lang")
		require.NoError(t, err)
		require.Equal(t, want, value)
	}
}
