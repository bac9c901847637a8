package session

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/tunnel"
	"anyhook.net/desktop/tunnel/ngrok"
)

// What can go wrong with a tunnel is said in every language: what happened,
// and what to do about it.
func TestEveryTroubleOfATunnelIsTranslated(t *testing.T) {
	words := ngrok.Words()
	for _, bad := range []string{"", "https://", "https://me@hooks.example.com", "https://hooks.example.com/in"} {
		_, err := tunnel.ParseURL(bad)
		e, ok := errors.AsType[*tunnel.Error](err)
		require.True(t, ok, bad)
		words = append(words, e.Advice)
	}
	t.Cleanup(func() { text.Use("en") })
	for _, w := range words {
		seen := map[string]bool{}
		for _, l := range text.Langs() {
			text.Use(l.Tag)
			for _, key := range []string{"tunnel.what." + w, "tunnel.do." + w} {
				said := text.T(key)
				require.NotEqual(t, key, said, "nobody translated it")
				require.False(t, seen[said], "%s is not translated to %s", key, l.Name)
				seen[said] = true
			}
		}
	}
}
