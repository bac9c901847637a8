package assets

import "embed"

// Lang has the translations: lang/<BCP 47 tag>.json, read by app/text.
//
//go:embed lang/*.json
var Lang embed.FS
