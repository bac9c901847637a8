package supervise

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestPrintableIsWhatATerminalWouldShow(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"plain\n":                              "plain\n",
		"\x1b[1;31mred\x1b[0m":                 "red",
		"\x1b[?25lhidden cursor\x1b[?25h":      "hidden cursor",
		"\x1b[38:2::1:2:3mcolons\x1b[m":        "colons",
		"\x1b]0;title\x07after":                "after",
		"\x1b]8;;http://x\x1b\\link\x1b]8;;\a": "link",
		"\x1b]0;never ended\nnext":             "\nnext",
		"\x1bPdevice\x1b\\after":               "after",
		"\x1b(Bcharset":                        "charset",
		"\x1b=keypad":                          "keypad",
		"cut \x1b[3":                           "cut ",
		"cut \x1b":                             "cut ",
		"\x1b[31\nnext":                        "\nnext",
		"10%\r50%\r100%\ndone":                 "100%\ndone",
		"windows\r\nlines\r\n":                 "windows\nlines\n",
		"bell\a back\b nul\x00 del\x7f":        "bell back nul del",
		"tab\tstays":                           "tab\tstays",
		"\u009b31mC1":                          "31mC1",
		"\u202eturned":                         "turned",
		"中文 é 🙂":                               "中文 é 🙂",
		"bad \xff\xc3 bytes":                   "bad \ufffd\ufffd bytes",
	} {
		require.Equal(t, want, Printable([]byte(given)), "%q", given)
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add([]byte("\x1b[1;31mred\x1b[0m\r\n\x1b]0;t\x07\u202e\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := Printable(b)
		require.True(t, utf8.ValidString(s))
		require.False(t, strings.ContainsFunc(s, func(r rune) bool {
			return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
		}))
		require.Equal(t, strings.Count(string(b), "\n"), strings.Count(s, "\n"))
		require.Equal(t, s, Printable([]byte(s)))
	})
}

func TestATailKeepsTheEnd(t *testing.T) {
	t.Parallel()
	var k tail
	require.Empty(t, k.since(0))
	k.write([]byte("first\n"))
	at := k.written()
	k.write([]byte("second\n"))
	require.Equal(t, "second\n", string(k.since(at)))
	require.Equal(t, "first\nsecond\n", string(k.since(0)))
	line := []byte(strings.Repeat("x", 99) + "\n")
	for range 5000 {
		k.write(line)
	}
	kept := k.since(0)
	require.LessOrEqual(t, len(kept), maxOutput)
	require.Greater(t, len(kept), maxOutput-100)
	require.Equal(t, string(line), string(kept[:100]), "from a line on")
	require.Less(t, len(k.kept), 2*maxOutput+101)
	require.Equal(t, string(line), string(k.since(k.written()-100)))
}

func TestAnErrorHasTheLastLines(t *testing.T) {
	t.Parallel()
	require.Equal(t, "b\nc", lastLines("a\nb\nc\n\n", 2, 100))
	require.Equal(t, "…cc", lastLines("a\nb\nccc\n", 1, 2))
	require.Equal(t, "…", lastLines("中", 1, 2), "no half of a character")
	require.Empty(t, lastLines("", 3, 10))
}
