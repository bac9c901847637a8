package session

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/plan"
	"anyhook.net/desktop/tunnel"
	"anyhook.net/desktop/tunnel/ngrok"
	"anyhook.net/desktop/tunnel/ngrok/ngroktest"
)

// A notebook is a log that a test can read.
type notebook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (n *notebook) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(p)
}

func (n *notebook) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.String()
}

// Whatever goes wrong, no secret is in any file but the one that is for them,
// in no line of the log, in no error, and in nothing that is exported.
func TestSecretsAreNowhereButInTheirFile(t *testing.T) {
	t.Parallel()
	edge, err := ngroktest.Start(ngroktest.Token)
	require.NoError(t, err)
	t.Cleanup(edge.Close)
	secrets := []string{
		"whsec_c2VjcmV0LW51bWJlci1vbmUtb2YtdGhyZWU=", "hunter2-github-secret", "shpss_0123456789abcdef0123456789abcdef", "8f742231b10e8888abcd99yyyzzz85a5",
		"2wrongwrongwrongwrongwrongwr_7wrongwrongwrongwrong", ngroktest.Token,
	}
	dir, out := t.TempDir(), t.TempDir()
	log := &notebook{}
	cfg := Config{
		Dir: dir, Logger: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Ngrok: func(b *ngrok.Backend) { b.ConnectURL, b.ConnectCAs = edge.ConnectAddr(), edge.CAs() },
	}
	h := handle(t, func(heard) string { return "HTTP/1.1 401 No\r\nContent-Length: 17\r\n\r\ninvalid signature" })
	var said []string
	func() {
		d := beginWith(t, cfg)
		for i, name := range []string{"stripe", "github", "shopify", "slack"} {
			ep := capture.Endpoint{Name: name, Path: "/" + name, Provider: name, Secrets: []capture.Secret{capture.Secret(secrets[i])}, Target: h.url}
			require.NoError(t, d.SaveEndpoint(t.Context(), "", ep))
			require.NoError(t, d.SendSample(t.Context(), name, d.Samples(name)[0]))
		}
		d.say(github("/github", `{"a":1}`, "a guess", "Authorization: Bearer ah-secret-bearer"))
		d.say("GET / HTTP/1.1\r\nX Bad: Bearer ah-secret-bearer\r\n\r\n")
		var all []*capture.Request
		for n := range d.Status().Requests {
			all = append(all, d.stored(n+1))
		}
		run := d.replayed(plan.Once(ids(all...), replay.Fresh), "")
		said = append(said, run.Note, run.Err)
		for _, token := range secrets[4:] {
			said = append(said, connectedOrRefused(d, token))
		}
		for _, redact := range []bool{true, false} {
			for _, format := range []string{"fixture", "curl"} {
				folder := filepath.Join(out, format, map[bool]string{true: "redacted"}[redact])
				require.NoError(t, os.MkdirAll(folder, 0o700))
				_, err := d.Export(t.Context(), folder, format, redact, ids(all[:5]...))
				require.NoError(t, err)
			}
		}
		secrets = append(secrets, d.keep.sample.Reveal())
		require.NoError(t, d.Close())
	}()
	files := 0
	for _, root := range []string{dir, out} {
		require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			require.NoError(t, err)
			if root == dir {
				require.Zero(t, info.Mode().Perm()&0o077, "%s can be read by others", path)
			}
			if filepath.Base(path) == "secrets.json" {
				return nil
			}
			files++
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, s := range secrets {
				require.NotContains(t, string(got), s, path)
			}
			if filepath.Base(filepath.Dir(path)) == "redacted" {
				require.NotContains(t, string(got), "ah-secret-bearer", path)
			}
			return nil
		}))
	}
	require.Greater(t, files, 10)
	require.NotEmpty(t, log.String())
	for _, s := range append(secrets, "ah-secret-bearer") {
		require.NotContains(t, log.String(), s)
		for _, text := range said {
			require.NotContains(t, text, s)
		}
	}
}

// connectedOrRefused tries a token and returns what is said of it.
func connectedOrRefused(d *desk, token string) string {
	d.t.Helper()
	require.NoError(d.t, d.Connect(d.t.Context(), view.TunnelChoice{Kind: "ngrok", Token: token}))
	var st tunnel.State
	d.until("the tunnel is open or refused", func() bool {
		st = d.Status().Tunnel
		return st.Phase == tunnel.Online || st.Phase == tunnel.Offline && st.Err != nil
	})
	if st.Err == nil {
		return ""
	}
	return st.Err.Error()
}
