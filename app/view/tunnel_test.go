package view_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/tunnel"
)

// The state of a URL of the user's own was green unasked.
func TestAnOwnURLIsSetUntilItIsTested(t *testing.T) {
	t.Parallel()
	clock := view.Clock{Now: func() time.Time { return noon }, Zone: time.UTC}
	s := view.Status{Tunnel: tunnel.State{Backend: "own", Phase: tunnel.Online, URL: "https://hooks.example.com", Since: noon}, PublicURL: "https://hooks.example.com", Choice: view.TunnelChoice{Kind: "own"}}
	set := view.Mark{Tone: view.Muted, Text: "Set, not tested"}
	p := view.ViewTunnel(s, clock)
	require.Equal(t, set, p.State)
	require.Equal(t, set, view.ViewBar(s).Tunnel)
	require.NotContains(t, p.Since, "online")
	require.Contains(t, p.Note, "Test from outside")
	var h view.TunnelHistory
	require.True(t, h.Note(s, noon))
	s.Tested = true
	p = view.ViewTunnel(s, clock)
	require.Equal(t, view.Mark{Tone: view.Good, Text: "Online"}, p.State)
	require.Empty(t, p.Note)
	require.True(t, h.Note(s, noon))
	require.Contains(t, h.Lines(clock)[0].Value, "Online")
	require.Contains(t, h.Lines(clock)[1].Value, "Set, not tested")
	s.Tunnel.Backend, s.Tested = "ngrok", false
	require.Equal(t, view.Good, view.ViewBar(s).Tunnel.Tone, "ngrok itself says that it is online")
}

// What the network of this machine said was put into the mouth of the service.
func TestItIsTheServiceThatSaidWhatTheServiceSaid(t *testing.T) {
	t.Parallel()
	unreachable := "failed to dial ngrok server: dial tcp 192.0.2.1:443: connect: network is unreachable"
	for _, tt := range []struct {
		err              error
		what, said, todo string
	}{
		{&tunnel.Error{Advice: "no-network", Msg: unreachable}, "could not be reached", "Seen on this machine: " + unreachable, "Check the network"},
		{&tunnel.Error{Advice: "dns", Msg: "lookup connect.ngrok-agent.com: no such host"}, "could not be found", "Seen on this machine: lookup", "Check the network and the DNS"},
		{&tunnel.Error{Code: "ERR_NGROK_107", Advice: "token-invalid", Msg: "The authtoken is invalid."}, "does not know this authtoken", "The service said: ERR_NGROK_107: The authtoken is invalid.", "Copy the current one"},
		{&tunnel.Error{Advice: "refused", Msg: "go away"}, "ngrok refused", "The service said: go away", "Look the code up"},
		{errors.New("anything else"), "anything else", "", "Is this machine online?"},
	} {
		p := view.ViewTunnel(view.Status{Tunnel: tunnel.State{Phase: tunnel.Connecting, Err: tt.err}}, view.Clock{Now: time.Now})
		require.Contains(t, p.Error, tt.what)
		require.Contains(t, p.Advice, tt.todo)
		if tt.said == "" {
			require.Empty(t, p.Said)
			continue
		}
		require.Contains(t, p.Said, tt.said)
	}
}
