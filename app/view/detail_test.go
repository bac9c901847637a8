package view_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/tunnel"
)

func detail(t *testing.T, back capture.Seq) *view.Detail {
	t.Helper()
	d := story.Day(func() time.Time { return noon })
	last, err := d.Last(t.Context())
	require.NoError(t, err)
	sums, err := d.Summaries(t.Context(), []capture.Seq{last - back})
	require.NoError(t, err)
	out, err := view.LoadDetail(t.Context(), d, clockAt(noon), sums[0].ID)
	require.NoError(t, err)
	return out
}

func TestASummaryTellsInWordsWhatHappened(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		"Stripe sent invoice.paid about in_1QkAvYB7kZ2m at 11:57:00.",
		"The signature is valid. The sender was told 200.",
		"http://localhost:3000/webhooks took it with 200: 3 attempts, 1 failed.",
	}, detail(t, 3).Sentences)
	require.Contains(t, strings.Join(detail(t, 2).Sentences, " "), "this is the 2nd time")
	require.Contains(t, strings.Join(detail(t, 9).Sentences, " "), "It is late")
	require.Contains(t, strings.Join(detail(t, 8).Sentences, " "), "refused with 401")
	require.Contains(t, strings.Join(detail(t, 4).Sentences, " "), "cannot be read as HTTP")
}

func TestAnOldSignatureIsForetoldBeforeItIsReplayed(t *testing.T) {
	t.Parallel()
	require.Empty(t, detail(t, 0).Stale, "4 s old")
	old := detail(t, 10)
	require.Contains(t, old.Stale, "1,322 s old: most SDKs reject after 300 s")
	require.Equal(t, "resign", old.StaleFix().Do)
}

func TestWhatTheTunnelAddedIsApart(t *testing.T) {
	t.Parallel()
	h := detail(t, 3).Headers
	require.Equal(t, "POST /stripe HTTP/1.1", h.Line)
	require.Equal(t, "content-type", h.Sender[3].Name, "spelling and order as received")
	require.Equal(t, "X-Forwarded-For", h.Tunnel[0].Name)
	require.NotContains(t, string(h.Bytes), "X-Forwarded")
	require.Contains(t, string(h.Bytes), "POST /stripe HTTP/1.1\r\n")
	direct := view.HeadersOf(capture.NewHead("POST", "/", capture.Field{Name: "X-Forwarded-For", Value: "1.2.3.4"}), false)
	require.Len(t, direct.Sender, 1, "without a tunnel it is the sender's own")
}

func TestEveryReasonHasASentenceAndANextStep(t *testing.T) {
	t.Parallel()
	r := &capture.Request{Kind: capture.Delivery, At: noon, URL: "https://x.example/hook", Body: []byte("{}"), Endpoint: "stripe"}
	for _, why := range []capture.Why{
		capture.WhyNoSecret, capture.WhyNoProvider, capture.WhyNoHeader, capture.WhyNoTimestamp, capture.WhyBadShape, capture.WhyBadTime,
		capture.WhyNoMatch, capture.WhyBodyChanged, capture.WhyTooOld, capture.WhyFuture, capture.WhyBadSecret,
	} {
		s := capture.Signature{Status: capture.Invalid, Why: why, Detail: "DETAIL", Scheme: "HMAC", Content: [][]byte{[]byte("1."), r.Body}}
		v := view.ViewSignature(r, s, capture.Provider{Header: "X-Sig"}, clockAt(noon))
		require.NotEmpty(t, v.Reason, why)
		require.NotContains(t, v.Reason, "%!", why)
		require.NotEmpty(t, v.Next, why)
		require.NotEmpty(t, v.Verdict.Text)
		require.Equal(t, "1.{}", string(v.Content.Bytes), "exactly what was hashed")
		require.Contains(t, v.Facts, view.Fact{Name: "URL as addressed", Value: "https://x.example/hook"})
	}
}

func TestAStaleSignatureShowsBothTimesAndTheDifference(t *testing.T) {
	t.Parallel()
	r := &capture.Request{Kind: capture.Delivery, At: noon}
	s := capture.Signature{Status: capture.Stale, Why: capture.WhyTooOld, Detail: "301s", At: noon.Add(-301 * time.Second), Secret: 2}
	v := view.ViewSignature(r, s, capture.Provider{Tolerance: 5 * time.Minute}, clockAt(noon))
	require.Contains(t, v.Reason, "The signature matches, but it was made 301s before")
	require.Contains(t, v.Facts, view.Fact{Name: "Age", Value: "301 s when it arrived · 300 s allowed"})
	require.Contains(t, v.Facts, view.Fact{Name: "Secret", Value: "number 2 of the endpoint matched"})
	require.Equal(t, "resign", v.Fix.Do)
}

func TestTimesOfARequestAreShortAndInFull(t *testing.T) {
	t.Parallel()
	clock := clockAt(noon)
	clock.Zone = time.FixedZone("CST", 8*3600)
	for name, c := range map[string]struct {
		before time.Duration
		want   string
	}{
		"some seconds before": {3 * time.Second, "19:59:57.000 · 3.00 s earlier"},
		"some minutes before": {5 * time.Minute, "19:55:00.000 · 5 min earlier"},
		"on the day before":   {24 * time.Hour, "2026-11-29 20:00:00 · 24 h earlier"},
		"by a clock ahead":    {-1200 * time.Millisecond, "20:00:01.200 · 1.20 s later"},
		"at the same time":    {0, "20:00:00.000"},
	} {
		r := &capture.Request{Kind: capture.Delivery, At: noon}
		v := view.ViewSignature(r, capture.Signature{Status: capture.Valid, At: noon.Add(-c.before)}, capture.Provider{}, clock)
		require.Contains(t, v.Facts, view.Fact{Name: "Signed", Value: c.want, Full: clock.Both(noon.Add(-c.before))}, name)
	}
}

func TestHintsOfferWhatAClickCanDo(t *testing.T) {
	t.Parallel()
	ep := capture.Endpoint{Name: "stripe", Target: "http://localhost:3000/hook"}
	for name, c := range map[string]struct {
		o    replay.Outcome
		want view.Fix
	}{
		"the slash form":              {replay.Outcome{Status: 301, Head: []byte("HTTP/1.1 301 M\r\nLocation: /hook/\r\n\r\n")}, view.Fix{Do: "target", Value: "http://localhost:3000/hook/"}},
		"another machine is no offer": {replay.Outcome{Status: 307, Head: []byte("HTTP/1.1 307 M\r\nLocation: http://evil.example/steal\r\n\r\n")}, view.Fix{}},
		"self-signed":                 {replay.Outcome{Failure: replay.TLS, Detail: replay.SaysSelfSigned}, view.Fix{Do: "self-signed"}},
		"TLS port":                    {replay.Outcome{Failure: replay.Protocol, Detail: replay.SaysTLSPort}, view.Fix{Do: "target", Value: "https://localhost:3000/hook"}},
		"other loopback":              {replay.Outcome{Failure: replay.Refused, Detail: "nothing on 127.0.0.1:3000, " + replay.SaysListensElse + "[::1]:3000"}, view.Fix{Do: "target", Value: "http://[::1]:3000/hook"}},
		"nobody listens":              {replay.Outcome{Failure: replay.Refused}, view.Fix{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := view.ViewAttempt(replay.Attempt{Target: ep.Target, Outcome: c.o}, capture.Valid, ep, clockAt(noon))
			require.NotEmpty(t, v.Hint)
			require.Equal(t, c.want.Do, v.Fix.Do)
			require.Equal(t, c.want.Value, v.Fix.Value)
			elsewhere := view.ViewAttempt(replay.Attempt{Target: "http://localhost:9/other", Outcome: c.o}, capture.Valid, ep, clockAt(noon))
			require.Empty(t, elsewhere.Fix.Do, "the endpoint is not to blame for another target")
		})
	}
}

func TestAValidSignatureThatTheHandlerRefusesBlamesTheHandler(t *testing.T) {
	t.Parallel()
	a := replay.Attempt{Outcome: replay.Outcome{Status: 400, Body: []byte(`{"error":"invalid signature"}`)}}
	require.Contains(t, view.ViewAttempt(a, capture.Valid, capture.Endpoint{}, clockAt(noon)).Hint, "hashes something else")
	require.Contains(t, view.ViewAttempt(a, capture.Unchecked, capture.Endpoint{}, clockAt(noon)).Hint, "Compare its secret")
}

func TestTheTimingBarHasNoGaps(t *testing.T) {
	t.Parallel()
	a := replay.Attempt{Took: 100, Outcome: replay.Outcome{Failure: replay.Timeout, Phase: replay.Waiting, Timing: replay.Timing{Dial: 10, Written: 25}}}
	bars := view.ViewAttempt(a, "", capture.Endpoint{}, clockAt(noon)).Bars
	require.Len(t, bars, 3)
	at := 0.0
	for _, b := range bars {
		require.InDelta(t, at, b.From, 1e-9)
		at = b.To
	}
	require.InDelta(t, 1, at, 1e-9)
}

func TestAlertsComeAtTheFirstFifthAndTwentiethFailure(t *testing.T) {
	t.Parallel()
	status := func(failures int, listening bool) view.Status {
		return view.Status{Targets: []view.TargetStatus{{Endpoint: "e", Target: "http://localhost:3000", Failures: failures, Listening: listening, Since: noon}}}
	}
	var told []int
	for n := range 30 {
		for _, a := range view.Alerts(status(n, true), status(n+1, true)) {
			told = append(told, a.Count)
		}
	}
	require.Equal(t, []int{1, 5, 20}, told)
	require.Equal(t, view.AlertBack, view.Alerts(status(3, false), status(3, true))[0].Kind)
	require.Empty(t, view.Alerts(status(0, false), status(0, true)), "nobody missed it")
	unknown := status(0, false)
	unknown.Waiting, unknown.Targets[0].Since = 3, time.Time{}
	require.Empty(t, view.Alerts(unknown, status(0, true)), "nobody knew whether it listens")
	up := view.Status{Tunnel: tunnel.State{Phase: tunnel.Online}}
	down := view.Status{Tunnel: tunnel.State{Phase: tunnel.Reconnecting, Err: errors.New("eof")}}
	require.Equal(t, view.AlertTunnelLost, view.Alerts(up, down)[0].Kind)
	require.Equal(t, view.AlertTunnelBack, view.Alerts(down, up)[0].Kind)
	require.Empty(t, view.Alerts(up, up))
}

func TestFormsSayWhatIsWrongByField(t *testing.T) {
	t.Parallel()
	others := []capture.Endpoint{{Name: "github", Path: "/github"}}
	good := view.EndpointForm{Name: "stripe", Path: "stripe/", Target: "3000", Secrets: []string{" whsec_x ", ""}, Timeout: "0", Parallel: "8"}
	require.Empty(t, good.Problems(others))
	e := good.Endpoint()
	require.Equal(t, "/stripe", e.Path)
	require.Equal(t, "http://localhost:3000", e.Target)
	require.Equal(t, []capture.Secret{"whsec_x"}, e.Secrets)
	require.Equal(t, time.Duration(-1), e.Timeout)
	require.Equal(t, "0", view.FormOf(e).Timeout, "and back")
	for field, change := range map[string]func(*view.EndpointForm){
		"name":     func(f *view.EndpointForm) { f.Name = "github" },
		"path":     func(f *view.EndpointForm) { f.Path = "/github/" },
		"target":   func(f *view.EndpointForm) { f.Target = "ftp://localhost" },
		"away":     func(f *view.EndpointForm) { f.Target = "https://example.com" },
		"timeout":  func(f *view.EndpointForm) { f.Timeout = "soon" },
		"parallel": func(f *view.EndpointForm) { f.Parallel = "65" },
		"status":   func(f *view.EndpointForm) { f.Reply, f.Status = capture.FixedReply, "600" },
		"delay":    func(f *view.EndpointForm) { f.Reply, f.Status, f.Delay = capture.FixedReply, "500", "NaN" },
	} {
		f := good
		change(&f)
		p := f.Problems(others)
		require.Len(t, p, 1, field)
		require.NotEmpty(t, p[field], field)
	}
}

func TestEveryCommandHasANameAndItsOwnKey(t *testing.T) {
	t.Parallel()
	keys := map[view.Key]string{}
	for _, c := range view.Commands {
		require.NotEqual(t, "cmd."+c.ID, c.Title())
		require.NotEmpty(t, c.Key.String(), c.ID)
		require.Empty(t, keys[c.Key], "%s has the key of another", c.ID)
		keys[c.Key] = c.ID
	}
	found := view.Find("twice", view.Situation{Selected: 1})
	require.Equal(t, "twice", found[0].ID)
	require.Equal(t, "Ctrl+T", found[0].Key.String())
	require.Equal(t, "Select a request first.", view.Situation{}.Missing(view.Find("twice", view.Situation{})[0]))
	require.Equal(t, "failed", view.Find("", view.Situation{})[0].ID, "what makes no sense now comes last")
	require.Equal(t, "⌘⇧R", view.CommandOf("resign").Key.Mac())
}

func TestTheBarSaysWhereAndWhetherSomebodyListens(t *testing.T) {
	t.Parallel()
	b := view.ViewBar(story.Day(func() time.Time { return noon }).Status())
	require.Equal(t, "Online", b.Tunnel.Text)
	require.True(t, b.Public)
	require.Equal(t, "http://localhost:8080/crm", b.Target, "the one that needs attention comes first")
	require.Equal(t, "not listening", b.Handler.Text)
	require.Equal(t, "+2 more", b.More)
	require.Equal(t, "2 waiting", b.Waiting)
	b = view.ViewBar(view.Status{Store: errors.New("disk full"), PortTaken: 4080, LocalURL: "http://127.0.0.1:4081"})
	require.Equal(t, "Local only", b.Tunnel.Text)
	require.Len(t, b.Trouble, 2)
	b = view.ViewBar(view.Status{Practice: "http://127.0.0.1:4999", Charged: 3, Twice: 1})
	require.Equal(t, view.Bad, b.Trouble[0].Tone)
	require.Contains(t, b.Trouble[0].Text, "1 event was charged more than once, of 3 in all")
	require.Equal(t, []string{"shop", "practice"}, b.Trouble[0].Commands)
	require.Contains(t, view.StatusLine(view.Status{Practice: "http://127.0.0.1:4999", Charged: 3, Twice: 1}), "1 event charged twice")
}

func TestATunnelErrorSaysWhatToDo(t *testing.T) {
	t.Parallel()
	p := view.ViewTunnel(view.Status{Tunnel: tunnel.State{Phase: tunnel.Offline, Err: &tunnel.Error{Code: "ERR_NGROK_107", Msg: "bad token", Fatal: true, Advice: "token-invalid"}}, Choice: view.TunnelChoice{Kind: "ngrok"}}, clockAt(noon))
	require.Equal(t, "Offline", p.State.Text)
	require.Contains(t, p.Advice, "Authtoken")
	p = view.ViewTunnel(view.Status{Tunnel: tunnel.State{Err: &tunnel.Error{Code: "ERR_NGROK_9999", Fatal: true}}}, clockAt(noon))
	require.Contains(t, p.Advice, "change the settings")
	var h view.TunnelHistory
	require.True(t, h.Note(view.Status{}, noon))
	require.False(t, h.Note(view.Status{}, noon), "the same state is told once")
}

func TestListenersAreFoundByDialling(t *testing.T) {
	t.Parallel()
	d := story.New(func() time.Time { return noon })
	d.Ports = []int{3000, 8080}
	got := view.Dial(t.Context(), d, "http://localhost:4999")
	require.Equal(t, "not listening", got.Target.Text)
	require.Equal(t, []string{"http://localhost:3000", "http://localhost:8080"}, got.Others)
	require.NotEqual(t, got.Note, view.Dial(t.Context(), story.New(d.Now), "").Note, "and says when there is none")
	d.Dial = func(target string) bool { return strings.HasSuffix(target, ":4999") }
	require.Equal(t, view.Dialled{Target: view.Mark{Tone: view.Good, Text: "listening"}}, view.Dial(t.Context(), d, "http://localhost:4999"))
}
