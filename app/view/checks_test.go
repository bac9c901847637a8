package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func TestAFormKeepsWhoAnswersSetUpChecks(t *testing.T) {
	t.Parallel()
	for _, pass := range []bool{false, true} {
		e := capture.Endpoint{Name: "notion", Path: "/notion", PassChecks: pass}
		require.Equal(t, e, view.FormOf(e).Endpoint())
	}
}

func TestAnOpenFormLearnsTheSecretThatASetUpCheckBrings(t *testing.T) {
	t.Parallel()
	bare := capture.Endpoint{Name: "notion", Path: "/notion"}
	learned := bare
	learned.Secrets = []capture.Secret{"brought"}
	old := bare
	old.Secrets = []capture.Secret{"old"}
	for _, test := range []struct {
		was  capture.Endpoint
		now  []capture.Endpoint
		want []capture.Secret
	}{
		{bare, []capture.Endpoint{{Name: "other", Secrets: []capture.Secret{"x"}}, learned}, learned.Secrets},
		{bare, []capture.Endpoint{bare}, nil},
		{bare, nil, nil},
		{old, []capture.Endpoint{learned}, nil}, // it had one, which the person may have taken out of the form
	} {
		was := view.FormOf(test.was)
		got, ok := was.Learned(was, test.now)
		require.Equal(t, test.want != nil, ok)
		require.Equal(t, test.want, got)
	}
}

func TestASetUpCheckSaysWhoAnsweredIt(t *testing.T) {
	t.Parallel()
	for note, want := range map[string]string{
		"":                  "AnyHook answered for your handler; it was not forwarded.",
		capture.NotePassed:  "It was to be answered by your handler, and did not get there.",
		capture.NoteLearned: "The secret that it brought is kept for this endpoint.",
	} {
		d := story.New(func() time.Time { return noon })
		d.Add(&capture.Request{
			Kind: capture.Handshake, Endpoint: "default", At: noon, URL: "http://x/", Method: "POST", Head: capture.NewHead("POST", "/"),
			Provider: "notion", Note: note, Answered: 200,
		}, replay.Standing{})
		v, err := view.LoadDetail(t.Context(), d, clockAt(noon), "req_000001")
		require.NoError(t, err)
		require.Contains(t, v.Sentences, want)
	}
}
