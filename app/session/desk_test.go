package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/tunnel"
)

// Every sample of every provider is an event with a good signature, whether
// the endpoint has a secret or not, at any path.
func TestEverySampleIsGoodAndReachesTheHandler(t *testing.T) {
	t.Parallel()
	for _, secret := range []capture.Secret{"", "whsec_c2FtcGxlLXNlY3JldC1mb3ItYW55aG9vaw=="} {
		for _, own := range []bool{false, true} {
			t.Run("secret "+map[bool]string{true: "none", false: "set"}[secret == ""]+", endpoint "+map[bool]string{true: "own", false: "shared"}[own], func(t *testing.T) {
				t.Parallel()
				h := handle(t, taken)
				root := all(h.url)
				if secret != "" {
					for _, p := range provider.All {
						if fits := p.Fitting(secret); !slices.Contains(root.Secrets, fits) {
							root.Secrets = append(root.Secrets, fits)
						}
					}
				}
				d := begin(t, root)
				for _, p := range provider.All {
					if own {
						ep := capture.Endpoint{Name: p.Title, Path: "/of/" + p.Name, Provider: p.Name, Target: h.url}
						if secret != "" {
							ep.Secrets = []capture.Secret{p.Fitting(secret)}
						}
						require.NoError(t, d.SaveEndpoint(t.Context(), "", ep))
					}
					for _, name := range d.Samples(p.Name) {
						require.NoError(t, d.SendSample(t.Context(), p.Name, name), p.Name+" "+name)
						r := d.stored(d.Status().Requests)
						require.Equal(t, map[bool]string{true: p.Name, false: recognised(p)}[own], r.Provider, name)
						require.True(t, r.Signature.Status.Good(), "%s %s: %s", p.Name, name, r.Signature.Reason())
						require.True(t, d.Check(t.Context(), r).Status.Good())
						if own {
							require.Equal(t, p.Title, r.Endpoint)
						}
						if r.Kind == capture.Handshake {
							continue
						}
						require.NotEmpty(t, r.Events)
						require.Equal(t, 1, r.Events[0].Seen)
						require.True(t, d.tried(r, 1)[0].Outcome.OK())
					}
				}
			})
		}
	}
}

func TestASampleThatNoEndpointTakesSaysWhatToDo(t *testing.T) {
	t.Parallel()
	root := all("")
	root.Provider, root.Secrets = "stripe", []capture.Secret{"whsec_one"}
	d := begin(t, root)
	err := d.SendSample(t.Context(), "github", "push")
	require.EqualError(t, err, "the endpoint default takes requests of Stripe alone: add an endpoint for GitHub, or let default recognise each request")
	require.ErrorContains(t, d.SendSample(t.Context(), "nobody", "x"), `"nobody" is not known`)
	require.ErrorContains(t, d.SendSample(t.Context(), "stripe", "x"), "no such sample")
	require.Zero(t, d.Status().Requests)
	require.NoError(t, d.SaveEndpoint(t.Context(), "", capture.Endpoint{Name: "any", Path: "/any"}))
	require.NoError(t, d.SendSample(t.Context(), "github", d.Samples("github")[0]))
	require.Equal(t, "any", d.stored(1).Endpoint)
}

// Practising points the endpoint at the practice handler, and stopping, or
// ending AnyHook, points it back.
func TestPracticeGivesTheTargetBack(t *testing.T) {
	t.Parallel()
	const mine = "http://localhost:3000/webhooks"
	dir := t.TempDir()
	cfg := Config{Dir: dir, Listen: "127.0.0.1:0", NoKeychain: true}
	s, err := Start(t.Context(), cfg)
	require.NoError(t, err)
	require.NoError(t, s.SetEndpoints(t.Context(), all(mine)))
	require.NoError(t, s.Practice(t.Context(), false), "stopping what does not run")
	require.Equal(t, mine, s.DefaultTarget())
	for range 2 {
		require.NoError(t, s.Practice(t.Context(), true))
		require.NotEmpty(t, s.Status().Practice)
		require.Equal(t, s.Status().Practice, s.DefaultTarget())
	}
	require.NoError(t, s.SendSample(t.Context(), "stripe", s.Samples("stripe")[0]))
	d := &desk{s, t, ""}
	require.True(t, d.tried(d.stored(1), 1)[0].Outcome.OK())
	require.NoError(t, s.Practice(t.Context(), false))
	require.Equal(t, mine, s.DefaultTarget())
	require.Empty(t, s.Status().Practice)

	require.NoError(t, s.Practice(t.Context(), true))
	require.NoError(t, s.Close())
	s, err = Start(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.Equal(t, mine, s.DefaultTarget(), "after a restart")

	require.NoError(t, s.Practice(t.Context(), true))
	require.NoError(t, s.SetEndpoints(t.Context(), all("http://localhost:4000")))
	require.NoError(t, s.Practice(t.Context(), false))
	require.Equal(t, "http://localhost:4000", s.DefaultTarget(), "chosen while practising")
}

func TestAnEndpointThatMakesNoSenseIsRefused(t *testing.T) {
	t.Parallel()
	d := begin(t, capture.Endpoint{Name: "git", Path: "/git"})
	good := capture.Endpoint{Name: "x", Path: "/x"}
	tests := []struct {
		name, says string
		change     func(*capture.Endpoint)
	}{
		{"no name", "name", func(e *capture.Endpoint) { e.Name = " " }},
		{"a name with a line end", "name", func(e *capture.Endpoint) { e.Name = "a\nb" }},
		{"a name twice", "another endpoint is called git", func(e *capture.Endpoint) { e.Name = "git" }},
		{"a path twice", "the endpoint git has the path /git", func(e *capture.Endpoint) { e.Path = "/git/" }},
		{"a path without a slash", "starts with /", func(e *capture.Endpoint) { e.Path = "x" }},
		{"a path with a query", "no ?", func(e *capture.Endpoint) { e.Path = "/x?y" }},
		{"a provider nobody knows", `provider "strpe"`, func(e *capture.Endpoint) { e.Provider = "strpe" }},
		{"a target that is none", "target", func(e *capture.Endpoint) { e.Target = "ftp://x" }},
		{"a target with a password", "password", func(e *capture.Endpoint) { e.Target = "http://a:hunter2@localhost" }},
		{"a status that is none", "fixed.status", func(e *capture.Endpoint) { e.Reply, e.Fixed.Status = capture.FixedReply, 99 }},
		{"a reply that is none", `reply "later"`, func(e *capture.Endpoint) { e.Reply = "later" }},
		{"a deadline before now", "deadline", func(e *capture.Endpoint) { e.Deadline = -time.Second }},
	}
	for _, tt := range tests {
		e := good
		tt.change(&e)
		err := d.SaveEndpoint(t.Context(), "", e)
		require.ErrorContains(t, err, tt.says, tt.name)
		require.NotContains(t, err.Error(), "hunter2")
	}
	all, err := d.Endpoints(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.NoError(t, d.SaveEndpoint(t.Context(), "", good))
	require.ErrorContains(t, d.DeleteEndpoint(t.Context(), DefaultEndpoint), "stays")
	require.NoError(t, d.DeleteEndpoint(t.Context(), "x"))
	require.Error(t, d.DeleteEndpoint(t.Context(), "x"))
}

func TestTheStatusSaysWhereThingsStand(t *testing.T) {
	t.Parallel()
	h := handle(t, func(x heard) string {
		if strings.Contains(string(x.body), "bad") {
			return "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"
		}
		return ok200
	})
	d := begin(t, all(h.url), capture.Endpoint{Name: "down", Path: "/down", Target: "http://" + nobody(t)}, capture.Endpoint{Name: "none", Path: "/none"})
	d.until("one listens and one does not", func() bool {
		st := d.Status().Targets
		return len(st) == 2 && st[0].Listening != st[1].Listening && !st[0].Since.IsZero() && !st[1].Since.IsZero()
	})
	for _, raw := range []string{posted("/in", "good"), posted("/in", "bad"), posted("/down", "1"), posted("/none", "1")} {
		d.say(raw)
	}
	d.until("all are tried", func() bool {
		st := d.Status()
		return st.Waiting == 2 && st.Requests == 4 && d.standing(2).Progress == replay.Retrying // and the one that nobody hears
	})
	st := d.Status()
	require.NoError(t, st.Store)
	require.Positive(t, st.FileSize)
	require.Equal(t, "http://"+d.addr, st.LocalURL)
	require.Empty(t, st.PublicURL)
	require.EqualValues(t, capture.DefaultMaxBody, st.MaxBody)
	require.Equal(t, filepath.Join(st.DataDir, filepath.Base(st.TokenIn)), st.TokenIn)
	_, err := os.Stat(filepath.Join(st.DataDir, FileName))
	require.NoError(t, err)
	require.True(t, d.Listening(t.Context(), h.url))
	require.False(t, d.Listening(t.Context(), "http://"+nobody(t)))
}

func TestATunnelThatCannotBeIsRefusedAndChangesNothing(t *testing.T) {
	t.Parallel()
	d := begin(t)
	require.ErrorContains(t, d.Connect(t.Context(), view.TunnelChoice{Kind: "ngrok"}), "no ngrok authtoken")
	require.Error(t, d.Connect(t.Context(), view.TunnelChoice{Kind: "own", URL: "not a url"}))
	require.ErrorContains(t, d.Connect(t.Context(), view.TunnelChoice{Kind: "smoke"}), `no tunnel "smoke"`)
	require.Equal(t, "none", d.Status().Choice.Kind)
	require.Equal(t, tunnel.Offline, d.Status().Tunnel.Phase)
}

// recognised is whose a provider's requests are taken for where no endpoint
// names it: some cannot be told from others who follow the same standard.
func recognised(p capture.Provider) string {
	if slices.Contains([]string{"anthropic", "brex"}, p.Name) {
		return "standardwebhooks"
	}
	return p.Name
}
