package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/fixture"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"anyhook": func() {
			ctx, stop := signal.NotifyContext(context.Background(), endings()...)
			defer stop()
			os.Exit(Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// TestScripts runs the real program, command by command, as testdata/script says.
func TestScripts(t *testing.T) {
	t.Parallel()
	if signal.Ignored(syscall.SIGHUP) { // under nohup, of which a program that is started would know
		heard := make(chan os.Signal, 1)
		signal.Notify(heard, syscall.SIGHUP)
		t.Cleanup(func() { signal.Stop(heard) })
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("ANYHOOK_NO_KEYCHAIN", "1")
			e.Setenv("HOME", e.WorkDir)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"start":  start,
			"end":    end,
			"until":  until,
			"raw":    raw,
			"ask":    ask,
			"taken":  taken,
			"stored": stored,
			"leave":  leave,
			"setid":  setID,
			"status": status,

			"fixtures": fixtures,
		},
	})
}

const patience = 30 * time.Second

var address = regexp.MustCompile(`http://[0-9.]+:[0-9]+`)

type running struct {
	cmd  *exec.Cmd
	done chan error
}

// anyhook is the program's path.
func anyhook(ts *testscript.TestScript) string {
	bin, err := exec.LookPath("anyhook")
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if p := filepath.Join(dir, "anyhook"); err != nil && exists(p) {
			bin, err = p, nil
		}
	}
	ts.Check(err)
	return bin
}

// start NAME ARGS… runs anyhook in the background, its output in the file
// NAME, and sets $NAME to the first URL it prints.
func start(ts *testscript.TestScript, neg bool, args []string) {
	name := args[0]
	bin := anyhook(ts)
	out, err := os.Create(ts.MkAbs(name))
	ts.Check(err)
	cmd := exec.Command(bin, args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), out, out
	cmd.Env = []string{"HOME=" + ts.Getenv("HOME"), "ANYHOOK_NO_KEYCHAIN=1", "PATH=" + ts.Getenv("PATH"), "TMPDIR=" + ts.Getenv("TMPDIR")}
	ts.Check(cmd.Start())
	r := &running{cmd, make(chan error, 1)}
	go func() { r.done <- cmd.Wait(); out.Close() }()
	ts.Defer(func() { _ = cmd.Process.Kill() })
	runningOf.Store(ts.MkAbs(name), r)
	ts.Setenv(name, string(wait(ts, name, address)))
}

// runningOf knows the background programs by the file of their output.
var runningOf sync.Map

// end NAME [HUP] ends what start began, as a user does or as a terminal that
// is closed, and wants exit status 0.
func end(ts *testscript.TestScript, neg bool, args []string) {
	v, ok := runningOf.Load(ts.MkAbs(args[0]))
	if !ok {
		ts.Fatalf("%s was not started", args[0])
	}
	r := v.(*running) // only start stores there
	signal := syscall.SIGTERM
	if len(args) > 1 {
		signal = map[string]syscall.Signal{"HUP": syscall.SIGHUP}[args[1]]
	}
	ts.Check(r.cmd.Process.Signal(signal))
	select {
	case err := <-r.done:
		if err != nil {
			ts.Fatalf("%s: %v\n%s", args[0], err, ts.ReadFile(args[0]))
		}
	case <-time.After(patience):
		ts.Fatalf("%s does not stop\n%s", args[0], ts.ReadFile(args[0]))
	}
}

// until FILE REGEXP waits until the file has the pattern.
func until(ts *testscript.TestScript, neg bool, args []string) {
	wait(ts, args[0], regexp.MustCompile("(?m)"+args[1]))
}

func wait(ts *testscript.TestScript, file string, what *regexp.Regexp) []byte {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); time.Now().Before(end); <-tick.C {
		b, _ := os.ReadFile(ts.MkAbs(file))
		if m := what.Find(b); m != nil {
			return m
		}
	}
	ts.Fatalf("%s never has %s:\n%s", file, what, ts.ReadFile(file))
	return nil
}

// setid NAME FILE REGEXP sets $NAME to the first group of the pattern in the file.
func setID(ts *testscript.TestScript, neg bool, args []string) {
	m := regexp.MustCompile("(?m)" + args[2]).FindStringSubmatch(ts.ReadFile(args[1]))
	if m == nil {
		ts.Fatalf("%s has no %s:\n%s", args[1], args[2], ts.ReadFile(args[1]))
	}
	ts.Setenv(args[0], m[1])
}

// raw URL FILE ANSWER sends the file's bytes, line ends as they are, to the
// address and writes what comes back.
func raw(ts *testscript.TestScript, neg bool, args []string) {
	u, err := url.Parse(args[0])
	ts.Check(err)
	c, err := net.Dial("tcp", u.Host)
	ts.Check(err)
	defer c.Close()
	_, err = c.Write([]byte(ts.ReadFile(args[1])))
	ts.Check(err)
	ts.Check(c.SetReadDeadline(time.Now().Add(patience)))
	buf := make([]byte, 64<<10)
	n, err := c.Read(buf)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), bytes.Clone(buf[:n]), 0o600))
}

// ask URL FILE ANSWER is raw that does not wait for the answer.
func ask(ts *testscript.TestScript, neg bool, args []string) {
	u, err := url.Parse(args[0])
	ts.Check(err)
	c, err := net.Dial("tcp", u.Host)
	ts.Check(err)
	ts.Check(c.SetDeadline(time.Now().Add(2 * patience)))
	_, err = c.Write([]byte(ts.ReadFile(args[1])))
	ts.Check(err)
	answer := ts.MkAbs(args[2])
	done := make(chan struct{})
	go func() {
		defer close(done)
		all, _ := io.ReadAll(c)
		_ = os.WriteFile(answer, all, 0o600)
	}()
	ts.Defer(func() { c.Close(); <-done })
}

// taken NAME listens on a port, as another program would that never answers,
// and sets $NAME to its address.
func taken(ts *testscript.TestScript, neg bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	ts.Setenv(args[0], l.Addr().String())
}

// leave URL FILE sends the file's bytes, and goes away when they are taken.
func leave(ts *testscript.TestScript, neg bool, args []string) {
	u, err := url.Parse(args[0])
	ts.Check(err)
	c, err := net.Dial("tcp", u.Host)
	ts.Check(err)
	_, err = c.Write([]byte(ts.ReadFile(args[1])))
	ts.Check(err)
	stored(ts, false, []string{args[2], "1"})
	ts.Check(c.Close())
}

// stored DIR N waits until the data folder has N requests.
func stored(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); time.Now().Before(end); <-tick.C {
		out, _ := exec.Command(anyhook(ts), "list", "--data", ts.MkAbs(args[0])).Output()
		if bytes.Count(out, []byte("\n")) >= n {
			return
		}
	}
	ts.Fatalf("%s never has %d requests", args[0], n)
}

// fixtures DIR N START writes N requests that came second by second from START
// on, but for two that came at the same moment, half a minute after it.
func fixtures(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	start, err := time.Parse(time.RFC3339, args[2])
	ts.Check(err)
	all := func(yield func(*capture.Request, error) bool) {
		for i := range n {
			if !yield(made(i, start), nil) {
				return
			}
		}
	}
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o750))
	_, err = fixture.Write(ts.MkAbs(args[0]), all, fixture.Options{})
	ts.Check(err)
}

// made is the ith of these requests.
func made(i int, start time.Time) *capture.Request {
	at := start.Add(time.Duration(i) * time.Second)
	if i > 30 {
		at = at.Add(-time.Second)
	}
	r := &capture.Request{
		ID: capture.ID(fmt.Sprintf("req_%04d", i)), Kind: capture.Delivery, At: at, Method: "POST", URL: "http://h/in",
		Head: capture.NewHead("POST", "/in", capture.Field{Name: "Host", Value: "h"}), Body: fmt.Appendf(nil, `{"n":%d}`, i),
	}
	r.Header = r.Head.Header()
	return r
}

// status N COMMAND… runs anyhook and wants that exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec("anyhook", args[1:]...)
	got := "0"
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exitStatus(e)
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

func exitStatus(e *exec.ExitError) string {
	return strconv.Itoa(e.ExitCode())
}

func exists(p string) bool {
	_, err := os.Stat(p)
	return err == nil
}
