package codeview

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMarkedLinesHaveASignBesideTheirNumber(t *testing.T) {
	v, _ := show(t)
	v.ShowText([]byte("a\nb\nc"))
	v.Mark(map[int]bool{2: true})
	require.Equal(t, "a|1|b|≠|2|c|3", seen(t, v))
	v.ShowText([]byte("a"))
	require.Equal(t, "a|1", seen(t, v), "another text has no marks")
}
