package session

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/capture/wire"
)

// nowhere is a Log that keeps nothing: the limit that no disk can reach.
type nowhere struct{ seq atomic.Int64 }

func (n *nowhere) Append(_ context.Context, r *capture.Request) error {
	r.Seq = capture.Seq(n.seq.Add(1))
	return nil
}

func (*nowhere) Answered(context.Context, capture.ID, int) error { return nil }

// unstored is the same server without storage.
func unstored(b *testing.B) string {
	b.Helper()
	router := &capture.Router{}
	router.Set([]capture.Endpoint{{Name: DefaultEndpoint, Path: "/"}})
	in := &capture.Ingest{
		Log: &nowhere{}, Providers: provider.Known, Router: router, Head: wire.Take,
		NewID: newID, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	srv := wire.Server(in, slog.New(slog.DiscardHandler))
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(wire.Listen(l, in.Stray)) }()
	b.Cleanup(func() { srv.Close(); <-done })
	return l.Addr().String()
}

// stored is the real thing, forwarding nothing.
func stored(b *testing.B) string {
	b.Helper()
	s, err := Start(b.Context(), Config{Dir: b.TempDir(), Listen: "127.0.0.1:0", NoKeychain: true})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	return strings.TrimPrefix(s.Status().LocalURL, "http://")
}

// slice is how long one server is measured before the other has its turn.
const slice = 400 * time.Millisecond

// burst sends from n connections for a slice and returns how long each request took.
func burst(b *testing.B, addr string, n int) []time.Duration {
	b.Helper()
	var mu sync.Mutex
	var all []time.Duration
	var wg sync.WaitGroup
	end := time.Now().Add(slice)
	for range n {
		c := dial(b, addr)
		wg.Go(func() {
			raw := request("0")
			var took []time.Duration
			for start := time.Now(); start.Before(end); start = time.Now() {
				if status, err := c.post(raw); err != nil || status != http.StatusOK {
					b.Errorf("status %d, %v", status, err)
					return
				}
				took = append(took, time.Since(start))
			}
			c.conn.Close()
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
		})
	}
	wg.Wait()
	slices.Sort(all)
	return all
}

// BenchmarkCapture measures durable captures a second against the same server
// without storage, in turns, and reports the median of the ratios.
func BenchmarkCapture(b *testing.B) {
	for _, n := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("connections=%d", n), func(b *testing.B) {
			limit, durable := unstored(b), stored(b)
			var ratios, p99s []float64
			var ours []time.Duration
			for b.Loop() {
				without, with := burst(b, limit, n), burst(b, durable, n)
				if b.Failed() {
					return
				}
				ratios = append(ratios, float64(len(with))/float64(len(without)))
				p99s = append(p99s, float64(quantile(with, 0.99))/float64(quantile(without, 0.99)))
				ours = append(ours, with...)
			}
			slices.Sort(ours)
			slices.Sort(ratios)
			slices.Sort(p99s)
			b.ReportMetric(float64(len(ours))/float64(len(ratios))/slice.Seconds(), "captures/s")
			b.ReportMetric(ratios[len(ratios)/2], "ratio")
			b.ReportMetric(p99s[len(p99s)/2], "p99-ratio")
			b.ReportMetric(float64(quantile(ours, 0.5).Microseconds()), "p50-µs")
			b.ReportMetric(float64(quantile(ours, 0.99).Microseconds()), "p99-µs")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[int(q*float64(len(sorted)-1))]
}
