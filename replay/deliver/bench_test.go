package deliver

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/replay"
)

// noJournal costs nothing, so that what is measured is the delivery.
type noJournal struct{}

func (noJournal) Begin(_ context.Context, a *replay.Attempt) error { a.N = 1; return nil }
func (noJournal) End(context.Context, *replay.Attempt) error       { return nil }

// BenchmarkSend compares a delivery with http.Client's on a connection of its
// own, in turns, so that what else the machine does falls on both. "ratio" is
// deliveries for each one of http.Client.
func BenchmarkSend(b *testing.B) {
	h := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	defer h.Close()
	body := strings.Repeat("x", 2048)
	s := &Sender{Journal: noJournal{}, Now: time.Now}
	order := Order{Request: post(body), Target: Target{URL: h.URL + "/hook"}}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true, Proxy: nil}, Timeout: 30 * time.Second}
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		a, err := s.Send(b.Context(), order)
		ours += time.Since(start)
		require.NoError(b, err)
		require.True(b, a.Outcome.OK())
		start = time.Now()
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, h.URL+"/hook", bytes.NewReader(order.Request.Body))
		require.NoError(b, err)
		req.Header = order.Request.Header.Clone()
		res, err := client.Do(req)
		require.NoError(b, err)
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		theirs += time.Since(start)
	}
	b.ReportMetric(float64(theirs)/float64(ours), "ratio")
	b.ReportMetric(float64(ours.Microseconds())/float64(b.N), "µs/send")
}

// spreadHandler is a handler in a process of its own, as a developer's is: it
// writes its URL, and answers GET with the microseconds between the first and
// the last body that was whole since the last GET.
func spreadHandler() {
	var mu sync.Mutex
	var whole []time.Time
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		now := time.Now()
		mu.Lock()
		defer mu.Unlock()
		if r.Method == http.MethodGet {
			_, _ = fmt.Fprint(w, slices.MaxFunc(whole, time.Time.Compare).Sub(slices.MinFunc(whole, time.Time.Compare)).Microseconds())
			whole = nil
			return
		}
		whole = append(whole, now)
	}))
	fmt.Println(h.URL)
	_, _ = io.Copy(io.Discard, os.Stdin) // until the benchmark ends
}

const asHandler = "DELIVER_TEST_SPREAD_HANDLER"

func TestMain(m *testing.M) {
	if os.Getenv(asHandler) != "" {
		spreadHandler()
		return
	}
	os.Exit(m.Run())
}

func startSpreadHandler(b *testing.B) (url string) {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asHandler+"=1")
	in, err := cmd.StdinPipe()
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	url, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(b, err)
	return strings.TrimSpace(url)
}

// plain sends n copies from as many goroutines that use a warm client: as each
// comes to run, or, parked, all at one signal.
func plain(client *http.Client, url string, body []byte, n int, parked bool) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for range n {
		wg.Go(func() {
			if parked {
				<-start
			}
			res, err := client.Post(url, "application/json", bytes.NewReader(body))
			if err == nil {
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
		})
	}
	if parked {
		time.Sleep(5 * time.Millisecond)
	}
	close(start)
	wg.Wait()
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// BenchmarkAtOnce compares how far apart the bodies of n copies are whole at a
// handler: with AtOnce, and with n goroutines that use a warm http.Client.
// "ratio" is the median of the first for each one of the second, when these are
// released by one signal; "ratio-running" when nothing holds them back.
func BenchmarkAtOnce(b *testing.B) {
	for _, n := range []int{2, 8, 32, replay.MaxAtOnce} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			url := startSpreadHandler(b)
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n, DisableCompression: true}, Timeout: 30 * time.Second}
			spread := func() float64 {
				res, err := client.Get(url)
				require.NoError(b, err)
				defer res.Body.Close()
				var us float64
				_, err = fmt.Fscan(res.Body, &us)
				require.NoError(b, err)
				return us
			}
			s := &Sender{Journal: noJournal{}, Now: time.Now}
			r := post(strings.Repeat("x", 2048))
			plain(client, url, r.Body, n, false)
			spread()
			var ours, parked, running []float64
			for b.Loop() {
				_, _, err := s.AtOnce(b.Context(), copies(n, r, Target{URL: url}))
				require.NoError(b, err)
				ours = append(ours, spread())
				plain(client, url, r.Body, n, true)
				parked = append(parked, spread())
				plain(client, url, r.Body, n, false)
				running = append(running, spread())
			}
			b.ReportMetric(median(ours)/max(median(parked), 1), "ratio")
			b.ReportMetric(median(ours)/max(median(running), 1), "ratio-running")
			b.ReportMetric(median(ours), "µs-spread")
		})
	}
}

// BenchmarkCompose is what a delivery costs before it reaches the wire.
func BenchmarkCompose(b *testing.B) {
	r := post(strings.Repeat("x", 2048))
	at, err := parse("http://localhost:3000/hook")
	require.NoError(b, err)
	a := &replay.Attempt{N: 1}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = compose(r, at, false, a)
	}
}
