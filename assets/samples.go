package assets

import "embed"

// Samples has requests as providers send them: samples/<provider>/<name>.http,
// read by capture/sample, which says what the {{words}} in them stand for.
//
//go:embed samples/*/*.http
var Samples embed.FS
