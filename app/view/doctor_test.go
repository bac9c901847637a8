package view_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/doctor"
	"anyhook.net/desktop/replay"
)

func TestEveryCauseIsPutIntoWords(t *testing.T) {
	t.Parallel()
	for _, c := range doctor.Causes {
		detail := ""
		if c != doctor.URLUnknown && strings.HasPrefix(string(c), "url-") || strings.HasPrefix(string(c), "other-") {
			detail = "DETAIL"
		}
		d := view.Diagnose(doctor.Finding{Cause: c, Detail: detail, Content: [][]byte{[]byte("a."), []byte("b")}})
		require.NotEqual(t, string(c), d.Says)
		require.NotContains(t, d.Says, "%!")
		require.Contains(t, d.Says, detail)
		require.NotEmpty(t, d.Next, c)
		require.Equal(t, "a.b", string(d.Fits.Bytes))
	}
	require.Zero(t, view.Diagnose(doctor.Finding{}))
	require.True(t, view.Diagnose(doctor.Finding{Cause: doctor.SecretSpace}).Here)
	require.False(t, view.Diagnose(doctor.Finding{Cause: doctor.BodyPretty}).Here)
	twice := view.Diagnose(doctor.Finding{Cause: doctor.SecretSpace, Also: &doctor.Finding{Cause: doctor.URLHost, Detail: "https://a"}, Status: capture.Stale})
	require.Contains(t, twice.Says, "https://a")
	require.Contains(t, twice.Says, text.T("doctor.stale"))
}

func TestAHandlerThatRefusesWhatFitsIsShownHowToGetAtTheBytes(t *testing.T) {
	t.Parallel()
	signed := func(status capture.Status, answers ...int) bool {
		return view.HashesElse(status, attemptsThat(answers...))
	}
	require.True(t, signed(capture.Valid, http.StatusBadRequest))
	require.True(t, signed(capture.Valid, http.StatusOK, http.StatusUnauthorized))
	require.False(t, signed(capture.Valid, http.StatusBadRequest, http.StatusOK), "the last one counts")
	require.False(t, signed(capture.Valid, http.StatusInternalServerError))
	require.False(t, signed(capture.Invalid, http.StatusBadRequest))
	require.False(t, signed(capture.Valid))
}

func attemptsThat(answers ...int) []replay.Attempt {
	var out []replay.Attempt
	for _, status := range answers {
		out = append(out, replay.Attempt{Outcome: replay.Outcome{Status: status}})
	}
	return out
}
