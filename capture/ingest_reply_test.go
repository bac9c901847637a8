package capture_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func fixed(f capture.Fixed) capture.Endpoint {
	return capture.Endpoint{Name: "f", Path: "/f", Reply: capture.FixedReply, Fixed: f}
}

func TestFixedAnswersAreGivenAsOftenAsSaidAndThenAcks(t *testing.T) {
	t.Parallel()
	d := newDesk(t, fixed(capture.Fixed{Status: 503, Body: "<no>", Times: 2})).serve(t)
	require.Equal(t, 200, d.send(t, "GET /f HTTP/1.1\r\nHost: h\r\n\r\n").status, "a browser does not count")
	for _, want := range []told{
		{503, http.Header{"Content-Length": {"4"}}, "<no>", false},
		{503, http.Header{"Content-Length": {"4"}}, "<no>", false},
		{200, http.Header{"Content-Length": {"0"}}, "", false},
	} {
		require.Equal(t, want, undated(d.send(t, post("/f", "", "{}"))))
		all := d.log.all()
		require.Equal(t, want.status, all[len(all)-1].Answered)
	}
}

func TestFixedAnswersWithoutABodyAndWithoutSense(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]told{
		204: {204, http.Header{}, "", false},
		304: {304, http.Header{}, "", false},
		410: {410, http.Header{"Content-Length": {"1"}}, "b", false},
		101: {200, http.Header{"Content-Length": {"1"}}, "b", false},
		0:   {200, http.Header{"Content-Length": {"1"}}, "b", false},
		999: {200, http.Header{"Content-Length": {"1"}}, "b", false},
	} {
		d := newDesk(t, fixed(capture.Fixed{Status: status, Body: "b"})).serve(t)
		require.Equal(t, want, undated(d.send(t, post("/f", "", "{}"))))
		require.Equal(t, want.status, d.log.next().Answered)
	}
}

func TestFixedAnswerIsDelayedUntilTheSenderGoesAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, fixed(capture.Fixed{Status: 500, Delay: time.Hour}))
		dial, stop := d.inMemory()
		patient, hasty := dial(), dial()
		_, _ = io.WriteString(hasty, post("/f", "", "{}"))
		gone := d.log.next()
		require.Zero(t, gone.Answered)
		_ = hasty.Close()
		_, _ = io.WriteString(patient, post("/f", "", "{}"))
		r := d.log.next()
		start := time.Now()
		require.Zero(t, r.Answered)
		require.Equal(t, 500, read(t, patient, "POST").status)
		require.Equal(t, time.Hour, time.Since(start))
		d.log.next()
		require.Equal(t, map[capture.ID]int{r.ID: 500}, d.log.answered, "who went away got nothing")
		_ = patient.Close()

		last := dial()
		_, _ = io.WriteString(last, post("/f", "", "{}"))
		r = d.log.next()
		stopped := make(chan struct{})
		go func() { defer close(stopped); stop() }()
		require.Equal(t, 500, read(t, last, "POST").status, "at our end it comes at once")
		<-stopped
		require.Equal(t, 500, d.log.answered[r.ID])
		require.Less(t, time.Since(start), 2*time.Hour)
	})
}

// handler stands for the developer's: it lets Ingest wait, and checks the order.
type handler struct {
	t       testing.TB
	log     *memLog
	answer  capture.Answer
	ok      bool
	takes   time.Duration
	awaited []capture.ID
	waited  []error
}

func (h *handler) await(id capture.ID) func(context.Context) (capture.Answer, bool) {
	for _, r := range h.log.all() {
		if r.ID == id {
			h.t.Error("the log knew the request before anybody waited")
		}
	}
	h.awaited = append(h.awaited, id)
	return func(ctx context.Context) (capture.Answer, bool) {
		defer func() { h.waited = append(h.waited, ctx.Err()) }()
		select {
		case <-time.After(h.takes):
			return h.answer, h.ok
		case <-ctx.Done():
			return capture.Answer{}, false
		}
	}
}

func TestWaitingForTheHandler(t *testing.T) {
	t.Parallel()
	said := capture.Answer{Status: 422, Body: []byte("<no>"), Fields: []capture.Field{
		{Name: "x-Why", Value: "a"},
		{Name: "X-why", Value: "b"},
		{Name: "Content-Length", Value: "99"},
		{Name: "connection", Value: "keep-alive, X-Hop"},
		{Name: "x-hop", Value: "1"},
		{Name: "Transfer-Encoding", Value: "chunked"},
		{Name: "upgrade", Value: "h2c"},
		{Name: "server", Value: "theirs"},
		{Name: "content-type", Value: "text/x"},
	}}
	for _, tt := range []struct {
		name     string
		ep       capture.Endpoint
		h        handler
		after    time.Duration
		status   int
		awaiting bool
	}{
		{"its answer", capture.Endpoint{Target: "http://localhost:1"}, handler{answer: said, ok: true, takes: time.Second}, time.Second, 422, true},
		{"no answer", capture.Endpoint{Target: "http://localhost:1"}, handler{takes: time.Second}, time.Second, 502, true},
		{"an answer that is none", capture.Endpoint{Target: "http://localhost:1"}, handler{answer: capture.Answer{Status: 101}, ok: true, takes: time.Second}, time.Second, 502, true},
		{"too late", capture.Endpoint{Target: "http://localhost:1", Deadline: 7 * time.Second}, handler{answer: said, ok: true, takes: time.Minute}, 7 * time.Second, 200, true},
		{"too late for the provider", capture.Endpoint{Target: "http://localhost:1", Provider: "acme"}, handler{answer: said, ok: true, takes: time.Minute}, 4 * time.Second, 200, true},
		{"too late for anyone", capture.Endpoint{Target: "http://localhost:1"}, handler{answer: said, ok: true, takes: time.Minute}, 10 * time.Second, 200, true},
		{"no handler at all", capture.Endpoint{}, handler{}, 0, 200, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tt.ep.Name, tt.ep.Path, tt.ep.Reply = "w", "/w", capture.Wait
				d := newDesk(t, tt.ep)
				tt.h.t, tt.h.log = t, d.log
				d.Await = tt.h.await
				dial, stop := d.inMemory()
				c := dial()
				start := time.Now()
				_, _ = io.WriteString(c, post("/w", "", "{}"))
				got := read(t, c, "POST")
				require.Equal(t, tt.status, got.status)
				require.Equal(t, tt.after, time.Since(start))
				r := d.log.next()
				if !tt.awaiting {
					require.Equal(t, 200, r.Answered)
					require.Empty(t, tt.h.awaited)
				} else {
					d.log.next()
					require.Equal(t, map[capture.ID]int{r.ID: tt.status}, d.log.answered)
					require.Equal(t, []capture.ID{r.ID}, tt.h.awaited)
				}
				if tt.status == 422 {
					require.Equal(t, told{422, http.Header{"X-Why": {"a", "b"}, "Server": {"theirs"}, "Content-Type": {"text/x"}, "Content-Length": {"4"}}, "<no>", false}, undated(got))
				}
				_ = c.Close()
				stop()
			})
		})
	}
}

func TestNobodyIsLeftWaitingWhenTheStoreFails(t *testing.T) {
	t.Parallel()
	d := newDesk(t, capture.Endpoint{Name: "w", Path: "/w", Reply: capture.Wait, Target: "http://localhost:1"})
	h := &handler{t: t, log: d.log, takes: time.Hour}
	d.Await = h.await
	d.log.fail(errors.New("disk full"))
	d.serve(t)
	require.Equal(t, 503, d.send(t, post("/w", "", "{}")).status)
	require.Equal(t, []error{context.Canceled}, h.waited)
}

func TestAcksDoNotWaitForTheHandler(t *testing.T) {
	t.Parallel()
	d := newDesk(t, capture.Endpoint{Name: "a", Path: "/a", Target: "http://localhost:1"})
	d.Await = func(capture.ID) func(context.Context) (capture.Answer, bool) {
		t.Error("awaited")
		return nil
	}
	d.serve(t)
	for range 20 {
		require.Equal(t, 200, d.send(t, post("/a", "", "{}")).status)
	}
	require.Len(t, d.log.all(), 20)
}
