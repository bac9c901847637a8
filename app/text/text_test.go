package text_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/assets"
)

// The language is one for the whole program, so these tests do not run beside each other.

func TestTheLanguageIsChosenByWhatFitsBest(t *testing.T) {
	defer text.Use("en")
	for wanted, want := range map[string]string{
		"en_US.UTF-8": "en", "zh_TW.UTF-8": "zh-TW", "zh-TW": "zh-TW", "zh_HK": "zh-TW", "C": "en", "": "en", "de_DE": "en",
	} {
		require.Equal(t, want, text.Use(wanted), wanted)
		require.Equal(t, want, text.Lang(), wanted)
	}
	require.Equal(t, "zh-TW", text.Use("xx", "zh-TW"), "the first that fits counts")
}

func TestTextsFollowTheLanguageAtRunTime(t *testing.T) {
	defer text.Use("en")
	text.Use("en")
	require.Equal(t, "1 request", text.N("status.requests", 1))
	require.Equal(t, "1,204 requests", text.N("status.requests", 1204))
	require.Equal(t, "2nd", text.Nth("badge.nth", 2))
	require.Equal(t, "11th", text.Nth("badge.nth", 11))
	text.Use("zh-TW")
	require.Equal(t, "1,204 個請求", text.N("status.requests", 1204))
	require.Equal(t, "第 2 次", text.Nth("badge.nth", 2))
}

func TestAnUnknownKeyIsShownAsItIs(t *testing.T) {
	require.Equal(t, "no.such.key", text.T("no.such.key"))
	require.Equal(t, "no.such.key", text.N("no.such.key", 2))
	require.Equal(t, "fallback", text.Or("no.such.key", "fallback"))
}

func TestSizesHaveAUnit(t *testing.T) {
	text.Use("en")
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1.0 KB", 18_400_000: "18 MB", 999_600: "1.0 MB", 1_500_000_000: "1.5 GB",
	} {
		require.Equal(t, want, text.Size(n))
	}
}

type catalogue map[string]map[string]string

func read(t *testing.T, tag string) catalogue {
	t.Helper()
	data, err := fs.ReadFile(assets.Lang, "lang/"+tag+".json")
	require.NoError(t, err)
	var raw map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(data, &raw))
	out := catalogue{}
	for key, value := range raw {
		var s string
		if json.Unmarshal(value, &s) == nil {
			out[key] = map[string]string{"other": s}
			continue
		}
		var forms map[string]string
		require.NoError(t, json.Unmarshal(value, &forms), key)
		out[key] = forms
	}
	return out
}

var verb = regexp.MustCompile(`%(\[\d+\])?[a-z]`)

func placeholders(s string) []string {
	found := verb.FindAllString(strings.ReplaceAll(s, "%%", ""), -1)
	slices.Sort(found)
	return slices.Compact(found)
}

func TestCataloguesHaveTheSameKeysAndPlaceholders(t *testing.T) {
	en := read(t, "en")
	for _, lang := range text.Langs() {
		other := read(t, lang.Tag)
		for key, forms := range en {
			require.Contains(t, other, key, lang.Tag)
			require.Contains(t, other[key], "other", lang.Tag+" "+key)
			require.Equal(t, placeholders(forms["other"]), placeholders(other[key]["other"]), lang.Tag+" "+key)
			for form, s := range other[key] {
				require.NotEmpty(t, strings.TrimSpace(s), lang.Tag+" "+key)
				require.Subset(t, placeholders(forms["other"]), placeholders(s), lang.Tag+" "+key+" "+form)
				require.NotContains(t, placeholders(s), "%s", "placeholders are numbered: "+key)
			}
		}
		for key := range other {
			require.Contains(t, en, key, lang.Tag+" has a key that English lacks")
		}
	}
}

// uses finds the keys that the program asks for: whole ones, and the beginnings
// of those that are put together ("kind." + word).
func uses(t *testing.T) (whole, beginnings map[string]string) {
	t.Helper()
	whole, beginnings = map[string]string{}, map[string]string{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		f, err := parser.ParseFile(token.NewFileSet(), path, src, 0)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || !asks(call.Fun) {
				return true
			}
			arg := call.Args[0]
			sum, put := arg.(*ast.BinaryExpr)
			if put {
				for {
					left, deeper := sum.X.(*ast.BinaryExpr)
					if !deeper {
						break
					}
					sum = left
				}
				arg = sum.X
			}
			lit, ok := arg.(*ast.BasicLit)
			if !ok {
				return true
			}
			key, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			if put {
				beginnings[key] = path
			} else {
				whole[key] = path
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	return whole, beginnings
}

// asks reports whether a call is one of text.T, N, Nth and Or.
func asks(fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "text" && slices.Contains([]string{"T", "N", "Nth", "Or"}, sel.Sel.Name)
}

func TestEveryKeyInUseIsThereAndEveryKeyIsInUse(t *testing.T) {
	en := read(t, "en")
	whole, beginnings := uses(t)
	for key, where := range whole {
		require.Contains(t, en, key, where)
	}
	for begin, where := range beginnings {
		found := false
		for key := range en {
			found = found || strings.HasPrefix(key, begin)
		}
		require.True(t, found, "%s asks for %s…, and there is none", where, begin)
	}
	for key := range en {
		_, used := whole[key]
		for begin := range beginnings {
			used = used || strings.HasPrefix(key, begin)
		}
		require.True(t, used || key == "size.bytes", "nothing asks for %s", key)
	}
}
