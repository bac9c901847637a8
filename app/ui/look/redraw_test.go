package look_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
)

func TestRedrawDrawsAtOnceThenTenTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q look.Queue
		drawn := 0
		r := look.NewRedraw(&q, func() { drawn++ })
		defer r.Close()
		r.Mark()
		require.Equal(t, 1, q.Drain())
		require.Equal(t, 1, drawn)
		most := 0
		for range 1000 { // for one second
			r.Mark()
			time.Sleep(time.Millisecond)
			synctest.Wait()
			most = max(most, q.Drain())
		}
		require.InDelta(t, 11, drawn, 1)
		require.Equal(t, 1, most, "at most one waits")
	})
}

func TestRedrawNeverMissesTheLastChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q look.Queue
		value, shown := 0, 0
		r := look.NewRedraw(&q, func() { shown = value })
		defer r.Close()
		for i := range 100 {
			value = i
			r.Mark()
			q.Drain()
			time.Sleep(time.Duration(i%37) * time.Millisecond)
		}
		time.Sleep(look.DrawEvery)
		synctest.Wait()
		q.Drain()
		require.Equal(t, value, shown)
	})
}

func TestClosedRedrawDrawsNoMore(t *testing.T) {
	var q look.Queue
	drawn := 0
	r := look.NewRedraw(&q, func() { drawn++ })
	r.Mark()
	r.Close()
	r.Mark()
	q.Drain()
	require.Zero(t, drawn)
}

func TestQueueRunsInOrderAndWhatIsPostedMeanwhile(t *testing.T) {
	var q look.Queue
	var got []int
	q.Post(func() { got = append(got, 1); q.Post(func() { got = append(got, 3) }) })
	q.Post(func() { got = append(got, 2) })
	require.Equal(t, 3, q.Drain())
	require.Equal(t, []int{1, 2, 3}, got)
}

// inline runs what is posted here and now, as Fyne does when its loop has ended.
type inline struct{}

func (inline) Post(draw func()) { draw() }

// A window that was closed while requests came in froze the program: drawing
// was posted under the lock that drawing takes.
func TestARedrawOutlivesTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int32
		r := look.NewRedraw(inline{}, func() { n.Add(1) })
		r.Mark()
		r.Mark()
		require.EqualValues(t, 1, n.Load(), "the second waits for the pause")
		time.Sleep(2 * look.DrawEvery)
		require.EqualValues(t, 2, n.Load())
		r.Close()
		r.Mark()
		require.EqualValues(t, 2, n.Load())
	})
}
