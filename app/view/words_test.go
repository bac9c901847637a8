package view_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/text"
)

// constants are the string constants of a file whose names begin with a prefix.
func constants(t *testing.T, file, prefix string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 || !strings.HasPrefix(v.Names[0].Name, prefix) {
			return true
		}
		if lit, ok := v.Values[0].(*ast.BasicLit); ok {
			s, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			out = append(out, s)
		}
		return true
	})
	return out
}

func TestEveryReasonOfASignatureHasASentenceAndAStep(t *testing.T) {
	t.Parallel()
	words := constants(t, "../../capture/signature.go", "Why")
	require.Greater(t, len(words), 10)
	for _, w := range words {
		for _, key := range []string{"signature.why." + w, "signature.next." + w} {
			require.NotEqual(t, key, text.T(key), "it says what went wrong, and what to do")
		}
	}
}

func TestEveryHintIsTranslated(t *testing.T) {
	t.Parallel()
	words := constants(t, "../../replay/hint.go", "Hint")
	require.Greater(t, len(words), 20)
	for _, w := range words {
		require.NotEqual(t, "hint."+w, text.T("hint."+w))
	}
}
