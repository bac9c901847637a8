package session

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "anyhook.net/desktop/"

// mayImport is the picture in CONTRIBUTING.md, as a table: which of our
// packages a package may import. A package that is not here fails the test, so
// a new one has to be drawn in before it can be used.
var mayImport = map[string]string{
	"assets": "",

	"capture":          "",
	"capture/wire":     "capture",
	"capture/provider": "capture",
	"capture/doctor":   "capture",
	"capture/cert":     "",
	"capture/sample":   "capture assets",
	"capture/ledger":   "capture",
	"capture/store":    "capture capture/ledger",
	"capture/secret":   "capture",
	"capture/fixture":  "capture",

	"replay":           "capture",
	"replay/plan":      "capture replay",
	"replay/deliver":   "capture replay",
	"replay/forward":   "capture replay",
	"replay/run":       "capture replay",
	"replay/journal":   "capture replay capture/store",
	"replay/probe":     "replay",
	"replay/practice":  "",
	"replay/supervise": "replay",

	"tunnel":                 "",
	"tunnel/ngrok":           "tunnel",
	"tunnel/ngrok/ngroktest": "",

	"app/text":         "assets",
	"app/view":         "app/text capture capture/doctor capture/provider replay tunnel",
	"app/view/story":   "app/view capture capture/doctor capture/provider replay tunnel",
	"app/ui/look":      "assets",
	"app/ui/grid":      "app/ui/look",
	"app/ui/codeview":  "app/ui/look",
	"app/ui/reorder":   "app/ui/look",
	"app/ui":           "app/text app/view app/ui/look app/ui/grid app/ui/codeview app/ui/reorder assets capture replay tunnel",
	"app/ui/storybook": "app/text app/view app/view/story app/ui app/ui/look app/ui/grid app/ui/codeview app/ui/reorder assets capture replay tunnel",
	"app/session": "app/text app/view assets capture capture/cert capture/doctor capture/fixture capture/ledger capture/provider capture/sample " +
		"capture/secret capture/store capture/wire replay replay/deliver replay/forward replay/journal replay/plan " +
		"replay/practice replay/probe replay/run replay/supervise tunnel tunnel/ngrok",
	"app/cli": "app/session app/text app/view assets capture capture/doctor capture/provider capture/sample capture/wire " +
		"replay replay/plan replay/practice tunnel",
	"app": "app/session app/text app/ui app/ui/look app/view assets capture tunnel",
}

// onlyIn says which of our packages may import a foreign module.
var onlyIn = map[string]string{
	"fyne.io/fyne/v2/app": "app",
	"fyne.io/":            "app app/ui app/ui/look app/ui/grid app/ui/codeview app/ui/reorder app/ui/storybook",
	"golang.ngrok.com/":   "tunnel/ngrok tunnel/ngrok/ngroktest",
	"modernc.org/":        "capture/store",
	"database/sql":        "capture/store replay/journal",
	"github.com/zalando/": "capture/secret",
}

// standardOnly are the vocabularies: they import the standard library, and each other as drawn.
var standardOnly = []string{"capture", "replay", "tunnel"}

func TestArchitecture(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-e", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...").Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		pkg = strings.TrimPrefix(pkg, module)
		may, ok := mayImport[pkg]
		if !ok {
			t.Errorf("%s is not in the picture: draw it into mayImport and CONTRIBUTING.md", pkg)
		}
		for imp := range strings.FieldsSeq(imports) {
			own, ours := strings.CutPrefix(imp, module)
			if ours && !slices.Contains(strings.Fields(may), own) {
				t.Errorf("%s imports %s", pkg, own)
			}
			for prefix, who := range onlyIn {
				if strings.HasPrefix(imp, prefix) && !slices.Contains(strings.Fields(who), pkg) {
					t.Errorf("%s imports %s; only %s may", pkg, imp, who)
				}
			}
			if !ours && slices.Contains(standardOnly, pkg) && strings.Contains(imp, ".") {
				t.Errorf("%s imports %s, and may import the standard library only", pkg, imp)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	for pkg := range mayImport {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*.go"))
		require.NoError(t, err)
		if len(files) == 0 {
			t.Errorf("%s is drawn, but not there", pkg)
			continue
		}
		documented := slices.ContainsFunc(files, func(file string) bool {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.PackageClauseOnly|parser.ParseComments)
			require.NoError(t, err)
			return f.Doc.Text() != ""
		})
		if !documented {
			t.Errorf("%s has no package comment", pkg)
		}
	}
}

// modernc.org/sqlite is generated for one exact modernc.org/libc, and
// misbehaves with another: the go.mod here must name the one that its names.
func TestLibcIsTheOneThatSQLiteWants(t *testing.T) {
	t.Parallel()
	list := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), "go", append([]string{"list", "-m"}, args...)...).Output()
		require.NoError(t, err)
		return strings.TrimSpace(string(out))
	}
	mod, err := os.ReadFile(list("-f", "{{.GoMod}}", "modernc.org/sqlite"))
	require.NoError(t, err)
	require.Contains(t, string(mod), "modernc.org/libc "+list("-f", "{{.Version}}", "modernc.org/libc")+"\n")
}
