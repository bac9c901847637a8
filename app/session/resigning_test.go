package session

import (
	"crypto/rand"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/capture/sample"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/plan"
)

// seen is what a handler that verifies signatures would check: what it got, at
// the address that it knows as its own.
func seen(x heard, base string) *capture.Request {
	method, target, _ := x.head.Line()
	return &capture.Request{
		Kind: capture.Delivery, Head: x.head, Header: x.head.Header(), Method: method, Body: x.body,
		URL: base + target, At: time.Now(),
	}
}

// An event of an hour ago is too old for a handler that looks at the time;
// signed anew it is fresh, and nothing of it but the signature is changed.
func TestAnOldEventSignedAnewIsGoodForTheHandler(t *testing.T) {
	t.Parallel()
	const base = "https://hooks.example.test"
	const secret capture.Secret = "whsec_c2FtcGxlLXNlY3JldC1mb3ItYW55aG9vaw==" // a key for every scheme
	old := time.Now().Add(-time.Hour)
	unhashed := &capture.Request{ // whose signature needs a query that it did not come with
		Head: capture.NewHead("POST", "/in?a=1", capture.Field{Name: "Content-Type", Value: "application/json"}),
		URL:  base + "/in?a=1", Body: []byte(`{"a":1}`), At: old,
	}
	cases := map[string]*capture.Request{"twilio": unhashed}
	for _, p := range provider.All {
		if len(sample.Names(p.Name)) == 0 || p.Sign == nil {
			continue
		}
		r, err := sample.Build(p.Name, sample.Names(p.Name)[0], old, rand.Text)
		require.NoError(t, err)
		r.Head = capture.Head(strings.Replace(string(r.Head), "POST / ", "POST /in?b=%2f ", 1))
		r.URL = base + "/in?b=%2f"
		require.NoError(t, p.Sign(r, p.Fitting(secret), old))
		cases[p.Name+" sample"] = r
	}
	for name, r := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			who, _, _ := strings.Cut(name, " ")
			p, _ := provider.ByName(who)
			h := handle(t, func(x heard) string {
				if p.Verify(seen(x, base), []capture.Secret{p.Fitting(secret)}, time.Now()).Status.Good() {
					return ok200
				}
				return "HTTP/1.1 400 Bad Request\r\nContent-Length: 36\r\n\r\nTimestamp outside the tolerance zone"
			})
			ep := all(h.url)
			ep.Provider, ep.Secrets = who, []capture.Secret{p.Fitting(secret)}
			d := begin(t, ep)
			_, err := d.Add(t.Context(), []*capture.Request{r})
			require.NoError(t, err)
			before := d.stored(1)
			if r != unhashed {
				require.True(t, before.Signature.Status.Good(), "when it arrived")
			}
			if p.Tolerance > 0 {
				require.Equal(t, 1, d.replayed(once(before), "").Failed)
				a := d.tried(before, 1)[0]
				require.Equal(t, http.StatusBadRequest, a.Outcome.Status)
				require.Equal(t, replay.HintStale, replay.Hint(a.Outcome))
			}
			run := d.replayed(plan.Once(ids(before), replay.Fresh), "")
			require.Equal(t, 1, run.OK)
			got := h.all()[len(h.all())-1]
			if p.Header != "" { // the signature of others is in the body
				require.Equal(t, timeless(before.Body), timeless(got.body), "but for the time, where the body has it")
			}
			as, err := d.Attempts(t.Context(), before.ID)
			require.NoError(t, err)
			require.Equal(t, replay.Fresh, as[len(as)-1].Signing)
			require.Equal(t, before, d.stored(1), "what is kept has changed")
		})
	}
}

func TestWhatCannotBeSignedAnewIsNotSent(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t, all(h.url), capture.Endpoint{Name: "git", Path: "/git", Provider: "github"})
	d.say(posted("/nobody", "{}"))
	d.tried(d.stored(1), 1)
	d.say(posted("/git", "{}"))
	for n, why := range []string{"its provider is not recognised", "the endpoint git has no secret"} {
		r := d.stored(capture.Seq(n + 1))
		run := d.replayed(plan.Once(ids(r), replay.Fresh), h.url)
		require.Equal(t, 1, run.Skipped, "it was not sent")
		as, err := d.Attempts(t.Context(), r.ID)
		require.NoError(t, err)
		last := as[len(as)-1].Outcome
		require.Equal(t, replay.HintUnsigned, replay.Hint(last))
		require.Contains(t, last.Detail, why)
	}
	require.Len(t, h.all(), 1)
}

// timeless takes times in milliseconds out of a body: some senders sign one there.
func timeless(body []byte) string {
	return regexp.MustCompile(`\b1[0-9]{12}\b`).ReplaceAllString(string(body), "time")
}
