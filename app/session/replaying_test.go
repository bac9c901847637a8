package session

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/plan"
)

func ids(rs ...*capture.Request) []capture.ID {
	out := make([]capture.ID, 0, len(rs))
	for _, r := range rs {
		out = append(out, r.ID)
	}
	return out
}

func once(rs ...*capture.Request) replay.Scenario { return plan.Once(ids(rs...), replay.AsReceived) }

// replayed carries a scenario out and wants sums that add up.
func (d *desk) replayed(sc replay.Scenario, target string) replay.Run {
	d.t.Helper()
	run, err := d.Replay(d.t.Context(), sc, target, nil)
	require.NoError(d.t, err)
	require.Equal(d.t, sc.Sends(), run.Sent+run.Skipped+run.Spared)
	require.Equal(d.t, run.Sent, run.OK+run.Failed+run.Faulted)
	return run
}

// added adds n requests, each a second after the one before, and returns them.
func (d *desk) added(n int, from time.Time) []*capture.Request {
	d.t.Helper()
	var rs []*capture.Request
	for i := range n {
		head := capture.NewHead("POST", "/in", capture.Field{Name: "Host", Value: "h"})
		rs = append(rs, &capture.Request{Head: head, URL: "http://h/in", Body: fmt.Append(nil, i), At: from.Add(time.Duration(i) * time.Second)})
	}
	before := d.Status().Requests
	added, err := d.Add(d.t.Context(), rs)
	require.NoError(d.t, err)
	require.Equal(d.t, n, added)
	for i := range rs {
		rs[i] = d.stored(before + capture.Seq(i+1))
	}
	return rs
}

func bodies(all []heard) []string {
	out := make([]string, 0, len(all))
	for _, x := range all {
		out = append(out, string(x.body))
	}
	return out
}

// A replay changes nothing of what the provider wrote, is marked and counted;
// what the provider sends again by itself is another request that tells of the
// same event.
func TestAReplayIsTheSameDeliveryAgain(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t, all(h.url))
	d.say(posted("/in", "{}", "X-GitHub-Delivery: 11111111-0000-4000-8000-0000000000aa", "X-GitHub-Event: push"))
	r := d.stored(1)
	d.tried(r, 1)
	for range 2 {
		require.Equal(t, 1, d.replayed(once(r), "").OK)
	}
	as := d.tried(r, 3)
	for i, x := range h.all() {
		require.Equal(t, "11111111-0000-4000-8000-0000000000aa", x.header("X-GitHub-Delivery"))
		require.Equal(t, string(r.ID), x.header("X-AnyHook-Delivery"))
		require.Equal(t, fmt.Sprint(i+1), x.header("X-AnyHook-Attempt"))
		require.Equal(t, i+1, as[i].N)
		require.Equal(t, i > 0, as[i].Replay)
		require.Equal(t, i > 0, x.header("X-AnyHook-Replay") == "true")
	}
	d.say(posted("/in", "{}", "X-GitHub-Delivery: 11111111-0000-4000-8000-0000000000aa", "X-GitHub-Event: push"))
	again := d.stored(2)
	require.NotEqual(t, r.ID, again.ID)
	require.Equal(t, 2, again.Events[0].Seen)
	require.Equal(t, r.Events[0].Key, again.Events[0].Key)
}

func TestEveryPressSends(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t, all(h.url))
	d.say(posted("/in", "{}"))
	r := d.stored(1)
	d.tried(r, 1)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if run, err := d.Replay(t.Context(), once(r), "", nil); err != nil || run.OK != 1 {
				t.Errorf("%+v, %v", run, err)
			}
		})
	}
	wg.Wait()
	require.Equal(t, 1, d.replayed(once(r), "").OK)
	require.Len(t, h.all(), 5)
	ns := map[int]bool{}
	for _, a := range d.tried(r, 5) {
		ns[a.N] = true
	}
	require.Equal(t, map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true}, ns)
}

// Many are sent in their order, as often as asked; a run that is stopped says
// where it was, and the rest of it can be sent.
func TestAStoppedReplayGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	const n = 200
	h := handle(t, taken)
	d := begin(t)
	rs := d.added(n, time.Now().Add(-time.Hour))
	var want []string
	for i := range n {
		want = append(want, fmt.Sprint(i))
	}
	for range 2 {
		before := len(h.all())
		require.Equal(t, n, d.replayed(once(rs...), h.url).OK)
		require.Equal(t, want, bodies(h.all()[before:]))
	}
	before := len(h.all())
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	run, err := d.Replay(ctx, once(rs...), h.url, func(r replay.Run) {
		if r.Sent == 50 {
			stop()
		}
	})
	require.NoError(t, err)
	require.NotEmpty(t, run.Err)
	require.Equal(t, n, run.Sent+run.Skipped)
	require.Less(t, run.Sent, n)
	rest := plan.Rest(run.Scenario, run.Done)
	require.Equal(t, n-run.Done, d.replayed(rest, h.url).OK)
	require.Equal(t, want[run.Done:], bodies(h.all()[len(h.all())-rest.Sends():]))
	require.Equal(t, want[:run.Done], bodies(h.all()[before:before+run.Done]))
}

// Two copies are in the handler at the same moment, and told apart by their attempt alone.
func TestTwiceAtOnceMeetsInTheHandler(t *testing.T) {
	t.Parallel()
	var both sync.WaitGroup
	both.Add(2)
	h := handle(t, func(heard) string { both.Done(); both.Wait(); return ok200 })
	d := begin(t)
	r := d.added(1, time.Now())[0]
	run := d.replayed(plan.AtOnce(ids(r), 2, replay.AsReceived), h.url)
	require.Equal(t, 2, run.OK)
	require.Len(t, run.Spread, 1)
	require.Positive(t, run.Spread[0])
	a, b := h.all()[0], h.all()[1]
	require.Equal(t, a.header("X-AnyHook-Delivery"), b.header("X-AnyHook-Delivery"))
	require.NotEqual(t, a.header("X-AnyHook-Attempt"), b.header("X-AnyHook-Attempt"))
}

// What was captured once is sent again and again after a restart, with no
// network and no capture, and the scenario of yesterday too.
func TestReplayNeedsNeitherTheSenderNorANetwork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := Start(t.Context(), Config{Dir: dir, Listen: "127.0.0.1:0", NoKeychain: true})
	require.NoError(t, err)
	d := &desk{first, t, ""}
	rs := d.added(2, time.Now())
	h := handle(t, taken)
	require.Equal(t, 2, d.replayed(plan.Ordered([]capture.ID{rs[1].ID, rs[0].ID}, replay.AsReceived), h.url).OK)
	require.NoError(t, first.Close())

	s, err := Start(t.Context(), Config{Dir: dir, NoKeychain: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	d = &desk{s, t, ""}
	runs, err := s.journal.Runs(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, runs, 1)
	require.Equal(t, 2, d.replayed(runs[0].Scenario, h.url).OK)
	require.Equal(t, []string{"1", "0", "1", "0"}, bodies(h.all()))

	r := d.stored(1)
	for range 5 { // the handler is started anew between
		again := handle(t, taken)
		require.Equal(t, 5, d.replayed(once(r, r, r, r, r), again.url).OK)
		for _, x := range again.all() {
			require.Equal(t, r.Body, x.body)
		}
	}
}
