package text

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"

	"anyhook.net/desktop/assets"
)

// facts are sentences on providers, by language and by "<provider>.<field>".
var facts = mustLoadFacts(assets.Facts)

// mustLoadFacts reads the embedded files; a test reads them too, so it cannot fail in the field.
func mustLoadFacts(files fs.FS) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, l := range names {
		data, err := fs.ReadFile(files, path.Join("lang", "facts", l.Tag+".json"))
		if err != nil {
			continue // English is in capture/provider itself
		}
		var words map[string]string
		if err := json.Unmarshal(data, &words); err != nil {
			panic(fmt.Errorf("read the facts in %s: %w", l.Tag, err))
		}
		all[l.Tag] = words
	}
	return all
}

// Fact returns a sentence on a provider in the language in use; the English
// one if nobody has put it into that language.
func Fact(provider, field, english string) string {
	if s, ok := facts[Lang()][provider+"."+field]; ok && english != "" {
		return s
	}
	return english
}
