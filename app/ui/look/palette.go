package look

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Colours of ours, beside those of the theme package.
const (
	ColorSurface   fyne.ThemeColorName = "anyhook-surface"    // behind lists, tables and bodies
	ColorStripe    fyne.ThemeColorName = "anyhook-stripe"     // behind every other row
	ColorRowHover  fyne.ThemeColorName = "anyhook-row-hover"  // behind the row under the pointer
	ColorMuted     fyne.ThemeColorName = "anyhook-muted"      // text that is not what one looks for
	ColorOK        fyne.ThemeColorName = "anyhook-ok"         // text and dots of what went well
	ColorWarn      fyne.ThemeColorName = "anyhook-warn"       // … of what may need attention
	ColorBad       fyne.ThemeColorName = "anyhook-bad"        // … of what failed
	ColorInfo      fyne.ThemeColorName = "anyhook-info"       // … of what is good to know
	ColorAccent    fyne.ThemeColorName = "anyhook-accent"     // … of what a person did
	ColorOKSoft    fyne.ThemeColorName = "anyhook-ok-soft"    // behind a badge
	ColorWarnSoft  fyne.ThemeColorName = "anyhook-warn-soft"  // behind a badge
	ColorBadSoft   fyne.ThemeColorName = "anyhook-bad-soft"   // behind a badge
	ColorInfoSoft  fyne.ThemeColorName = "anyhook-info-soft"  // behind a badge
	ColorSoft      fyne.ThemeColorName = "anyhook-soft"       // behind a badge
	ColorKey       fyne.ThemeColorName = "anyhook-key"        // of a JSON object, or a header's name
	ColorString    fyne.ThemeColorName = "anyhook-string"     // in a body
	ColorNumber    fyne.ThemeColorName = "anyhook-number"     // in a body
	ColorWord      fyne.ThemeColorName = "anyhook-word"       // true, false, null
	ColorPunct     fyne.ThemeColorName = "anyhook-punct"      // braces, commas, line numbers
	ColorEscape    fyne.ThemeColorName = "anyhook-escape"     // what stands for a character that cannot be shown
	ColorFound     fyne.ThemeColorName = "anyhook-found"      // behind what find found
	ColorFoundHere fyne.ThemeColorName = "anyhook-found-here" // … of the one it is at, which has a border too

	ColorAccentSoft fyne.ThemeColorName = "anyhook-accent-soft" // behind a badge
)

func own(name fyne.ThemeColorName) bool { return strings.HasPrefix(string(name), "anyhook-") }

type colors map[fyne.ThemeColorName]color.Color

func palette(v fyne.ThemeVariant) colors {
	if v == theme.VariantDark {
		return dark
	}
	return light
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff} //nolint:gosec // three bytes of one
}

func black(alpha uint8) color.NRGBA { return color.NRGBA{A: alpha} }
func white(alpha uint8) color.NRGBA { return color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: alpha} }

var light = colors{
	theme.ColorNameBackground:                rgb(0xf8f9fa),
	theme.ColorNameForeground:                rgb(0x1b1f27),
	theme.ColorNameButton:                    rgb(0xebedf1),
	theme.ColorNameDisabledButton:            rgb(0xf1f2f5),
	theme.ColorNameDisabled:                  rgb(0x666d79),
	theme.ColorNamePlaceHolder:               rgb(0x626975),
	theme.ColorNamePrimary:                   rgb(0x4a50d8),
	theme.ColorNameForegroundOnPrimary:       rgb(0xffffff),
	theme.ColorNameFocus:                     color.NRGBA{R: 0x4a, G: 0x50, B: 0xd8, A: 0x40},
	theme.ColorNameHyperlink:                 rgb(0x3f46c9),
	theme.ColorNameError:                     rgb(0xb3261e),
	theme.ColorNameForegroundOnError:         rgb(0xffffff),
	theme.ColorNameWarning:                   rgb(0x8a5200),
	theme.ColorNameForegroundOnWarning:       rgb(0xffffff),
	theme.ColorNameSuccess:                   rgb(0x14693a),
	theme.ColorNameForegroundOnSuccess:       rgb(0xffffff),
	theme.ColorNameHeaderBackground:          rgb(0xf1f2f5),
	theme.ColorNameHover:                     black(0x0d),
	theme.ColorNamePressed:                   black(0x1a),
	theme.ColorNameInputBackground:           rgb(0xf1f3f7),
	theme.ColorNameInputBorder:               rgb(0x8a909c),
	theme.ColorNameMenuBackground:            rgb(0xffffff),
	theme.ColorNameOverlayBackground:         rgb(0xffffff),
	theme.ColorNameScrollBar:                 black(0x38),
	theme.ColorNameScrollBarBackground:       black(0x06),
	theme.ColorNameSelection:                 rgb(0xdde4fb),
	theme.ColorNameSeparator:                 rgb(0xe2e4e9),
	theme.ColorNameShadow:                    black(0x33),
	theme.ColorNameInnerWindowBorder:         rgb(0xe2e4e9),
	theme.ColorNameInnerWindowBorderInactive: rgb(0xeceef2),

	ColorSurface:  rgb(0xffffff),
	ColorStripe:   rgb(0xf8f9fb),
	ColorRowHover: rgb(0xeff1f6),
	ColorMuted:    rgb(0x5b626e),

	ColorOK: rgb(0x14693a), ColorOKSoft: rgb(0xe0f3e7),
	ColorWarn: rgb(0x804c00), ColorWarnSoft: rgb(0xfdf0d5),
	ColorBad: rgb(0xad221b), ColorBadSoft: rgb(0xfce6e4),
	ColorInfo: rgb(0x1a57b0), ColorInfoSoft: rgb(0xe3eefc),
	ColorAccent: rgb(0x5a3fc0), ColorAccentSoft: rgb(0xece8fb),
	ColorSoft: rgb(0xebedf1),

	ColorKey:    rgb(0x1a4f9c),
	ColorString: rgb(0x176339),
	ColorNumber: rgb(0x9a3412),
	ColorWord:   rgb(0x7a2ea6),
	ColorPunct:  rgb(0x5b626e),
	ColorEscape: rgb(0xad221b),

	ColorFound:     rgb(0xfff0b3),
	ColorFoundHere: rgb(0xffdd80),
}

var dark = colors{
	theme.ColorNameBackground:                rgb(0x16181d),
	theme.ColorNameForeground:                rgb(0xe4e6eb),
	theme.ColorNameButton:                    rgb(0x2a2e37),
	theme.ColorNameDisabledButton:            rgb(0x22252c),
	theme.ColorNameDisabled:                  rgb(0x939ba8),
	theme.ColorNamePlaceHolder:               rgb(0x959daa),
	theme.ColorNamePrimary:                   rgb(0x939bff),
	theme.ColorNameForegroundOnPrimary:       rgb(0x10121a),
	theme.ColorNameFocus:                     color.NRGBA{R: 0x93, G: 0x9b, B: 0xff, A: 0x50},
	theme.ColorNameHyperlink:                 rgb(0xa6adff),
	theme.ColorNameError:                     rgb(0xff8f86),
	theme.ColorNameForegroundOnError:         rgb(0x1c0f0e),
	theme.ColorNameWarning:                   rgb(0xe9b962),
	theme.ColorNameForegroundOnWarning:       rgb(0x1c160b),
	theme.ColorNameSuccess:                   rgb(0x74d39d),
	theme.ColorNameForegroundOnSuccess:       rgb(0x0d1a13),
	theme.ColorNameHeaderBackground:          rgb(0x1f2229),
	theme.ColorNameHover:                     white(0x12),
	theme.ColorNamePressed:                   white(0x22),
	theme.ColorNameInputBackground:           rgb(0x1e2128),
	theme.ColorNameInputBorder:               rgb(0x6c7483),
	theme.ColorNameMenuBackground:            rgb(0x23262e),
	theme.ColorNameOverlayBackground:         rgb(0x1f2229),
	theme.ColorNameScrollBar:                 white(0x3c),
	theme.ColorNameScrollBarBackground:       white(0x08),
	theme.ColorNameSelection:                 rgb(0x2b3359),
	theme.ColorNameSeparator:                 rgb(0x2b2f38),
	theme.ColorNameShadow:                    black(0x80),
	theme.ColorNameInnerWindowBorder:         rgb(0x2b2f38),
	theme.ColorNameInnerWindowBorderInactive: rgb(0x23262e),

	ColorSurface:  rgb(0x191b21),
	ColorStripe:   rgb(0x1d2026),
	ColorRowHover: rgb(0x242830),
	ColorMuted:    rgb(0xa0a8b4),

	ColorOK: rgb(0x74d39d), ColorOKSoft: rgb(0x16301f),
	ColorWarn: rgb(0xe9b962), ColorWarnSoft: rgb(0x352a14),
	ColorBad: rgb(0xff968e), ColorBadSoft: rgb(0x3c1f1d),
	ColorInfo: rgb(0x8bb9ff), ColorInfoSoft: rgb(0x172b47),
	ColorAccent: rgb(0xb9adff), ColorAccentSoft: rgb(0x2a254b),
	ColorSoft: rgb(0x2a2e37),

	ColorKey:    rgb(0x8bb9ff),
	ColorString: rgb(0x86d3a4),
	ColorNumber: rgb(0xf0b183),
	ColorWord:   rgb(0xd0a3f5),
	ColorPunct:  rgb(0xa0a8b4),
	ColorEscape: rgb(0xff968e),

	ColorFound:     rgb(0x373013),
	ColorFoundHere: rgb(0x453b12),
}
