package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// A Tone is what a text means, which decides its colour.
type Tone int

// The tones.
const (
	Plain  Tone = iota
	Muted       // not what one looks for
	OK          // went well
	Warn        // may need attention
	Bad         // failed
	Info        // good to know
	Accent      // a person did it
)

var tones = map[Tone]struct{ text, soft fyne.ThemeColorName }{
	Plain:  {theme.ColorNameForeground, ColorSoft},
	Muted:  {ColorMuted, ColorSoft},
	OK:     {ColorOK, ColorOKSoft},
	Warn:   {ColorWarn, ColorWarnSoft},
	Bad:    {ColorBad, ColorBadSoft},
	Info:   {ColorInfo, ColorInfoSoft},
	Accent: {ColorAccent, ColorAccentSoft},
}

// Color is the colour of text and dots of this tone.
func (t Tone) Color() color.Color { return Color(tones[t].text) }

// Soft is the colour of a badge of this tone; text of [Tone.Color] is readable on it.
func (t Tone) Soft() color.Color { return Color(tones[t].soft) }

// A Badge says one thing about a row in a symbol and a word.
type Badge struct {
	Symbol string // one character, may be ""
	Word   string
	Tone   Tone
}

// The badges follow. Each takes the word for it in the language of the user.

// Again marks what was seen before: word is "2nd", say.
func Again(word string) Badge { return Badge{"⧉", word, Warn} }

// Late marks state older than what was seen before it.
func Late(word string) Badge { return Badge{"↓", word, Warn} }

// Handshake marks what we answered ourselves.
func Handshake(word string) Badge { return Badge{"⇄", word, Info} }

// Stray marks what is no webhook.
func Stray(word string) Badge { return Badge{"?", word, Muted} }

// Replayed marks what a person sent again.
func Replayed(word string) Badge { return Badge{"↻", word, Accent} }

// Imported marks what was read from a file.
func Imported(word string) Badge { return Badge{"↑", word, Muted} }

// Made marks what a person made here from another.
func Made(word string) Badge { return Badge{"✎", word, Accent} }

// Valid marks a signature, check or answer that is good.
func Valid(word string) Badge { return Badge{"✓", word, OK} }

// Invalid marks a signature, check or answer that is not.
func Invalid(word string) Badge { return Badge{"✗", word, Bad} }

// Unknown marks what there is no evidence for.
func Unknown(word string) Badge { return Badge{"?", word, Muted} }

// Waiting marks what is queued or being sent.
func Waiting(word string) Badge { return Badge{"⋯", word, Info} }

// Doubtful marks what is stale, missing or lost.
func Doubtful(word string) Badge { return Badge{"!", word, Warn} }
