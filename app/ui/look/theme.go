package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"anyhook.net/desktop/assets"
)

// A Mode says whether the theme is light or dark.
type Mode int

// The modes.
const (
	System Mode = iota // as the desktop says
	Light
	Dark
)

// Theme is the theme of the program. Give it to Settings().SetTheme, and give
// it again after changing a field: the same pointer is applied anew.
type Theme struct {
	Mode  Mode
	Scale float32 // of all text; 0 means 1

	Compact bool // rows of lists closer together

	base fyne.Theme
}

// NewTheme makes the theme.
func NewTheme(mode Mode) *Theme { return &Theme{Mode: mode, base: theme.DefaultTheme()} }

func (t *Theme) variant(v fyne.ThemeVariant) fyne.ThemeVariant {
	switch t.Mode {
	case Light:
		return theme.VariantLight
	case Dark:
		return theme.VariantDark
	default:
		return v
	}
}

// Color implements fyne.Theme.
func (t *Theme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	v = t.variant(v)
	if c, ok := palette(v)[name]; ok {
		return c
	}
	return t.base.Color(name, v)
}

var cjk = &fyne.StaticResource{StaticName: "AnyHookCJK.otf", StaticContent: assets.CJK}

// Font implements fyne.Theme. Fyne looks into its own font of the style second,
// which is where Latin comes from.
func (t *Theme) Font(style fyne.TextStyle) fyne.Resource {
	if style.Symbol {
		return t.base.Font(style)
	}
	return cjk
}

// Icon implements fyne.Theme.
func (t *Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return t.base.Icon(name) }

// sizes is the density of the program: compact, and calm.
var sizes = map[fyne.ThemeSizeName]float32{
	theme.SizeNamePadding:            4,
	theme.SizeNameInnerPadding:       6,
	theme.SizeNameLineSpacing:        3,
	theme.SizeNameInlineIcon:         16,
	theme.SizeNameScrollBar:          10,
	theme.SizeNameScrollBarSmall:     4,
	theme.SizeNameScrollBarRadius:    4,
	theme.SizeNameSeparatorThickness: 1,
	theme.SizeNameInputBorder:        1,
	theme.SizeNameInputRadius:        5,
	theme.SizeNameSelectionRadius:    4,
}

var textSizes = map[fyne.ThemeSizeName]float32{
	theme.SizeNameText:           13,
	theme.SizeNameCaptionText:    11,
	theme.SizeNameSubHeadingText: 15,
	theme.SizeNameHeadingText:    20,
}

// sizeRow is the room in a row of a list, above and below its text together.
const sizeRow fyne.ThemeSizeName = "anyhook.row"

// Size implements fyne.Theme.
func (t *Theme) Size(name fyne.ThemeSizeName) float32 {
	if name == sizeRow && t.Compact {
		return 3
	} else if name == sizeRow {
		return 10
	}
	if s, ok := textSizes[name]; ok {
		if t.Scale > 0 {
			s *= t.Scale
		}
		return s
	}
	if s, ok := sizes[name]; ok {
		return s
	}
	return t.base.Size(name)
}
