package assets

import "embed"

// Lang has the translations: lang/<BCP 47 tag>.json, read by app/text.
//
//go:embed lang/*.json
var Lang embed.FS

// Facts has what is told of providers in other languages than English, in
// which capture/provider tells it: lang/facts/<BCP 47 tag>.json.
//
//go:embed lang/facts/*.json
var Facts embed.FS
