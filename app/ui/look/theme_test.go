package look_test

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
)

// luminance and contrast are those of WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.
func luminance(c color.Color) float64 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	linear := func(b uint8) float64 {
		s := float64(b) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(n.R) + 0.7152*linear(n.G) + 0.0722*linear(n.B)
}

func contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func TestAllTextIsReadableOnAllThatItStandsOn(t *testing.T) {
	rows := []fyne.ThemeColorName{
		theme.ColorNameBackground, look.ColorSurface, look.ColorStripe, look.ColorRowHover, theme.ColorNameSelection,
		theme.ColorNameHeaderBackground, theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground, theme.ColorNameInputBackground,
	}
	body := []fyne.ThemeColorName{look.ColorSurface, theme.ColorNameSelection, look.ColorFound, look.ColorFoundHere}
	tests := []struct {
		text []fyne.ThemeColorName
		on   []fyne.ThemeColorName
	}{
		{[]fyne.ThemeColorName{
			theme.ColorNameForeground, look.ColorMuted, look.ColorOK, look.ColorWarn, look.ColorBad, look.ColorInfo, look.ColorAccent,
		}, rows},
		{[]fyne.ThemeColorName{
			theme.ColorNameHyperlink, theme.ColorNamePrimary, theme.ColorNameError, theme.ColorNameWarning, theme.ColorNameSuccess,
			theme.ColorNameDisabled, theme.ColorNamePlaceHolder,
		}, []fyne.ThemeColorName{theme.ColorNameBackground, look.ColorSurface, theme.ColorNameInputBackground, theme.ColorNameOverlayBackground}},
		{[]fyne.ThemeColorName{
			theme.ColorNameForeground, look.ColorKey, look.ColorString, look.ColorNumber, look.ColorWord, look.ColorPunct, look.ColorEscape,
		}, body},
		{[]fyne.ThemeColorName{theme.ColorNameForeground}, []fyne.ThemeColorName{theme.ColorNameButton, look.ColorSoft}},
		{[]fyne.ThemeColorName{theme.ColorNameDisabled}, []fyne.ThemeColorName{theme.ColorNameDisabledButton}},
		{[]fyne.ThemeColorName{theme.ColorNameForegroundOnPrimary}, []fyne.ThemeColorName{theme.ColorNamePrimary}},
		{[]fyne.ThemeColorName{theme.ColorNameForegroundOnError}, []fyne.ThemeColorName{theme.ColorNameError}},
		{[]fyne.ThemeColorName{theme.ColorNameForegroundOnWarning}, []fyne.ThemeColorName{theme.ColorNameWarning}},
		{[]fyne.ThemeColorName{theme.ColorNameForegroundOnSuccess}, []fyne.ThemeColorName{theme.ColorNameSuccess}},
		{[]fyne.ThemeColorName{look.ColorMuted}, []fyne.ThemeColorName{look.ColorSoft}},
		{[]fyne.ThemeColorName{look.ColorOK}, []fyne.ThemeColorName{look.ColorOKSoft}},
		{[]fyne.ThemeColorName{look.ColorWarn}, []fyne.ThemeColorName{look.ColorWarnSoft}},
		{[]fyne.ThemeColorName{look.ColorBad}, []fyne.ThemeColorName{look.ColorBadSoft}},
		{[]fyne.ThemeColorName{look.ColorInfo}, []fyne.ThemeColorName{look.ColorInfoSoft}},
		{[]fyne.ThemeColorName{look.ColorAccent}, []fyne.ThemeColorName{look.ColorAccentSoft}},
	}
	for mode, name := range map[look.Mode]string{look.Light: "light", look.Dark: "dark"} {
		th := look.NewTheme(mode)
		for _, tt := range tests {
			for _, text := range tt.text {
				for _, on := range tt.on {
					got := contrast(th.Color(text, theme.VariantLight), th.Color(on, theme.VariantLight))
					if got < 4.5 {
						t.Errorf("%s: %s on %s has a contrast of %.2f", name, text, on, got)
					}
				}
			}
		}
	}
}

func TestLettersAreReadableOnEveryMark(t *testing.T) {
	for _, name := range []string{
		"stripe", "github", "gitlab", "shopify", "slack", "hubspot", "twilio", "paypal", "plaid", "square", "linear", "discord", "line", "meta",
		"zoom", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "standard-webhooks", "中文",
	} {
		m := look.MarkOf(name)
		require.NotEmpty(t, m.Letters, name)
		require.GreaterOrEqual(t, contrast(color.White, m.Color), 4.5, name)
	}
	require.Equal(t, look.Mark{}, look.MarkOf(""))
	require.Equal(t, "Sw", look.MarkOf("Standard-webhooks").Letters)
}

func TestTheThemeFollowsTheSystemUntilItIsForced(t *testing.T) {
	th := look.NewTheme(look.System)
	light, dark := th.Color(theme.ColorNameBackground, theme.VariantLight), th.Color(theme.ColorNameBackground, theme.VariantDark)
	require.NotEqual(t, light, dark)
	th.Mode = look.Dark
	require.Equal(t, dark, th.Color(theme.ColorNameBackground, theme.VariantLight))
	th.Mode = look.Light
	require.Equal(t, light, th.Color(theme.ColorNameBackground, theme.VariantDark))
}

func TestTextGrowsWithTheScale(t *testing.T) {
	th := look.NewTheme(look.System)
	one := th.Size(theme.SizeNameText)
	th.Scale = 1.5
	require.InDelta(t, one*1.5, th.Size(theme.SizeNameText), 0.01)
	require.Positive(t, th.Size(theme.SizeNameSubHeadingText))
}

func TestOurColoursWorkUnderAForeignTheme(t *testing.T) {
	test.NewTempApp(t)
	require.NotEqual(t, color.Transparent, look.Color(look.ColorMuted))
	require.Equal(t, fyne.CurrentApp().Settings().Theme().Color(theme.ColorNameError, fyne.CurrentApp().Settings().ThemeVariant()),
		look.Color(theme.ColorNameError))
}

// In a table of symbols, each is as wide as a letter, so that columns stay straight.
func TestSymbolsAndChineseHaveGlyphsOfTheRightWidth(t *testing.T) {
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.NewTheme(look.Light))
	mono := fyne.TextStyle{Monospace: true}
	cell := look.Text("M", 100, mono).Width
	for _, r := range "✓✗→←↑↓⇄●○◆■▲▼▴▾▸↻⏎⌘⌥⇧⋯⧉─│" {
		require.InDelta(t, cell, look.Text(string(r), 100, mono).Width, 1, "%c", r)
	}
	for _, r := range "事件請求重送签名验证イベント" {
		require.InDelta(t, 100, look.Text(string(r), 100, mono).Width, 1, "%c", r)
		require.InDelta(t, 100, look.Text(string(r), 100, fyne.TextStyle{Bold: true}).Width, 1, "%c", r)
	}
}

func TestEllipsisFitsAndKeepsRunesWhole(t *testing.T) {
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.NewTheme(look.Light))
	for _, s := range []string{"", "short", "invoice.payment_succeeded.with.a.long.name", "發票付款成功的很長的事件名稱", string(make([]byte, 100_000))} {
		for _, width := range []float32{0, 5, 40, 100, 1000} {
			got := look.Ellipsis(s, width, 13, fyne.TextStyle{})
			require.NotContains(t, got, "\ufffd")
			if got != s && got != "…" {
				require.LessOrEqual(t, look.Text(got, 13, fyne.TextStyle{}).Width, width, "%.20q", s)
			}
		}
	}
	require.Equal(t, "short", look.Ellipsis("short", 100, 13, fyne.TextStyle{}))
}
