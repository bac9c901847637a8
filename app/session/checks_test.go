package session

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

const (
	slackCheck  = `{"token":"t","challenge":"c-1","type":"url_verification"}`
	notionToken = "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"
	notionCheck = `{"verification_token":"` + notionToken + `"}`
	notionEvent = `{"id":"e1","type":"page.created","timestamp":"2026-11-30T12:00:00Z","subscription_id":"s","integration_id":"i","entity":{"id":"p"}}`
	asanaToken  = "b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81"
)

func TestASetUpCheckGoesToTheHandlerThatWantsToAnswer(t *testing.T) {
	t.Parallel()
	h := handle(t, func(heard) string {
		return "HTTP/1.1 202 Accepted\r\nX-Own: 1\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nmine"
	})
	dir := t.TempDir()
	pass := capture.Endpoint{Name: "pass", Path: "/pass", Target: h.url, PassChecks: true}
	zoom := capture.Endpoint{Name: "zoom", Path: "/zoom", Provider: "zoom", Target: h.url, PassChecks: true}
	git := capture.Endpoint{Name: "git", Path: "/git", Provider: "slack", Secrets: []capture.Secret{"s"}, Target: h.url, PassChecks: true}
	ours := capture.Endpoint{Name: "ours", Path: "/ours", Target: h.url}
	d := beginWith(t, Config{Dir: dir}, pass, zoom, git, ours)
	const zoomCheck = `{"event":"endpoint.url_validation","event_ts":1,"payload":{"plainToken":"abc"}}`
	for i, test := range []struct {
		what, raw    string
		status       int
		said         string
		tries        int
		kind         capture.Kind
		notAHandling string
	}{
		{"a challenge", posted("/pass", slackCheck), 202, "mine", 1, capture.Handshake, ""},
		{"one that nobody here knows", "GET /pass?challenge=x HTTP/1.1\r\nHost: h\r\n\r\n", 202, "mine", 1, capture.Handshake, ""},
		{"one that takes a secret we do not have", posted("/zoom", zoomCheck, "X-Zm-Signature: v0=00", "X-Zm-Request-Timestamp: 1"), 202, "mine", 1, capture.Handshake, ""},
		{"one with a bad signature", posted("/git", slackCheck, "X-Slack-Signature: v0="+strings.Repeat("0", 64), "X-Slack-Request-Timestamp: 1"), 401, "The signature does not match.\n", 0, capture.Delivery, ""},
		{"where AnyHook answers", posted("/ours", slackCheck), 200, "c-1", 0, capture.Handshake, ""},
	} {
		status, said := d.say(test.raw)
		require.Equal(t, test.status, status, test.what)
		require.Equal(t, test.said, said, test.what)
		seq := capture.Seq(i + 1)
		r := d.stored(seq)
		require.Equal(t, test.kind, r.Kind, test.what)
		d.until(test.what, func() bool { return d.stored(seq).Answered == test.status })
		d.stands(seq, replay.Kept)
		as, err := d.Attempts(t.Context(), r.ID)
		require.NoError(t, err)
		require.Len(t, as, test.tries, test.what)
		if test.tries > 0 {
			require.Equal(t, 202, as[0].Outcome.Status)
			require.Contains(t, r.Note, capture.NotePassed)
			require.Equal(t, r.Body, h.all()[len(h.all())-1].body)
		}
	}
	require.NoError(t, d.Close())
	d = beginWith(t, Config{Dir: dir}, pass, zoom, git, ours)
	status, _ := d.say(posted("/pass", "{}"))
	require.Equal(t, http.StatusOK, status, "a delivery is acknowledged as ever")
	d.tried(d.stored(6), 1)
	require.Len(t, h.all(), 4, "no check is sent a second time")
}

func TestASenderHearsThatTheHandlerDidNotAnswerItsCheck(t *testing.T) {
	t.Parallel()
	leave := make(chan struct{})
	slow := handle(t, func(heard) string { <-leave; return ok200 })
	t.Cleanup(func() { close(leave) })
	wrong := handle(t, func(heard) string { return "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n" })
	d := begin(t,
		capture.Endpoint{Name: "down", Path: "/down", Target: "http://" + nobody(t), PassChecks: true},
		capture.Endpoint{Name: "slow", Path: "/slow", Target: slow.url, PassChecks: true, Deadline: 50 * time.Millisecond},
		capture.Endpoint{Name: "wrong", Path: "/wrong", Provider: "notion", Target: wrong.url, PassChecks: true},
		capture.Endpoint{Name: "none", Path: "/none", PassChecks: true})
	for i, test := range []struct {
		raw    string
		status int
	}{
		{posted("/down", slackCheck), 502},
		{posted("/slow", slackCheck), 504},
		{posted("/wrong", notionCheck), 500},
		{posted("/none", slackCheck), 200}, // there is no handler that could
	} {
		status, _ := d.say(test.raw)
		require.Equal(t, test.status, status, test.raw)
		d.stands(capture.Seq(i+1), replay.Kept)
		require.Equal(t, capture.Handshake, d.stored(capture.Seq(i+1)).Kind)
	}
	ep, _ := d.router.ByName("wrong")
	require.Empty(t, ep.Secrets, "the handler did not take it")
	require.Zero(t, d.Status().Waiting)
}

func TestASecretThatASetUpCheckBringsIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var log notebook
	h := handle(t, taken)
	endpoints := []capture.Endpoint{
		{Name: "notion", Path: "/notion", Provider: "notion"},
		{Name: "asana", Path: "/asana", Provider: "asana", Target: h.url, PassChecks: true},
		{Name: "other", Path: "/other", Provider: "notion", Secrets: []capture.Secret{"mine"}},
		all(""),
	}
	d := beginWith(t, Config{Dir: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))}, endpoints...)
	asked := posted("/asana", "{}", "X-Hook-Secret: "+asanaToken)
	for i, test := range []struct {
		what, raw string
		status    int
		note      string
	}{
		{"Notion's first request", posted("/notion", notionCheck), 200, capture.NoteLearned},
		{"a second of somebody else", posted("/notion", `{"verification_token":"other"}`), 200, "the endpoint has one"},
		{"one for an endpoint that has a secret", posted("/other", notionCheck), 200, "the endpoint has one"},
		{"one where each request is recognised", posted("/any", notionCheck), 200, "does not name Notion"},
		{"Asana's, which the handler answers", asked, 200, capture.NoteLearned},
		{"a signed request", posted("/notion", notionEvent, "X-Notion-Signature: sha256="+hmacHex(notionToken, notionEvent)), 200, ""},
		{"a forged one", posted("/notion", notionEvent, "X-Notion-Signature: sha256="+hmacHex("other", notionEvent)), 401, ""},
		{"an unsigned one", posted("/notion", notionEvent), 401, ""},
	} {
		status, _ := d.say(test.raw)
		require.Equal(t, test.status, status, test.what)
		r := d.stored(capture.Seq(i + 1))
		require.Contains(t, r.Note, test.note, test.what)
		require.NotContains(t, r.Note, notionToken)
		require.Equal(t, test.note != "", r.Kind == capture.Handshake, test.what)
	}
	res := converse(t, d.addr, posted("/any", "{}", "X-Hook-Secret: "+asanaToken))
	require.Equal(t, asanaToken, res.Header.Get("X-Hook-Secret"), "it wants it back")
	res.Body.Close()
	require.NotContains(t, log.String(), notionToken)
	require.NotContains(t, log.String(), asanaToken)
	require.Contains(t, log.String(), "kept the secret")
	require.NoError(t, d.Close())

	s, err := Start(t.Context(), Config{Dir: dir, NoKeychain: true})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	for name, want := range map[string]string{"notion": notionToken, "asana": asanaToken, "other": "mine"} {
		ep, ok := s.router.ByName(name)
		require.True(t, ok)
		require.Len(t, ep.Secrets, 1, name)
		require.Equal(t, want, ep.Secrets[0].Reveal(), name)
	}
	root, _ := s.router.ByName(DefaultEndpoint)
	require.Empty(t, root.Secrets)
}

func TestAProviderHearsWhatItWantsToHear(t *testing.T) {
	t.Parallel()
	leave := make(chan struct{})
	slow := handle(t, func(heard) string { <-leave; return ok200 })
	t.Cleanup(func() { close(leave) })
	d := begin(t,
		capture.Endpoint{Name: "graph", Path: "/graph", Provider: "microsoft-graph"},
		capture.Endpoint{Name: "sign", Path: "/sign", Provider: "dropbox-sign"},
		capture.Endpoint{Name: "wait", Path: "/wait", Provider: "dropbox-sign", Target: slow.url, Reply: capture.Wait, Deadline: 50 * time.Millisecond},
		capture.Endpoint{Name: "fixed", Path: "/fixed", Provider: "dropbox-sign", Reply: capture.FixedReply, Fixed: capture.Fixed{Status: 503}},
		capture.Endpoint{Name: "plain", Path: "/plain", Provider: "github"},
		all(""))
	const notice = `{"value":[{"subscriptionId":"s","changeType":"updated","clientState":"x"}]}`
	callback := "--X\r\nContent-Disposition: form-data; name=\"json\"\r\n\r\n{\"event\":{\"event_time\":\"1\",\"event_type\":\"callback_test\",\"event_hash\":\"00\"}}\r\n--X--\r\n"
	for i, test := range []struct {
		path, body string
		status     int
		said       string
	}{
		{"/graph", notice, 202, ""},
		{"/any", notice, 202, ""},
		{"/sign", callback, 200, "Hello API Event Received"},
		{"/wait", callback, 200, "Hello API Event Received"},
		{"/fixed", callback, 503, ""},
		{"/plain", notice, 200, ""},
	} {
		status, said := d.say(posted(test.path, test.body))
		require.Equal(t, test.status, status, test.path)
		require.Equal(t, test.said, said, test.path)
		d.until("it is noted", func() bool { return d.stored(capture.Seq(i+1)).Answered == test.status })
	}
}
