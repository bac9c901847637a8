// Package assets holds what is built into the program: fonts, translations,
// icons, sample payloads and the list of changes.
package assets
