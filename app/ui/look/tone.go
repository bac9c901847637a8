package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// A Tone is what a text means, which decides its colour.
type Tone int

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

// The badges of a request. word is the word for it in the user's language,
// "2nd" for Again.
func Again(word string) Badge     { return Badge{"⧉", word, Warn} }   // seen before
func Late(word string) Badge      { return Badge{"↓", word, Warn} }   // newer state was seen before it
func Handshake(word string) Badge { return Badge{"⇄", word, Info} }   // answered by us
func Stray(word string) Badge     { return Badge{"?", word, Muted} }  // no webhook
func Replayed(word string) Badge  { return Badge{"↻", word, Accent} } // sent again by a person
func Valid(word string) Badge     { return Badge{"✓", word, OK} }     // signature, check, answer
func Invalid(word string) Badge   { return Badge{"✗", word, Bad} }    // signature, check, answer
func Unknown(word string) Badge   { return Badge{"?", word, Muted} }  // without evidence
func Waiting(word string) Badge   { return Badge{"⋯", word, Info} }   // queued, or being sent
func Doubtful(word string) Badge  { return Badge{"!", word, Warn} }   // stale, missing, lost
