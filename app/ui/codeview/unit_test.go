package codeview

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNothingIsInvisible(t *testing.T) {
	tests := []struct {
		in    string
		stand string
		cells int
	}{
		{"a", "", 1},
		{" ", "", 1},
		{"é", "", 1},
		{"漢", "", 2},
		{"カ", "", 2},
		{"한", "", 2},
		{"Ａ", "", 2},
		{"😀", "", 2},
		{"①", "", 2},
		{"\u3000", "", 2},
		{"\u0301", "", 0},
		{"\ufffd", "", 1},
		{"\x00", "<U+0000>", 8},
		{"\x1b", "<U+001B>", 8},
		{"\r", "<U+000D>", 8},
		{"\x7f", "<U+007F>", 8},
		{"\u0085", "<U+0085>", 8},
		{"\u00a0", "<U+00A0>", 8},
		{"\u200b", "<U+200B>", 8},
		{"\u202e", "<U+202E>", 8},
		{"\u2066", "<U+2066>", 8},
		{"\ufeff", "<U+FEFF>", 8},
		{"\u3164", "<U+3164>", 8},
		{"\ufe0f", "<U+FE0F>", 8},
		{"\ue000", "<U+E000>", 8},
		{"\U000e0041", "<U+E0041>", 9},
		{"\U0010ffff", "<U+10FFFF>", 10},
		{"\xff", `\xFF`, 4},
		{"\xe6\xbc", `\xE6`, 4},
		{"\xed\xa0\x80", `\xED`, 4},
	}
	for _, tt := range tests {
		size, cells, odd := unit([]byte(tt.in), 0)
		require.Equal(t, tt.cells, cells, "%q", tt.in)
		require.Equal(t, tt.stand != "", odd, "%q", tt.in)
		if odd {
			require.Equal(t, tt.stand, standIn([]byte(tt.in)[:size]))
			require.Len(t, tt.stand, cells)
		}
	}
}

func TestTabsReachTheNextStop(t *testing.T) {
	require.Equal(t, 9, cellsIn([]byte("a\tb\tc"), 0))
	require.Equal(t, 3, cellsIn([]byte("\t"), 1))
}

func FuzzColumnsAndBytesAgree(f *testing.F) {
	f.Add("a漢\u0301\tb\xff\u202e😀", 5)
	f.Fuzz(func(t *testing.T, s string, to int) {
		b := []byte(s)
		n := bytesTo(b, 0, to)
		require.True(t, n >= 0 && n <= len(b))
		if cells := cellsIn(b, 0); to >= cells {
			require.Equal(t, len(b), n)
		}
		for i, col := 0, 0; i < len(b); {
			size, cells, _ := unit(b[i:], col)
			require.Positive(t, size)
			require.GreaterOrEqual(t, cells, 0)
			if cells > 0 {
				require.LessOrEqual(t, bytesTo(b, 0, col), i)
			}
			i, col = i+size, col+cells
		}
	})
}
