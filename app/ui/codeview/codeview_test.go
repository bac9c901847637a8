package codeview

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
)

func show(t testing.TB) (*View, fyne.Window) {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.NewTheme(look.Light))
	v := New()
	w := test.NewTempWindow(t, v)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(500, 300))
	return v, w
}

func (v *View) keysTyped(names ...fyne.KeyName) {
	for _, n := range names {
		v.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

// place is where a column of a row in sight is in the widget.
func (v *View) place(row, col int) fyne.Position {
	return fyne.NewPos(v.gutter()-v.left+float32(col)*v.cell.Width+1, float32(row-v.top)*v.cell.Height-v.frac+4)
}

func (v *View) press(row, col int, held fyne.KeyModifier) {
	v.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: v.place(row, col)}, Button: desktop.MouseButtonPrimary, Modifier: held})
}

// seen is the text on the screen, piece by piece.
func seen(t *testing.T, v *View) string {
	t.Helper()
	var out []string
	for _, o := range test.TempWidgetRenderer(t, v).Objects() {
		if s, ok := o.(*canvas.Text); ok {
			out = append(out, s.Text)
		}
	}
	return strings.Join(out, "|")
}

func TestJSONIsSelectedByPointerAndCopiedAsItIsShown(t *testing.T) {
	v, w := show(t)
	v.ShowJSON([]byte(`{"amount":1.00,"amount":2,"名前":"山田"}`))
	v.press(1, 2, 0)
	require.Equal(t, fyne.Focusable(v), w.Canvas().Focused())
	v.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: v.place(3, 8)}})
	v.DragEnd()
	v.TypedShortcut(&fyne.ShortcutCopy{})
	require.Equal(t, "\"amount\": 1.00,\n  \"amount\": 2,\n  \"名前\"", fyne.CurrentApp().Clipboard().Content())
	v.press(1, 5, 0)
	v.press(1, 9, fyne.KeyModifierShift)
	require.Equal(t, "ount", string(v.Selected()))
	v.DoubleTapped(&fyne.PointEvent{Position: v.place(1, 13)})
	require.Equal(t, "1.00", string(v.Selected()))
	v.DoubleTapped(&fyne.PointEvent{Position: v.place(3, 11)})
	require.Equal(t, "山田", string(v.Selected()))
}

func TestSelectAllCopiesTheVeryBytesOfText(t *testing.T) {
	v, _ := show(t)
	all := "a\r\nb\tc\n\x1b[31m\u202e\xff\xfe漢字\u0301 \r x" + strings.Repeat("long", 2000) + "\n"
	for _, wrap := range []bool{false, true} {
		v.SetWrap(wrap)
		v.ShowText([]byte(all))
		v.TypedShortcut(&fyne.ShortcutSelectAll{})
		require.Equal(t, all, string(v.Selected()))
	}
	v.ShowHead([]byte("POST / HTTP/1.1\r\nX-a:  1\r\nx-A:\t2\r\n\r\n"))
	v.SelectAll()
	require.Equal(t, "POST / HTTP/1.1\r\nX-a:  1\r\nx-A:\t2\r\n\r\n", string(v.Selected()))
	v.ShowJSON([]byte(`{"a":[1,"` + strings.Repeat("x", 500) + `"]}`))
	v.SelectAll()
	require.Equal(t, "{\n  \"a\": [\n    1,\n    \""+strings.Repeat("x", 500)+"\"\n  ]\n}", strings.TrimRight(strings.ReplaceAll(string(v.Selected()), "x    x", "xx"), "\n"))
}

func TestKeysMoveAndSelect(t *testing.T) {
	v, w := show(t)
	w.Canvas().Focus(v)
	held := fyne.KeyModifier(0)
	v.Mods = func() fyne.KeyModifier { return held }
	v.ShowText([]byte("ab漢\u0301c\n\xffxyz\nlast"))
	v.keysTyped(fyne.KeyRight, fyne.KeyRight)
	held = fyne.KeyModifierShift
	v.keysTyped(fyne.KeyRight)
	require.Equal(t, "漢\u0301", string(v.Selected()), "a mark stays with what it stands on")
	v.keysTyped(fyne.KeyRight, fyne.KeyRight, fyne.KeyRight)
	require.Equal(t, "漢\u0301c\n\xff", string(v.Selected()))
	v.keysTyped(fyne.KeyLeft, fyne.KeyLeft, fyne.KeyLeft, fyne.KeyLeft)
	require.Empty(t, v.Selected())
	held = 0
	v.keysTyped(fyne.KeyHome)
	held = fyne.KeyModifierShift
	v.keysTyped(fyne.KeyDown, fyne.KeyEnd)
	require.Equal(t, "ab漢\u0301c\n\xffxyz", string(v.Selected()))
	v.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyEnd, Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift})
	require.Equal(t, "ab漢\u0301c\n\xffxyz\nlast", string(v.Selected()))
	v.keysTyped(fyne.KeyEscape)
	require.Empty(t, v.Selected())
	v.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyHome, Modifier: fyne.KeyModifierShortcutDefault})
	require.Equal(t, spot{}, v.caret)
}

func TestHostileTextIsShownForWhatItIs(t *testing.T) {
	v, _ := show(t)
	v.ShowText([]byte("pay \u202eevil\u202c \x1b[2J \x00 \xc3("))
	require.Equal(t, `pay |<U+202E>|evil|<U+202C>|<U+001B>|[2J |<U+0000>|\xC3|(|1`, seen(t, v))
	v.ShowText([]byte("a" + strings.Repeat("\u0301", 1_000_000)))
	for piece := range strings.SplitSeq(seen(t, v), "|") {
		require.LessOrEqual(t, len(piece), 9, "no tower of marks")
	}
}

func TestEveryCharacterStandsInItsOwnCells(t *testing.T) {
	v, _ := show(t)
	v.ShowText([]byte("a漢b😀c\txe\u0301f"))
	cols := map[string]float32{"a": 0, "漢": 1, "b": 3, "😀": 4, "c": 6, "x": 8, "e\u0301": 9, "f": 10}
	for _, o := range test.TempWidgetRenderer(t, v).Objects() {
		if s, ok := o.(*canvas.Text); ok && s.Text != "1" {
			require.Contains(t, cols, s.Text)
			require.InDelta(t, cols[s.Text], (s.Position().X-v.gutter())/v.cell.Width, 0.01, s.Text)
		}
	}
}

func TestFindGoesAroundAndCounts(t *testing.T) {
	v, _ := show(t)
	found := 0
	v.OnFound = func() { found++ }
	v.ShowJSON([]byte(`{"list":[` + strings.Repeat(`{"id":"evt_A"},`, 300) + `{"id":"evt_b"}]}`))
	require.Equal(t, 301, v.Find("evt_"))
	here, of, more := v.Found()
	require.Equal(t, []any{1, 301, false}, []any{here, of, more})
	v.FindNext(false)
	here, _, _ = v.Found()
	require.Equal(t, 301, here)
	require.Contains(t, seen(t, v), `"evt_b"`)
	v.FindNext(true)
	here, _, _ = v.Found()
	require.Equal(t, 1, here)
	require.Zero(t, v.top)
	require.Equal(t, 1, v.Find("evt_b"))
	require.Equal(t, 300, v.Find("EVT_a")+v.Find("evt_a"), "small letters find both")
	require.Equal(t, 300, v.Find("A"))
	require.Zero(t, v.Find("nothing"))
	v.FindNext(true)
	require.Zero(t, v.Find(""))
	require.Positive(t, found)
}

func TestFindAgreesWithTheLibrary(t *testing.T) {
	for _, b := range []string{"", "aAaA", "xaXA", "abABab", strings.Repeat("Aab", 50)} {
		for _, q := range []string{"a", "aa", "ab", "aab", "x", "b"} {
			require.Equal(t, strings.Index(strings.ToLower(b), q), indexFold([]byte(b), []byte(q)), "%q in %q", q, b)
		}
	}
}

func TestFoundInNumbersAndFarToTheRight(t *testing.T) {
	v, _ := show(t)
	b := bytes.Repeat([]byte{0}, 1000)
	copy(b[500:], "needle")
	v.ShowHex(b)
	require.Equal(t, 1, v.Find("needle"))
	require.Contains(t, seen(t, v), "6e|65|65|64|6c|65")
	r, _ := v.rows.at(500 / HexRow)
	require.Equal(t, []stretch{{22, 40}, {65, 71}}, v.columns(r, 500, 506))
	v.ShowText([]byte(strings.Repeat("x", 1500) + "needle"))
	require.Equal(t, 1, v.Find("needle"))
	require.Contains(t, seen(t, v), "needle")
	require.Positive(t, v.left)
}

func TestHexShowsOffsetNumbersAndLetters(t *testing.T) {
	v, _ := show(t)
	v.ShowHex([]byte("{\"a\":1}\n\xff\x00 0123456789"))
	v.SelectAll()
	require.Equal(t, "00000000  7b 22 61 22 3a 31 7d 0a  ff 00 20 30 31 32 33 34   {\"a\":1}... 01234\n"+
		"00000010  35 36 37 38 39                                     56789", string(v.Selected()))
}

func TestWrappedLinesFitAndFollowTheWindow(t *testing.T) {
	v, w := show(t)
	v.SetWrap(true)
	v.ShowText([]byte("head\n" + strings.Repeat("漢字 and words ", 400)))
	fits := func() {
		v.rows.rows(0, func(_ int, r row) bool {
			require.LessOrEqual(t, v.gutter()+float32(v.rows.cells(r))*v.cell.Width, v.Size().Width)
			return true
		})
		require.False(t, v.across(), "%d cells", v.widest)
	}
	fits()
	n := v.rows.n
	v.ScrollBy(0, 20*v.cell.Height)
	r, _ := v.rows.at(v.top)
	w.Resize(fyne.NewSize(300, 300))
	fits()
	require.Greater(t, v.rows.n, n)
	next, _ := v.rows.at(v.top)
	require.LessOrEqual(t, next.off, r.off, "what was at the top is there")
	require.Greater(t, next.end, r.off)
}

func TestWheelAndBarsReachBothEnds(t *testing.T) {
	v, w := show(t)
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "%d %s\n", i, strings.Repeat("=", i%300))
	}
	v.ShowText([]byte(b.String()))
	test.Scroll(w.Canvas(), fyne.NewPos(50, 50), 0, -10*v.cell.Height)
	require.Equal(t, 10, v.top)
	grab := func(x, y float32) {
		v.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}, Button: desktop.MouseButtonPrimary})
	}
	drag := func(x, y float32) {
		v.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}})
	}
	grab(497, 150)
	require.InDelta(t, 2500, v.top, 100, "not all rows are known, and it still is the middle")
	drag(497, 400)
	require.Contains(t, seen(t, v), "4999")
	v.DragEnd()
	drag(497, 0)
	require.Contains(t, seen(t, v), "4999", "let go")
	grab(497, 290)
	drag(497, -100)
	require.Zero(t, v.top)
	v.ScrollBy(0, 250*v.cell.Height)
	require.True(t, v.across())
	grab(400, 297)
	require.Positive(t, v.left)
	drag(-100, 297)
	require.Zero(t, v.left)
}

func TestViewRendersAsItIsDescribed(t *testing.T) {
	v, w := show(t)
	w.Resize(fyne.NewSize(300, 110))
	v.ShowJSON([]byte(`{"a":1,"b":["x",true]}`))
	v.press(1, 2, 0)
	v.press(1, 5, fyne.KeyModifierShift)
	v.Find("true")
	w.Canvas().Unfocus()
	test.AssertRendersToMarkup(t, "json.xml", w.Canvas())
}

// However large a body is, opening it lays out what is in sight and little more.
func TestLargeBodiesOpenAtOnce(t *testing.T) {
	const most = 400 // rows: those in sight, and the first ones, which are counted
	v, _ := show(t)
	for name, b := range largeBodies() {
		for how, open := range map[string]func([]byte){"text": v.ShowText, "json": v.ShowJSON, "hex": v.ShowHex} {
			for _, wrap := range []bool{false, true} {
				v.ShowText(nil)
				v.SetWrap(wrap)
				open(b)
				require.LessOrEqual(t, v.rows.n, most, "%s as %s", name, how)
				require.LessOrEqual(t, len(v.rows.marks), most/every+1)
				v.ScrollBy(0, 3*v.cell.Height)
				require.LessOrEqual(t, v.rows.n, most, "%s as %s, scrolled", name, how)
			}
		}
	}
}

const large = 25 << 20

func largeBodies() map[string][]byte {
	item := []byte(`{"id":"evt_1QbC2d3E4f5G","amount":1200.00,"名前":"山田","tags":["a","b"],"ok":true},`)
	minified := append([]byte(`{"data":[`), bytes.Repeat(item, large/len(item))...)
	return map[string][]byte{
		"minified":          append(minified, `null]}`...),
		"one string":        append(append([]byte{'"'}, bytes.Repeat([]byte{'x'}, large)...), '"'),
		"a million lines":   bytes.Repeat([]byte("{\"n\":1234567890123456}\n"), 1_100_000),
		"a line of letters": bytes.Repeat([]byte{'x'}, large),
		"white space":       bytes.Repeat([]byte{' '}, large),
		"brackets":          bytes.Repeat([]byte{'['}, large),
		"noughts":           make([]byte, large),
	}
}
