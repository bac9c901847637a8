package view_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func TestTwoAttemptsSideBySideSayWhatDiffers(t *testing.T) {
	t.Parallel()
	attempt := func(head, body string) view.AttemptView {
		return view.ViewAttempt(replay.Attempt{N: 1, Start: noon, Took: 5, Outcome: replay.Outcome{Status: 200, Head: []byte(head), Body: []byte(body), BodySize: int64(len(body))}}, capture.Valid, capture.Endpoint{}, clockAt(noon))
	}
	a := attempt("HTTP/1.1 200 OK\r\nServer: a\r\nSet-Cookie: x\r\nSet-Cookie: y\r\n\r\n", "taken")
	b := attempt("HTTP/1.1 200 OK\r\nserver: b\r\nRetry-After: 3\r\n\r\n", "taxed")
	got := map[string]view.Difference{}
	for _, d := range view.Compare(a, b) {
		got[d.Name] = d
	}
	require.True(t, got["Outcome"].Same)
	require.Equal(t, view.Difference{Name: "Server", Left: "a", Right: "b"}, got["Server"])
	require.Equal(t, view.Difference{Name: "Set-Cookie", Left: "x, y"}, got["Set-Cookie"])
	require.Equal(t, "3", got["Retry-After"].Right)
	require.Equal(t, "5 bytes, other from byte 3 on", got["Body"].Right)
	require.Equal(t, "4 differences", view.Differences(view.Compare(a, b)).Text)
	for _, d := range view.Compare(a, a) {
		require.True(t, d.Same, d.Name)
	}
	later := a
	later.Time, later.Took = "12:00:09", "9 ms"
	require.Equal(t, view.Good, view.Differences(view.Compare(a, later)).Tone, "times always differ")
}

func TestLinesThatOnlyOneSideHasAreFound(t *testing.T) {
	t.Parallel()
	lines := func(s string) [][]byte { return bytes.Split([]byte(s), []byte("\n")) }
	for name, c := range map[string]struct {
		a, b        string
		left, right []int
	}{
		"the same":          {"a\nb", "a\nb", nil, nil},
		"one changed":       {"a\nb\nc", "a\nx\nc", []int{2}, []int{2}},
		"one more":          {"a\nc", "a\nb\nc", nil, []int{2}},
		"one moved":         {"a\nb\nc\nd", "b\nc\na\nd", []int{1}, []int{3}},
		"a line repeated":   {"a\na", "a\na\na", nil, []int{3}},
		"nothing in common": {"a\nb", "c", []int{1, 2}, []int{1}},
		"one is empty":      {"", "x\ny", []int{1}, []int{1, 2}},
	} {
		left, right := view.DifferingLines(lines(c.a), lines(c.b))
		require.Equal(t, c.left, slices.Sorted(maps.Keys(left)), name)
		require.Equal(t, c.right, slices.Sorted(maps.Keys(right)), name)
	}
	long := bytes.Repeat([]byte("x\n"), 3000)
	left, right := view.DifferingLines(bytes.Split(long, []byte("\n")), lines("y"+string(long)))
	require.Len(t, left, 1)
	require.Len(t, right, 1)
}
