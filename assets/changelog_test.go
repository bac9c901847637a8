package assets_test

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/assets"
)

var heading = regexp.MustCompile(`(?m)^## .*$`)

func TestEveryLanguageTellsOfTheSameVersionsAndAsManyChanges(t *testing.T) {
	t.Parallel()
	en := assets.Changelog("en")
	versions := heading.FindAllString(en, -1)
	require.Equal(t, "## "+assets.Version, versions[0], "the newest first")
	files, err := fs.Glob(assets.Lang, "lang/*.json")
	require.NoError(t, err)
	for _, f := range files {
		lang := strings.TrimSuffix(path.Base(f), ".json")
		log := assets.Changelog(lang)
		require.Equal(t, lang == "en", log == en, "%s has a list of its own", lang)
		require.Equal(t, versions, heading.FindAllString(log, -1), lang)
		require.Equal(t, strings.Count(en, "\n- "), strings.Count(log, "\n- "), lang)
	}
	require.Equal(t, en, assets.Changelog("xx"))
}
