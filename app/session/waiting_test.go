package session

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// What comes while the handler is down is acknowledged, shows one refused
// attempt, and goes to the handler in order as soon as it is there.
func TestWhatComesWhileTheHandlerIsDownGoesToItLater(t *testing.T) {
	t.Parallel()
	addr := nobody(t)
	d := begin(t, all("http://"+addr+"/hook"))
	var rs []*capture.Request
	for n := range 3 {
		status, _ := d.say(posted("/in", fmt.Sprint(n)))
		require.Equal(t, http.StatusOK, status)
		r := d.stored(capture.Seq(n + 1))
		rs = append(rs, r)
		a := d.tried(r, 1)[0]
		require.Equal(t, replay.Refused, a.Outcome.Failure)
		require.Contains(t, a.Outcome.Detail, addr)
		require.Equal(t, replay.HintRefused, replay.Hint(a.Outcome))
	}
	d.until("three wait, and the dot is red", func() bool {
		st := d.Status()
		return st.Waiting == 3 && st.Failing == 0 && !st.Targets[0].Listening && st.Targets[0].Failures == 3
	})
	h := handleAt(t, addr, taken)
	for n, r := range rs {
		as := d.tried(r, 2)
		require.Equal(t, 2, as[1].N)
		require.Equal(t, 200, as[1].Outcome.Status)
		require.False(t, as[1].Replay)
		require.Equal(t, fmt.Sprint(n), string(h.all()[n].body), "out of order")
		require.Equal(t, "2", h.all()[n].header("X-AnyHook-Attempt"))
	}
	d.until("nothing waits, and the dot is green", func() bool {
		st := d.Status()
		return st.Waiting == 0 && st.Failing == 0 && st.Targets[0].Listening && st.Targets[0].Failures == 0
	})
	require.Len(t, h.all(), 3)
}

// One at a time and in the order of arrival, unless the endpoint says otherwise.
func TestLiveTrafficKeepsItsOrder(t *testing.T) {
	t.Parallel()
	const events = 50
	for _, parallel := range []int{0, 8} {
		t.Run(fmt.Sprintf("parallel %d", parallel), func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			inside, most := 0, 0
			crowd := make(chan struct{})
			h := handle(t, func(x heard) string {
				mu.Lock()
				inside++
				most = max(most, inside)
				if inside == 2 && parallel > 0 {
					close(crowd)
					parallel = 0 // the first two meet, to show that they may
				}
				meet := parallel > 0
				mu.Unlock()
				if meet {
					<-crowd
				}
				mu.Lock()
				inside--
				mu.Unlock()
				return ok200
			})
			ep := all(h.url)
			ep.Parallel = parallel
			d := begin(t, ep)
			for n := range events {
				d.say(posted("/in", fmt.Sprint(n)))
			}
			for n := range events {
				d.tried(d.stored(capture.Seq(n+1)), 1)
			}
			var got []string
			for _, x := range h.all() {
				got = append(got, string(x.body))
			}
			require.Len(t, got, events)
			mu.Lock()
			defer mu.Unlock()
			if ep.Parallel == 0 {
				require.Equal(t, 1, most)
				require.True(t, slices.IsSortedFunc(got, func(a, b string) int { return len(a)*1000 + int(a[0]) - len(b)*1000 - int(b[0]) }), got)
				return
			}
			require.Greater(t, most, 1)
			require.LessOrEqual(t, most, 8)
		})
	}
}

func TestATargetThatIsDownHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	one, three := handle(t, taken), handle(t, taken)
	d := begin(t,
		capture.Endpoint{Name: "stripe", Path: "/stripe", Target: one.url + "/a"},
		capture.Endpoint{Name: "github", Path: "/github", Target: "http://" + nobody(t) + "/b"},
		capture.Endpoint{Name: "twilio", Path: "/twilio", Target: three.url + "/c"})
	for range 10 {
		for _, path := range []string{"/stripe", "/github", "/twilio"} {
			d.say(posted(path, "{}"))
		}
	}
	d.until("ten, none and ten are delivered", func() bool {
		st := d.Status()
		return len(one.all()) == 10 && len(three.all()) == 10 && st.Waiting == 10
	})
	_, path, _ := one.all()[0].head.Line()
	require.Equal(t, "/a", path)
}

// A handler that hears all and hangs up is asked once for each attempt that is
// shown, also where a library would send again by itself.
func TestTheHandlerReadsWhatTheAttemptsSay(t *testing.T) {
	t.Parallel()
	h := handle(t, func(heard) string { return "" })
	d := begin(t, all(h.url))
	d.say(posted("/in", "{}", "Idempotency-Key: f5e57ebe-0000-4000-8000-000000000002", "X-Idempotency-Key: 1"))
	r := d.stored(1)
	d.tried(r, 1)
	d.Pause(true) // no retry comes between
	for range 3 {
		require.Equal(t, 1, d.replayed(once(r), "").Failed)
	}
	as, err := d.Attempts(t.Context(), r.ID)
	require.NoError(t, err)
	require.Len(t, h.all(), len(as))
}

// Senders are answered while the handler hangs.
func TestTheSenderDoesNotWaitForTheHandler(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	h := handle(t, func(heard) string { <-hang; return "" })
	t.Cleanup(func() { close(hang) })
	d := begin(t, all(h.url))
	var wg sync.WaitGroup
	for n := range 20 {
		c := dial(t, d.addr)
		require.NoError(t, c.conn.SetDeadline(time.Now().Add(patience)))
		wg.Go(func() {
			status, err := c.post([]byte(posted("/in", fmt.Sprintf(`{"type":"event_callback","event_id":"Ev%d"}`, n))))
			if err != nil || status != http.StatusOK {
				t.Errorf("answered %d: %v", status, err)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 20, d.Status().Requests)
}

func TestPauseHoldsWhatArrives(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t, all(h.url))
	d.Pause(true)
	require.True(t, d.Status().Paused)
	d.say(posted("/in", "1"))
	r := d.stored(1)
	d.until("it waits", func() bool { return d.Status().Waiting == 1 })
	require.Equal(t, 1, d.replayed(once(r), "").OK, "a replay is not live traffic")
	require.Len(t, h.all(), 1)
	d.Pause(false)
	as := d.tried(r, 2)
	require.True(t, as[0].Replay)
	require.False(t, as[1].Replay)
	require.Equal(t, 2, as[1].N)
	d.until("nothing waits", func() bool { return d.Status().Waiting == 0 })
}
