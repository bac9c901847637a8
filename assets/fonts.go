package assets

import _ "embed"

// CJK is an OpenType font of Chinese, Japanese and the symbols that Fyne's own
// fonts lack. It has no Latin letters, so those still come from Fyne. See
// fonts/README.md for its licence and how it is made.
//
//go:embed fonts/AnyHookCJK.otf
var CJK []byte
