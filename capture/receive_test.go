package capture

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestBodiesShareABudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var b budget
		require.True(t, b.take(t.Context(), maxInFlight-10, maxInFlight))
		got := make(chan bool, 2)
		for range 2 {
			go func() { got <- b.take(t.Context(), 20, maxInFlight) }()
		}
		synctest.Wait()
		require.Empty(t, got)
		b.give(10)
		require.True(t, <-got)
		synctest.Wait()
		require.Empty(t, got, "there is room for one")
		b.give(20)
		require.True(t, <-got)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.False(t, b.take(ctx, maxInFlight, maxInFlight))
		b.give(maxInFlight - 10 - 10 - 20 + 20 + 20)
		require.Zero(t, b.used)
	})
}

func TestSenderIsAskedToComeAgainWhenTooMuchIsUnderWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := &Ingest{Router: &Router{}, NewID: func() ID { return "req_1" }, Now: time.Now}
		require.True(t, in.bodies.take(t.Context(), maxInFlight, maxInFlight))
		start := time.Now()
		w := httptest.NewRecorder()
		in.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}")))
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		require.Equal(t, "5", w.Header().Get("Retry-After"))
		require.Equal(t, waitInFlight, time.Since(start))
		require.EqualValues(t, maxInFlight, in.bodies.used, "nothing is lost, nothing given back twice")
	})
}

func TestLargeBodiesDoNotKeepOutSmallOnes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := &Ingest{Router: &Router{}}
		require.True(t, in.bodies.take(t.Context(), maxInFlight-keptForSmall, maxInFlight))
		for size, end := range map[int]end{2: whole, smallBody - 1: whole, smallBody: busy, 1 << 20: busy} {
			for _, declared := range []int64{int64(size), -1} {
				hr := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Repeat("x", size)))
				hr.ContentLength = declared
				got := in.receive(httptest.NewRecorder(), hr)
				require.Equal(t, end, got.end, "%d, declared %d", size, declared)
				in.bodies.give(got.held)
			}
		}
		require.EqualValues(t, maxInFlight-keptForSmall, in.bodies.used)
	})
}

func TestMemoryGrowsWithWhatComesAndIsGivenBack(t *testing.T) {
	t.Parallel()
	for _, declared := range []int64{-1, 1 << 20} {
		in := &Ingest{MaxBody: 2 << 20}
		hr := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Repeat("x", 100<<10)))
		hr.ContentLength = declared
		got := in.receive(httptest.NewRecorder(), hr)
		require.Len(t, got.data, 100<<10)
		require.LessOrEqual(t, got.held, int64(200<<10), "not what was promised")
		require.Equal(t, in.bodies.used, got.held)
	}
}
