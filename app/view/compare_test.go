package view_test

import (
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
	for _, d := range view.Compare(a, a) {
		require.True(t, d.Same, d.Name)
	}
}
