package reorder

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMove(t *testing.T) {
	tests := []struct {
		name, items, chosen string
		to                  int
		want                string
	}{
		{"nothing", "abcd", "", 2, "abcd"},
		{"to the front", "abcd", "c", 0, "cabd"},
		{"to the end", "abcd", "b", 4, "acdb"},
		{"before itself", "abcd", "b", 1, "abcd"},
		{"after itself", "abcd", "b", 2, "abcd"},
		{"one down", "abcd", "b", 3, "acbd"},
		{"a block up", "abcdef", "de", 1, "adebcf"},
		{"a block down", "abcdef", "ab", 5, "cdeabf"},
		{"scattered ones are gathered in their order", "abcdef", "aef", 3, "bcaefd"},
		{"into the middle of the chosen ones", "abcdef", "bde", 4, "acbdef"},
		{"all", "abc", "abc", 1, "abc"},
		{"before the front", "abc", "c", -5, "cab"},
		{"beyond the end", "abc", "a", 99, "bca"},
		{"of none", "", "", 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			items := []byte(tt.items)
			got := Move(items, func(i int) bool { return strings.Contains(tt.chosen, tt.items[i:i+1]) }, tt.to)
			require.Equal(t, tt.want, string(got))
			require.Equal(t, tt.items, string(items))
		})
	}
}

func TestMoveLosesNothingAndKeepsTheOrderOfTheOthers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		items, chosen := make([]int, rnd.IntN(12)), map[int]bool{}
		for i := range items {
			items[i] = i
			chosen[i] = rnd.IntN(3) == 0
		}
		got := Move(items, func(i int) bool { return chosen[i] }, rnd.IntN(14)-1)
		require.ElementsMatch(t, items, got)
		for _, which := range []bool{true, false} {
			part := slices.DeleteFunc(slices.Clone(got), func(i int) bool { return chosen[i] != which })
			require.True(t, slices.IsSorted(part))
		}
	}
}

func TestStep(t *testing.T) {
	tests := []struct {
		name, items, chosen string
		by                  int
		want                string
	}{
		{"up", "abcd", "c", -1, "acbd"},
		{"down", "abcd", "b", 1, "acbd"},
		{"a block up", "abcd", "cd", -1, "acdb"},
		{"a block down", "abcd", "ab", 1, "cabd"},
		{"up at the front", "abcd", "ab", -1, "abcd"},
		{"down at the end", "abcd", "cd", 1, "abcd"},
		{"scattered ones gather at the first", "abcd", "bd", -1, "abdc"},
		{"scattered ones gather at the last", "abcd", "ac", 1, "bacd"},
		{"none", "abcd", "", 1, "abcd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			chosen := func(i int) bool { return strings.Contains(tt.chosen, tt.items[i:i+1]) }
			got := tt.items
			if to, ok := step(len(tt.items), chosen, tt.by); ok {
				got = string(Move([]byte(tt.items), chosen, to))
			}
			require.Equal(t, tt.want, got)
		})
	}
}
