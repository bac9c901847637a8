package view_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func many(n int) *story.Desk {
	d := story.New(func() time.Time { return noon })
	for i := range n {
		add(d, i)
	}
	return d
}

func add(d *story.Desk, i int) {
	d.Add(&capture.Request{
		Kind: capture.Delivery, At: noon.Add(time.Duration(i) * time.Second), Provider: "stripe", Answered: 200, URL: "http://x/",
		Events: []capture.Event{{Type: fmt.Sprintf("event.%d", i%10), Seen: 1 + i%2}},
	}, replay.Standing{Progress: replay.Queued})
}

// follow runs an inbox over a desk until the test ends.
func follow(t *testing.T, d view.Desk) (x *view.Inbox, changes func() int) {
	t.Helper()
	var mu sync.Mutex
	n := 0
	x = view.NewInbox(d, clockAt(noon), func() { mu.Lock(); n++; mu.Unlock() })
	x.Failed = func(err error) { t.Error(err) }
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { x.Run(ctx) })
	t.Cleanup(func() { cancel(); wg.Wait() })
	return x, func() int { mu.Lock(); defer mu.Unlock(); return n }
}

func TestInboxShowsTheNewestFirstAndReadsRowsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, _ := follow(t, many(5000))
		synctest.Wait()
		require.Equal(t, 5000, x.Len())
		row := x.Row(0)
		require.False(t, row.Loaded, "the first look never waits")
		require.Equal(t, "5000", row.Number)
		synctest.Wait()
		require.Equal(t, "event.9", x.Row(0).What)
		require.True(t, x.Row(63).Loaded, "its neighbours came with it")
		require.Equal(t, 4999, x.Index(1))
	})
}

func TestInboxFollowsWhatArrivesAndDrawsAtMostTenTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := many(10)
		x, changes := follow(t, d)
		time.Sleep(time.Second)
		before := changes()
		for i := range 200 {
			add(d, i)
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(time.Second)
		require.Equal(t, 210, x.Len())
		require.LessOrEqual(t, changes()-before, 12)
	})
}

func TestFilterFindsInBlocksAndKeepsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := many(10_000)
		x, _ := follow(t, d)
		x.SetFilter(view.Chips{Text: "event.3"}.Filter())
		time.Sleep(time.Second)
		require.Equal(t, 1000, x.Len())
		_, _, searching := x.Search()
		require.False(t, searching, "it has looked at all")
		require.Equal(t, capture.Seq(9994), x.Seq(0))
		require.Equal(t, 1, x.Index(9984))
		require.Equal(t, -1, x.Index(9983))
		add(d, 3)
		time.Sleep(time.Second)
		require.Equal(t, 1001, x.Len())
		require.Equal(t, capture.Seq(10_001), x.Seq(0))
		x.SetFilter(capture.Filter{})
		require.Equal(t, 10_001, x.Len())
	})
}

func TestFilterOfOutcomesForgetsWhatWasDelivered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := many(50)
		x, _ := follow(t, d)
		x.SetFilter(view.Chips{Outcome: "waiting"}.Filter())
		time.Sleep(time.Second)
		require.Equal(t, 50, x.Len())
		sums, err := d.Summaries(t.Context(), []capture.Seq{7})
		require.NoError(t, err)
		_, err = d.Replay(t.Context(), replay.Scenario{Waves: []replay.Wave{{{Request: sums[0].ID}}}}, "", func(replay.Run) {})
		require.NoError(t, err)
		d.Settle(7, replay.Delivered)
		time.Sleep(time.Second)
		require.Equal(t, 49, x.Len())
		require.Equal(t, -1, x.Index(7))
	})
}

func TestWhatIsClearedIsOutOfSightOfFiltersToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := many(5000)
		x, _ := follow(t, d)
		x.SetFilter(view.Chips{Text: "event.3"}.Filter())
		time.Sleep(time.Second)
		require.Equal(t, 500, x.Len())
		require.EqualValues(t, 5000, x.Clear())
		time.Sleep(time.Second)
		require.Zero(t, x.Len())
		_, _, searching := x.Search()
		require.False(t, searching, "there is nothing to look at")
		add(d, 3)
		add(d, 4)
		time.Sleep(time.Second)
		require.Equal(t, 1, x.Len())
		require.Equal(t, capture.Seq(5001), x.Seq(0))
		x.SetFilter(capture.Filter{})
		require.Equal(t, 2, x.Len())
		require.Equal(t, -1, x.Index(5000))
		require.Zero(t, x.Seq(2))
		x.Unclear()
		require.Equal(t, 5002, x.Len())
	})
}
