package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// shown are the functions whose texts are seen by people, by the place of their text.
var shown = map[string][]int{
	"NewLabel": {0}, "NewLabelWithStyle": {0}, "NewButton": {0, 1}, "NewMainButton": {0, 1}, "NewIconButton": {1}, "NewCheck": {0}, "NewInput": {0},
	"NewText": {0}, "NewSection": {0}, "NewField": {0, 2}, "NewEmpty": {0, 1}, "NewMenu": {0}, "NewMenuItem": {0}, "SetText": {0}, "SetTitle": {0},
	"NewStatus": {1}, "say": {0}, "muted": {0}, "heading": {0}, "line": {0}, "field": {0}, "openPanel": {1}, "setProblem": {1}, "button": {1}, "entry": {1}, "check": {0},
}

// allowed are texts that are the same in every language.
var allowed = []string{"", "→", "http://localhost:3000/webhooks", "/stripe", "Acme", "acme"}

func TestNoWordIsWrittenHereThatATranslatorCannotSee(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	more, err := filepath.Glob("../view/*.go")
	require.NoError(t, err)
	checked := 0
	for _, file := range slices.Concat(files, more) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				for _, at := range shown[called(n.Fun)] {
					if at < len(n.Args) {
						checked++
						refuse(t, file, n.Args[at])
					}
				}
			case *ast.KeyValueExpr: // look.Action{Title: "…"}, view.Mark{Text: "…"}
				if k, ok := n.Key.(*ast.Ident); ok && slices.Contains([]string{"Title", "Text", "Hint", "Tip", "Do", "Cancel", "Action", "PlaceHolder"}, k.Name) {
					checked++
					refuse(t, file, n.Value)
				}
			}
			return true
		})
	}
	require.Greater(t, checked, 100)
}

func called(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// refuse complains of a literal with letters in it.
func refuse(t *testing.T, file string, e ast.Expr) {
	t.Helper()
	if sum, ok := e.(*ast.BinaryExpr); ok {
		refuse(t, file, sum.X)
		refuse(t, file, sum.Y)
		return
	}
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return
	}
	s, err := strconv.Unquote(lit.Value)
	require.NoError(t, err)
	if strings.ContainsFunc(s, unicode.IsLetter) && !slices.Contains(allowed, s) && !isWord(s) {
		t.Errorf("%s writes %q, which belongs into the translations", file, s)
	}
}

// isWord reports whether s is one of the words that fixes and commands go by.
func isWord(s string) bool {
	return slices.Contains([]string{"edit-endpoint", "resign", "target", "self-signed"}, s)
}
