package store

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzNeedle(f *testing.F) {
	f.Add("aB", []byte("xxAbxx"))
	f.Add("[`@{", []byte("[`@{"))
	f.Add("退", bytes.Repeat([]byte("退"), 40_000))
	f.Add("É", []byte("é"))
	f.Fuzz(func(t *testing.T, text string, hay []byte) {
		fold := func(b []byte) []byte {
			out := make([]byte, len(b))
			for i, c := range b {
				if c >= 'A' && c <= 'Z' {
					c += 'a' - 'A'
				}
				out[i] = c
			}
			return out
		}
		require.Equal(t, bytes.Contains(fold(hay), fold([]byte(text))), newNeedle(text).in(hay))
	})
}

func TestANeedleIsFoundAcrossTheEdgeOfAWindow(t *testing.T) {
	t.Parallel()
	for at := window - 8; at <= window+1; at++ {
		hay := bytes.Repeat([]byte("Z"), 3*window)
		copy(hay[at:], "NeEdLe")
		require.True(t, newNeedle("needle").in(hay), at)
		require.True(t, newNeedle("needlez").in(hay), at)
		require.False(t, newNeedle("needles").in(hay), at)
	}
	long := strings.Repeat("aB", window)
	require.True(t, newNeedle(long).in([]byte("x"+strings.ToUpper(long))))
}
