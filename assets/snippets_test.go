package assets

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEverySnippetIsOffered(t *testing.T) {
	t.Parallel()
	files, err := snippets.ReadDir("snippets")
	require.NoError(t, err)
	all := Snippets()
	require.Len(t, all, len(files))
	for _, s := range all {
		require.NotEmpty(t, s.Title)
		require.Contains(t, s.Code, "erify(", s.Title)
	}
}
