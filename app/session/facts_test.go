package session

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/assets"
	"anyhook.net/desktop/capture/provider"
)

// What is told of providers is told in every language, and nothing is told of what is not there.
func TestFactsOfProvidersAreTranslated(t *testing.T) {
	t.Parallel()
	data, err := assets.Facts.ReadFile("lang/facts/zh-TW.json")
	require.NoError(t, err)
	var words map[string]string
	require.NoError(t, json.Unmarshal(data, &words))
	want := map[string]bool{}
	for _, p := range provider.All {
		for field, said := range map[string]string{"setup": p.Setup, "note": p.Note, "disabled": p.Disabled} {
			if said == "" {
				continue
			}
			want[p.Name+"."+field] = true
			require.NotEmpty(t, words[p.Name+"."+field], "%s.%s: %s", p.Name, field, said)
		}
	}
	for key := range words {
		require.True(t, want[key], "nothing is told of %s", key)
	}
}
