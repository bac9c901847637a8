//go:build e2e

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// patience is how long a test waits for what has to come; a machine under load is slow.
const patience = 30 * time.Second

// A window is the program in a process of its own, and the hands and eyes of who uses it.
type window struct {
	t    testing.TB
	dir  string // its data folder
	cmd  *exec.Cmd
	id   string // of the X window
	in   io.Writer
	out  *bufio.Reader
	errs *spoken
	done chan struct{} // closed when it is gone
}

// open starts the program on a data folder and waits for its window.
func open(t testing.TB, dir string) *window {
	t.Helper()
	w := launch(t, dir)
	w.shown()
	return w
}

// shown waits for the window and gives it the keyboard.
func (w *window) shown() {
	w.t.Helper()
	w.until("the window", func() bool {
		out, _ := exec.CommandContext(w.t.Context(), "xdotool", "search", "--onlyvisible", "--pid", strconv.Itoa(w.cmd.Process.Pid)).Output()
		w.id = strings.TrimSpace(string(out))
		return w.id != "" && !strings.Contains(w.id, "\n")
	})
	w.xdo("windowfocus", "--sync", w.id)
}

// launch starts the program, as this test binary: with eyes for the test.
func launch(t testing.TB, dir string) *window {
	t.Helper()
	return execute(t, dir, os.Args[0], "-data", dir, "-listen", "127.0.0.1:0")
}

// execute starts a program with a home in dir. At the end of the test it is
// gone, and has said nothing of drawing on a goroutine that may not.
func execute(t testing.TB, dir, program string, args ...string) *window {
	t.Helper()
	w := &window{t: t, dir: dir, errs: &spoken{}, done: make(chan struct{})}
	w.cmd = exec.CommandContext(t.Context(), program, args...)
	home := filepath.Join(dir, "home")
	require.NoError(t, os.MkdirAll(filepath.Join(home, ".cache"), 0o700))
	w.cmd.Env = append(os.Environ(), childEnv+"=1", "ANYHOOK_NO_KEYCHAIN=1", "FYNE_THEME=light",
		"HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, ".cache"))
	w.cmd.Stderr = w.errs
	in, err := w.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := w.cmd.StdoutPipe()
	require.NoError(t, err)
	w.in, w.out = in, bufio.NewReader(out)
	require.NoError(t, w.cmd.Start())
	go func() { defer close(w.done); _ = w.cmd.Wait() }() // ProcessState has what became of it
	t.Cleanup(w.kill)
	return w
}

// kill ends the program if it still runs, and reads what it said.
func (w *window) kill() {
	_ = w.cmd.Process.Kill()
	<-w.done
	require.NotContains(w.t, w.errs.String(), "Error in Fyne call thread")
	require.NotContains(w.t, w.errs.String(), "panic")
	if w.t.Failed() {
		w.t.Logf("standard error of %s:\n%s", filepath.Base(w.dir), w.errs)
	}
}

// ended waits until the program is gone, returns its exit status, and how long that took.
func (w *window) ended() (status int, took time.Duration) {
	w.t.Helper()
	start := time.Now()
	select {
	case <-w.done:
	case <-time.After(patience):
		require.Fail(w.t, "the program does not end", "%s", w.errs)
	}
	return w.cmd.ProcessState.ExitCode(), time.Since(start)
}

// until waits for a condition.
func (w *window) until(what string, cond func() bool) {
	w.t.Helper()
	end := time.Now().Add(patience)
	for !cond() {
		if time.Now().After(end) {
			require.Fail(w.t, "waited in vain for "+what)
		}
		time.Sleep(30 * time.Millisecond) // between two looks, not in place of one
	}
}

// look returns what is in the window now.
func (w *window) look() []thing {
	w.t.Helper()
	_, err := io.WriteString(w.in, "look\n")
	require.NoError(w.t, err)
	line, err := w.out.ReadBytes('\n')
	require.NoError(w.t, err, "%s", w.errs)
	var all []thing
	require.NoError(w.t, json.Unmarshal(line, &all))
	return all
}

// find returns the things whose text matches all of a pattern.
func (w *window) find(pattern string) (out []thing) {
	w.t.Helper()
	re := regexp.MustCompile(`^(?:` + pattern + `)$`)
	for _, o := range w.look() {
		if re.MatchString(o.Text) {
			out = append(out, o)
		}
	}
	return out
}

// see waits for a text and returns the last that matches: what is on top.
func (w *window) see(pattern string) thing {
	w.t.Helper()
	var seen thing
	end := time.Now().Add(patience)
	for {
		if all := w.find(pattern); len(all) > 0 {
			seen = all[len(all)-1]
			return seen
		}
		if time.Now().After(end) {
			w.t.Logf("in the window: %v", w.look())
			require.Fail(w.t, "not in the window", pattern)
		}
		time.Sleep(30 * time.Millisecond) // between two looks
	}
}

// match waits for a text and returns what the group of a pattern found in it.
func (w *window) match(pattern string) string {
	w.t.Helper()
	return regexp.MustCompile(`^(?:` + pattern + `)$`).FindStringSubmatch(w.see(pattern).Text)[1]
}

// still waits until a text stands where it stood at the look before, as what slides or is laid out does not.
func (w *window) still(pattern string) thing {
	w.t.Helper()
	at := w.see(pattern)
	w.until(pattern+" to stand still", func() bool {
		was := at
		at = w.see(pattern)
		return at == was
	})
	return at
}

// click moves the pointer over a text and presses. Fyne takes a move at its
// next tick, so that a press straight after it would land elsewhere.
func (w *window) click(pattern string, args ...string) {
	w.t.Helper()
	at := w.still(pattern)
	w.xdo("mousemove", "--window", w.id, strconv.Itoa(at.X), strconv.Itoa(at.Y), "sleep", "0.1")
	w.xdo(append(args, "click", "1")...)
}

// hover moves the pointer over a text.
func (w *window) hover(pattern string) {
	w.t.Helper()
	at := w.still(pattern)
	w.xdo("mousemove", "--window", w.id, strconv.Itoa(at.X-3), strconv.Itoa(at.Y), "sleep", "0.1", "mousemove", "--window", w.id, strconv.Itoa(at.X), strconv.Itoa(at.Y), "sleep", "0.1")
}

// press types keys.
func (w *window) press(keys ...string) {
	w.t.Helper()
	w.xdo(append([]string{"key", "--delay", "60"}, keys...)...)
}

// write types a text.
func (w *window) write(s string) {
	w.t.Helper()
	w.xdo("type", "--delay", "30", s)
}

func (w *window) xdo(args ...string) {
	w.t.Helper()
	out, err := exec.CommandContext(w.t.Context(), "xdotool", args...).CombinedOutput()
	require.NoError(w.t, err, "%v: %s", args, out)
}

// request reads what the running program stored, beside it, as "anyhook show"
// does; nil if there is none of that number, or its events are not read yet.
func (w *window) request(seq capture.Seq) *capture.Request {
	w.t.Helper()
	a, err := session.Look(w.t.Context(), w.dir)
	require.NoError(w.t, err)
	defer a.Close()
	sums, err := a.Summaries(w.t.Context(), []capture.Seq{seq})
	require.NoError(w.t, err)
	if len(sums) == 0 {
		return nil
	}
	r, err := a.Request(w.t.Context(), sums[0].ID)
	require.NoError(w.t, err)
	if len(r.Events) == 0 {
		return nil
	}
	return r
}

// attempts are the deliveries of a request, as they are stored.
func (w *window) attempts(id capture.ID) []replay.Attempt {
	w.t.Helper()
	a, err := session.Look(w.t.Context(), w.dir)
	require.NoError(w.t, err)
	defer a.Close()
	all, err := a.Attempts(w.t.Context(), id)
	require.NoError(w.t, err)
	return all
}

// spoken is what a program wrote to standard error.
type spoken struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements io.Writer.
func (s *spoken) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(b)
}

func (s *spoken) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// freePort is a port that nobody listens on.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
