package assets

import _ "embed"

// Icon is the program's, a PNG.
//
//go:embed icon.png
var Icon []byte

// Changelog says what is new, in Markdown, the newest version first.
//
//go:embed CHANGELOG.md
var Changelog string
