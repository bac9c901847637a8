//go:build e2e

package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/capture"
)

// hello is the least that the toolkit can do: what AnyHook is measured against.
const hello = `package main

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/widget"
)

func main() {
	w := app.NewWithID("net.anyhook.hello").NewWindow("hello")
	w.SetContent(widget.NewLabel("hello"))
	w.Resize(fyne.NewSize(1280, 800))
	w.ShowAndRun()
}
`

// idleLimit is how much of a core the window may take while nothing happens, in
// percent, or as much as the toolkit takes for a window with one word and a bit.
const idleLimit, bit = 1.2, 0.2

// built builds the program as it is released, and hello with the same flags.
var built = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "anyhook-bench"); err != nil {
		return "", err
	}
	source := filepath.Join(dir, "hello.go")
	if err := os.WriteFile(source, []byte(hello), 0o600); err != nil {
		return "", err
	}
	for name, what := range map[string]string{"anyhook-desktop": ".", "hello": source} {
		out, err := exec.Command("go", "build", "-tags", "migrated_fynedo", "-ldflags", "-s -w", "-o", filepath.Join(dir, name), what).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("build %s: %w: %s", name, err, out)
		}
	}
	return dir, nil
})

func bare(b *testing.B) *window {
	b.Helper()
	dir, err := built()
	require.NoError(b, err)
	return execute(b, b.TempDir(), filepath.Join(dir, "hello"))
}

// released starts the program as it is released, in light colours, and returns where it captures.
func released(b *testing.B, data string, port int) (*window, string) {
	b.Helper()
	dir, err := built()
	require.NoError(b, err)
	prefs := filepath.Join(data, "home", "fyne", appID)
	require.NoError(b, os.MkdirAll(prefs, 0o700))
	require.NoError(b, os.WriteFile(filepath.Join(prefs, "preferences.json"), []byte(`{"theme":"light","language":"en"}`), 0o600))
	at := "127.0.0.1:" + strconv.Itoa(port)
	return execute(b, data, filepath.Join(dir, "anyhook-desktop"), "-data", data, "-listen", at), "http://" + at
}

// BenchmarkFirstFrame measures from exec to the first frame on the screen, in
// turns with hello, and reports the median of the ratios.
func BenchmarkFirstFrame(b *testing.B) {
	_, err := built()
	require.NoError(b, err)
	x := dial(b)
	b.Cleanup(func() { x.conn.Close() })
	frame := func(start func() *window) float64 {
		require.NoError(b, x.conn.SetDeadline(time.Now().Add(2*patience)))
		dark := func() bool { return x.pixel(600, 300) == 0 }
		for !dark() { // the window before is still going
			time.Sleep(5 * time.Millisecond)
		}
		began := time.Now()
		w := start()
		for dark() {
			time.Sleep(time.Millisecond)
		}
		took := time.Since(began)
		_ = w.cmd.Process.Kill()
		return float64(took.Milliseconds())
	}
	var ours, theirs, ratios []float64
	for b.Loop() {
		for range 5 {
			theirs = append(theirs, frame(func() *window { return bare(b) }))
			ours = append(ours, frame(func() *window { w, _ := released(b, b.TempDir(), 0); return w }))
			ratios = append(ratios, ours[len(ours)-1]/theirs[len(theirs)-1])
		}
	}
	b.ReportMetric(median(ours), "ms")
	b.ReportMetric(median(theirs), "hello-ms")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkIdle measures what the whole process takes of a core while nothing
// happens, beside hello at the same time.
func BenchmarkIdle(b *testing.B) {
	theirs := bare(b)
	ours, _ := released(b, b.TempDir(), 0)
	theirs.shown()
	ours.shown()
	time.Sleep(3 * time.Second) // what a start leaves to do is done
	var cpu, floor []float64
	for b.Loop() {
		from, ourFrom, theirFrom := time.Now(), ours.cpu(), theirs.cpu()
		time.Sleep(6 * time.Second) // the measured time itself
		share := func(d time.Duration) float64 { return 100 * d.Seconds() / time.Since(from).Seconds() }
		cpu, floor = append(cpu, share(ours.cpu()-ourFrom)), append(floor, share(theirs.cpu()-theirFrom))
	}
	b.ReportMetric(median(cpu), "core-%")
	b.ReportMetric(median(floor), "hello-core-%")
	b.ReportMetric(ours.memory(), "RSS-MB")
	b.ReportMetric(theirs.memory(), "hello-RSS-MB")
	b.ReportMetric(0, "ns/op")
	if median(cpu) > max(idleLimit, median(floor)+bit) {
		b.Errorf("idle, the window takes %.2f %% of a core, the toolkit %.2f %%", median(cpu), median(floor))
	}
}

// BenchmarkManyRequests measures the memory of a window over 100,000 requests
// that were scrolled through.
func BenchmarkManyRequests(b *testing.B) {
	const many = 100_000
	data := b.TempDir()
	s, err := session.Start(b.Context(), session.Config{Dir: data, Listen: "127.0.0.1:0", NoKeychain: true})
	require.NoError(b, err)
	require.EqualValues(b, many, burst(b, s.Status().LocalURL, many, 0).acked)
	for _, err := range s.Follow(b.Context(), many-1) { // until the events of the last are read
		require.NoError(b, err)
		break
	}
	require.NoError(b, s.Close())
	w, _ := released(b, data, 0)
	w.shown()
	time.Sleep(2 * time.Second) // the start is not measured
	before := w.memory()
	var cpu []float64
	for b.Loop() {
		used := w.cpu()
		steps := slices.Concat([]string{"key", "--delay", "30", "ctrl+1", "End"}, slices.Repeat([]string{"Prior"}, 40), []string{"Home"}, slices.Repeat([]string{"Next"}, 40), slices.Repeat([]string{"Down"}, 40))
		w.xdo(steps...)
		time.Sleep(time.Second) // what the last keys set off
		cpu = append(cpu, float64((w.cpu()-used).Milliseconds())/123)
	}
	b.ReportMetric(before, "RSS-MB")
	b.ReportMetric(w.memory(), "scrolled-RSS-MB")
	b.ReportMetric(median(cpu), "cpu-ms/step")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkBurst sends 500 requests a second for five seconds while the window
// is open. Every one is answered, and is there.
func BenchmarkBurst(b *testing.B) {
	const rate, seconds = 500, 5
	data := b.TempDir()
	w, at := released(b, data, freePort(b))
	w.shown()
	w.until("the server", func() bool { res, err := http.Get(at); return err == nil && res.Body.Close() == nil })
	time.Sleep(time.Second) // the start is not measured
	var cpu, p99 []float64
	sent := int64(1)
	for b.Loop() {
		from, used := time.Now(), w.cpu()
		got := burst(b, at, rate*seconds, rate)
		cpu = append(cpu, 100*(w.cpu()-used).Seconds()/time.Since(from).Seconds())
		p99 = append(p99, float64(got.took[len(got.took)*99/100].Microseconds())/1000)
		require.EqualValues(b, rate*seconds, got.acked)
		sent += got.acked
		b.ReportMetric(float64(got.acked)/got.lasted.Seconds(), "acknowledged/s")
	}
	a, err := session.Look(b.Context(), data)
	require.NoError(b, err)
	defer a.Close()
	last, err := a.Last(b.Context())
	require.NoError(b, err)
	require.Equal(b, capture.Seq(sent), last)
	b.ReportMetric(median(cpu), "core-%")
	b.ReportMetric(median(p99), "p99-ms")
	b.ReportMetric(0, "ns/op")
}

// A volley is what came of a burst.
type volley struct {
	acked  int64
	took   []time.Duration // sorted
	lasted time.Duration
}

// burst posts n requests from 32 connections; rate a second, or as fast as it goes if rate is 0.
func burst(b *testing.B, at string, n, rate int) volley {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}, Timeout: patience}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var out volley
	var next atomic.Int64
	var wg sync.WaitGroup
	began := time.Now()
	for range 32 {
		wg.Go(func() {
			for {
				i := next.Add(1)
				if i > int64(n) {
					return
				}
				if rate > 0 {
					time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / time.Duration(rate)))) // the pace
				}
				start := time.Now()
				res, err := client.Post(at+"/in", "application/json", strings.NewReader(fmt.Sprintf(`{"id":"evt_%d","object":"event","type":"invoice.paid","created":%d}`, i, start.Unix())))
				if err != nil {
					b.Error(err)
					return
				}
				_ = res.Body.Close()
				mu.Lock()
				out.took = append(out.took, time.Since(start))
				if res.StatusCode == http.StatusOK {
					out.acked++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	out.lasted = time.Since(began)
	slices.Sort(out.took)
	return out
}

// cpu is what all threads of the program have used of the processors.
func (w *window) cpu() time.Duration {
	w.t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", w.cmd.Process.Pid))
	require.NoError(w.t, err)
	require.NotEmpty(w.t, files)
	var sum time.Duration
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			continue // the thread has ended
		}
		ns, _, _ := strings.Cut(string(data), " ")
		n, err := strconv.ParseInt(ns, 10, 64)
		require.NoError(w.t, err)
		sum += time.Duration(n)
	}
	return sum
}

var resident = regexp.MustCompile(`VmRSS:\s*(\d+) kB`)

// memory is what the program has in memory, in megabytes.
func (w *window) memory() float64 {
	w.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.cmd.Process.Pid))
	require.NoError(w.t, err)
	found := resident.FindSubmatch(data)
	require.NotNil(w.t, found)
	kb, err := strconv.Atoi(string(found[1]))
	require.NoError(w.t, err)
	return float64(kb) / 1024
}

func median(all []float64) float64 {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
