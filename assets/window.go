package assets

import (
	"embed"
	"io/fs"
)

// Icon is the program's, a PNG.
//
//go:embed icon.png
var Icon []byte

//go:embed CHANGELOG*.md
var changelogs embed.FS

// Changelog says what is new, in Markdown, the newest version first: in the
// language with a tag, or else in English.
func Changelog(lang string) string {
	data, err := fs.ReadFile(changelogs, "CHANGELOG."+lang+".md")
	if err != nil {
		data, _ = fs.ReadFile(changelogs, "CHANGELOG.md") // it is embedded
	}
	return string(data)
}
