package codeview

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func indented(b []byte) string {
	return string(bytes.Join(slices.Collect(Indent(b)), []byte("\n")))
}

func TestIndent(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"white space", " \n\t", ""},
		{"number", "1.0e+00", "1.0e+00"},
		{"object", `{"a":1,"b":[]}`, "{\n  \"a\": 1,\n  \"b\": []\n}"},
		{"indented already", "{\n    \"a\" : 1 ,\r\n\t\"b\" : { }\n}\n", "{\n  \"a\": 1,\n  \"b\": {}\n}"},
		{
			"numbers keep their spelling", `[1.00,1E5,-0,12345678901234567890.123,0.1e-7]`,
			"[\n  1.00,\n  1E5,\n  -0,\n  12345678901234567890.123,\n  0.1e-7\n]",
		},
		{"repeated keys stay, in order", `{"b":1,"a":2,"b":3}`, "{\n  \"b\": 1,\n  \"a\": 2,\n  \"b\": 3\n}"},
		{"strings keep their escapes", `{"\u0061\"\\":"\/ <\u2028> é"}`, "{\n  \"\\u0061\\\"\\\\\": \"\\/ <\\u2028> é\"\n}"},
		{"nested", `[[[{"a":[1]}]]]`, "[\n  [\n    [\n      {\n        \"a\": [\n          1\n        ]\n      }\n    ]\n  ]\n]"},
		{"several values", "{\"a\":1}\n{\"b\":2} 3 \"x\"", "{\n  \"a\": 1\n}\n{\n  \"b\": 2\n}\n3\n\"x\""},
		{"cut off", `{"a":[1,"x`, "{\n  \"a\": [\n    1,\n    \"x"},
		{"closed too often", `]}1`, "]\n}\n1"},
		{"closed by the wrong bracket", `{]`, "{\n]"},
		{"not JSON", `<b>not json</b>`, "<b>not\njson</b>"},
		{"a quote too many", `{"a"":1}`, "{\n  \"a\"\n  \":1}"},
		{"much white space", "[" + strings.Repeat(" ", 70_000) + "1" + strings.Repeat("\n  ", 1000) + "," + strings.Repeat(" \t", 999) + "]", "[\n  1,\n]"},
		{"words", `[true,null,NaN,undefined]`, "[\n  true,\n  null,\n  NaN,\n  undefined\n]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, indented([]byte(tt.in)))
		})
	}
}

// bare is b without the white space that is not in strings.
func bare(b []byte) string {
	var out strings.Builder
	in := false
	for i := 0; i < len(b); i++ {
		switch {
		case in && b[i] == '\\' && i+1 < len(b):
			out.WriteByte(b[i])
			i++
			out.WriteByte(b[i])
			continue
		case b[i] == '"':
			in = !in
		case !in && space(b[i]):
			continue
		}
		out.WriteByte(b[i])
	}
	return out.String()
}

func FuzzIndentMovesTokensAndChangesNone(f *testing.F) {
	for _, s := range []string{
		``, `{}`, `{"a":1.00,"a":[true,null,{"b":"\"\\"}]}`, "{\"a\" : \"x\ty\"}\n[1]", `{"a":[1,"x`, `]]}{`, "\"\xff\xfe\"", `["\`, `"a" "b" 1 2`, `<xml a="1"/>`,
		"[\"\u202e\u0301\", 1]", `{"k":"` + strings.Repeat("長", 100) + `"}`,
	} {
		f.Add([]byte(s), 30)
	}
	f.Fuzz(func(t *testing.T, b []byte, limit int) {
		pretty := []byte(indented(b))
		require.Equal(t, bare(b), bare(pretty))
		require.Equal(t, string(pretty), indented(pretty), "indenting twice is indenting once")
		if json.Valid(b) {
			require.True(t, json.Valid(pretty))
			var want, got bytes.Buffer
			require.NoError(t, json.Compact(&want, b))
			require.NoError(t, json.Compact(&got, pretty))
			require.Equal(t, want.String(), got.String())
		}
		// The rows of the window are the same lines, cut at any width.
		m := newJSON(b, 20+(limit&0x7fffffff)%100)
		var lines []byte
		x := newIndex(m)
		x.rows(0, func(i int, r row) bool {
			cells := 0
			for k, s := range m.spans(r) {
				if k == 0 && r.cont && s.off < 0 {
					continue // the indent of a line that goes on
				}
				cells += cellsIn(s.bytes, 0)
				lines = append(lines, s.bytes...)
			}
			lines = append(lines, r.sep...)
			require.Less(t, cells-r.indent, m.limit+80, "row %d", i)
			return true
		})
		require.Equal(t, string(pretty), strings.TrimSuffix(string(lines), "\n"))
	})
}

func TestDeepNestingCostsNoMemoryAndNoWidth(t *testing.T) {
	deep := bytes.Repeat([]byte("["), 1<<20)
	x := newIndex(newJSON(deep, lineLimit))
	x.all()
	require.Equal(t, 1<<20, x.n)
	require.Len(t, x.marks, 1<<20/every)
	r, ok := x.at(1<<20 - 1)
	require.True(t, ok)
	require.Equal(t, maxIndent, r.indent)
}

func TestIndexFindsEveryRowAgain(t *testing.T) {
	src := []byte(`{"list":[` + strings.Repeat(`{"id":1,"name":"長い名前","tags":[1,2,3]},`, 500) + `{}]}`)
	for name, m := range map[string]maker{
		"json": newJSON(src, 40), "plain": plainMaker{b: bytes.ReplaceAll(src, []byte(","), []byte(",\r\n")), limit: 25}, "hex": hexMaker{src},
	} {
		t.Run(name, func(t *testing.T) {
			var all []row
			newIndex(m).rows(0, func(_ int, r row) bool {
				all = append(all, r)
				return true
			})
			x := newIndex(m)
			for _, i := range []int{0, 1, every - 1, every, every + 1, len(all) - 1, len(all) / 2} {
				r, ok := x.at(i)
				require.True(t, ok)
				require.Equal(t, all[i], r)
				require.Equal(t, i, x.rowOf(r.off))
			}
			_, ok := x.at(len(all))
			require.False(t, ok)
			require.Equal(t, len(all), x.n)
		})
	}
}

func TestPlainRowsHoldEveryByte(t *testing.T) {
	for _, s := range []string{"", "a", "a\n", "\n", "\n\n", "a\r\nb", "a\rb\r\n", strings.Repeat("x", 100), "\xff\x00\n\u202e", strings.Repeat("é", 40)} {
		m := plainMaker{b: []byte(s), limit: 30}
		var got []byte
		newIndex(m).rows(0, func(_ int, r row) bool {
			for _, sp := range m.spans(r) {
				got = append(got, sp.bytes...)
			}
			got = append(got, r.sep...)
			return true
		})
		require.Equal(t, s, string(got))
	}
}
