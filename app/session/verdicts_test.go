package session

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
)

// reported is a request of capture/provider/testdata/reported.json.
type reported struct {
	Provider, URL string
	Headers       map[string]string
	Body          []byte `json:"body_b64"`
	Secret        any    // one or several
	Expect        string
	Clock         time.Time
}

func (v reported) secrets() []capture.Secret {
	var out []capture.Secret
	all, several := v.Secret.([]any)
	if !several {
		all = []any{v.Secret}
	}
	for _, s := range all {
		out = append(out, capture.Secret(fmt.Sprint(s)))
	}
	return out
}

func (v reported) raw() string {
	const base = "https://hooks.example.test"
	var raw strings.Builder
	fmt.Fprintf(&raw, "POST %s HTTP/1.1\r\nHost: hooks.example.test\r\n", strings.TrimPrefix(v.URL, base))
	for name, value := range v.Headers {
		fmt.Fprintf(&raw, "%s: %s\r\n", name, value)
	}
	fmt.Fprintf(&raw, "Content-Length: %d\r\n\r\n%s", len(v.Body), v.Body)
	return raw.String()
}

// What developers reported of signatures, sent to the real thing: the good are
// acknowledged and reach the handler unchanged, the others are answered 401,
// kept with a reason, and go nowhere. The next day the verdict is the same.
func TestReportedSignaturesGetTheirAnswer(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join("..", "..", "capture", "provider", "testdata", "reported.json"))
	require.NoError(t, err)
	var all map[string]reported
	require.NoError(t, json.Unmarshal(b, &all))
	lenient := map[string]bool{ // taken as the provider's own library does
		"stripe_future_600s": true, "github_upper_hex": true, "github_sha1_only": true, "gitlab_token_valid": true,
	}
	described := map[string]provider.Recipe{ // senders that nobody knows but their users
		"gogs":     {Name: "gogs", Title: "Gogs", Kind: "hmac", Header: "X-Gogs-Signature"},
		"hookdeck": {Name: "hookdeck", Title: "Hookdeck", Kind: "hmac", Header: "X-Hookdeck-Signature", Encoding: "base64"},
	}
	goods := 0
	for name, v := range all {
		good := strings.HasPrefix(v.Expect, "valid") && !strings.Contains(v.Expect, "invalid") || lenient[name]
		if good {
			goods++
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := handle(t, taken)
			dir := t.TempDir()
			v.Provider = strings.Replace(v.Provider, "woo", "woocommerce", 1)
			ep := capture.Endpoint{Name: DefaultEndpoint, Path: "/", Provider: v.Provider, Secrets: v.secrets(), Target: h.url}
			d := beginWith(t, Config{Dir: dir, now: func() time.Time { return v.Clock }})
			if recipe, ok := described[v.Provider]; ok {
				require.NoError(t, d.SaveRecipe(t.Context(), "", recipe))
			}
			require.NoError(t, d.SetEndpoints(t.Context(), ep))
			require.NoError(t, d.Connect(t.Context(), view.TunnelChoice{Kind: "own", URL: "https://hooks.example.test"}))
			d.until("the address is known", func() bool { return d.Status().PublicURL != "" })
			status, answer := d.say(v.raw())
			r := d.stored(1)
			require.Equal(t, v.URL, r.URL)
			if r.Kind == capture.Handshake { // Discord's ping
				require.Equal(t, http.StatusOK, status)
			} else if good {
				require.Equal(t, http.StatusOK, status, r.Signature.Reason())
				require.Empty(t, answer)
				d.tried(r, 1)
				require.Equal(t, v.Body, h.all()[0].body)
			} else {
				require.Equal(t, http.StatusUnauthorized, status)
				require.Regexp(t, `^The (time of the )?signature [a-z ]+\.\n$`, answer)
				require.NotEmpty(t, r.Signature.Reason())
				require.True(t, r.Signature.Status.Refused())
				d.stands(1, "kept")
				require.Empty(t, h.all())
			}
			for _, s := range v.secrets() {
				require.NotContains(t, r.Signature.Reason(), s.Reveal())
			}
			require.NoError(t, d.Close())

			d = beginWith(t, Config{Dir: dir, now: func() time.Time { return v.Clock.Add(24 * time.Hour) }})
			again := d.Check(t.Context(), d.stored(1))
			again.Content = nil
			require.Equal(t, r.Signature, again)
		})
	}
	require.Equal(t, 25, goods)
}
