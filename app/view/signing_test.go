package view_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func TestAHandlerThatTakesAWrongSignatureIsToldOf(t *testing.T) {
	t.Parallel()
	sent := func(how replay.Signing, status int) view.AttemptView {
		a := replay.Attempt{N: 1, Replay: true, Signing: how, Outcome: replay.Outcome{Status: status}}
		return view.ViewAttempt(a, capture.Valid, capture.Endpoint{}, clockAt(noon))
	}
	for _, how := range replay.Signings {
		require.NotContains(t, view.SigningWord(how), "signing.", how)
		if how.Wrong() {
			require.Contains(t, sent(how, 200).Hint, view.SigningWord(how))
			require.Equal(t, text.T("hint.wrong.refused"), sent(how, 401).Hint)
			require.Contains(t, sent(how, 401).Title, view.SigningWord(how))
		} else {
			require.Empty(t, sent(how, 200).Hint)
		}
	}
}
