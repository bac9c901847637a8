//go:build unix

package supervise

import (
	"context"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/replay"
)

func TestAHandlerIsStartedKilledAndStartedAgain(t *testing.T) {
	t.Parallel()
	h, addr := supervised(t, "server")
	changes := counted(h)
	require.Equal(t, replay.HandlerState{}, h.State())
	require.NoError(t, h.Kill(), "nothing to kill")

	require.NoError(t, h.Start(t.Context()))
	require.Equal(t, replay.HandlerListening, h.State().Phase)
	require.WithinDuration(t, time.Now(), h.State().Since, soon)
	first := served(t, addr)
	require.NoError(t, h.Start(t.Context()), "it runs already")
	require.Equal(t, first, served(t, addr))
	until(t, "its output is there", func() bool { return h.Output() != "" })
	require.Contains(t, h.Output(), "serving "+addr+" by ")
	require.NotContains(t, h.Output(), "\x1b")

	require.NoError(t, h.Kill())
	require.Equal(t, replay.HandlerKilled, h.State().Phase)
	require.False(t, listens(addr))
	require.NoError(t, h.Kill(), "once more")

	require.NoError(t, h.Start(t.Context()))
	require.NotEqual(t, first, served(t, addr))
	require.NoError(t, h.Stop())
	require.Equal(t, replay.HandlerStopped, h.State().Phase)
	require.NoError(t, h.Stop(), "once more")
	require.False(t, listens(addr))
	require.Positive(t, changes.Load())
}

func TestAHandlerOfAnyShapeIsKilledWhole(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"a program":                            command("server"),
		"a shell around it":                    command("server") + "; echo never",
		"it ignores SIGTERM":                   command("stubborn"),
		"a child of a shell":                   "trap '' TERM; " + command("stubborn") + " & wait",
		"the command is over, and leaves it":   command("deserter"),
		"it is the child of a program":         command("parent"),
		"it is far from the shell":             "(" + command("stubborn") + " &) ; sleep 1000",
		"the shell and a child, and a pipe":    command("stubborn") + " | cat",
		"it has a sibling that forks for ever": "(while :; do sleep 0.001 & done) & " + command("stubborn"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ends(t, command, (*Handler).Kill)
		})
	}
}

func TestAHandlerIsAskedToEndAndKilledIfItDoesNot(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"a program":              command("server"),
		"it ignores SIGTERM":     command("stubborn"),
		"a child of a shell":     command("server") + " & wait",
		"the child stays behind": command("stubborn") + " & wait",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ends(t, command, (*Handler).Stop)
		})
	}
}

// ends starts a handler, ends it, and starts it again.
func ends(t *testing.T, command string, end func(*Handler) error) {
	t.Helper()
	addr := free(t)
	h := handler(addr, command)
	t.Cleanup(func() { require.NoError(t, h.Kill()) })
	require.NoError(t, h.Start(t.Context()))
	server := served(t, addr)
	require.NoError(t, end(h))
	require.False(t, listens(addr))
	require.True(t, dead(server))
	require.Empty(t, left(h), "of its processes")
	require.NoError(t, h.Start(t.Context()), "the port is free")
	require.NotEqual(t, server, served(t, addr))
}

func TestWhatEndsBeforeItListensSaysWhatItPrinted(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"echo one; echo '\x1b[31mtwo' >&2; exit 7": ` ended (exit status 7) before anything listened at http://`,
		"exit 0":               `it printed nothing`,
		"no-such-program-here": `not found`,
		"kill -SEGV $$":        `signal: segmentation fault`,
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			h := handler(free(t), command)
			err := h.Start(t.Context())
			require.ErrorContains(t, err, want)
			require.NotContains(t, err.Error(), "\x1b")
			require.Equal(t, replay.HandlerEnded, h.State().Phase)
			require.NotEmpty(t, h.State().Status)
		})
	}
	h := handler(free(t), "echo one; echo two >&2; exit 7")
	require.Contains(t, words(h.Start(t.Context())), "; it printed: one two")
	require.Equal(t, "exit status 7", h.State().Status)
	require.Contains(t, words(h.Start(t.Context())), "; it printed: one two", "and not what it printed before")
	require.Equal(t, "one\ntwo\none\ntwo\n", h.Output())
}

func TestWhatDoesNotListenInTimeIsKilled(t *testing.T) {
	t.Parallel()
	h := handler(free(t), "echo waiting; sleep 1000")
	h.Patience = 300 * time.Millisecond
	err := h.Start(t.Context())
	require.ErrorContains(t, err, "nothing listened at "+h.Target+" within 300ms")
	require.ErrorContains(t, err, "waiting")
	require.Equal(t, replay.HandlerKilled, h.State().Phase)
	require.Empty(t, left(h))

	h.Patience = soon
	ctx, cancel := context.WithCancel(t.Context())
	h.Print = func(string) { cancel() }
	require.ErrorIs(t, h.Start(ctx), context.Canceled)
	require.Empty(t, left(h))
}

func TestWhatIsServedByAnotherIsNotStarted(t *testing.T) {
	t.Parallel()
	h, addr := supervised(t, "server")
	l, err := net.Listen("tcp", addr)
	require.NoError(t, err)
	require.EqualError(t, h.Start(t.Context()), h.Target+" is already served by another program: stop it, so that AnyHook can start it with this command, or leave the command empty")
	require.Equal(t, replay.HandlerState{}, h.State())
	require.NoError(t, l.Close())
	until(t, "no process that was born meanwhile listens", func() bool { return !listens(addr) })
	require.NoError(t, h.Start(t.Context()))
}

func TestAHandlerThatEndsByItselfIsSaidTo(t *testing.T) {
	t.Parallel()
	h, addr := supervised(t, "server")
	require.NoError(t, h.Start(t.Context()))
	server, err := os.FindProcess(served(t, addr))
	require.NoError(t, err)
	require.NoError(t, server.Kill())
	until(t, "it is said to have ended", func() bool { return h.State().Phase == replay.HandlerEnded })
	require.Contains(t, []string{"signal: killed", "exit status 137"}, h.State().Status, "as the shell says it")
	require.NoError(t, h.Start(t.Context()))
	require.NotEqual(t, server.Pid, served(t, addr))
}

func TestKillsAndStartsAtTheSameTimeLeaveOneHandlerAtMost(t *testing.T) {
	t.Parallel()
	h, addr := supervised(t, "server")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				_ = h.Start(t.Context()) // which a kill may forestall
				_ = h.Output()
			}
		})
		wg.Go(func() {
			for range 5 {
				_ = h.Kill()
			}
		})
	}
	wg.Wait()
	require.NoError(t, h.Kill())
	require.False(t, listens(addr))
	require.Empty(t, left(h))
	require.NoError(t, h.Start(t.Context()))
	served(t, addr)
}

func TestAClosedHandlerIsNotStartedAgain(t *testing.T) {
	t.Parallel()
	h, addr := supervised(t, "stubborn")
	starting := make(chan error, 1)
	go func() { starting <- h.Start(t.Context()) }()
	until(t, "it is on its way", func() bool { return h.State().Runs() })
	require.NoError(t, h.Close())
	if err := <-starting; err != nil {
		require.ErrorIs(t, err, errForestalled, "it was not in time")
	}
	require.ErrorIs(t, h.Start(t.Context()), errClosed)
	require.False(t, listens(addr))
}

func TestACommandRunsInItsFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := handler(free(t), "pwd; exit 1")
	h.Dir = dir
	require.ErrorContains(t, h.Start(t.Context()), dir)
	h.Dir = dir + "/none"
	require.ErrorContains(t, h.Start(t.Context()), "there is no folder "+dir+"/none")
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	h.Dir = "~"
	require.ErrorContains(t, h.Start(t.Context()), home)
	got, err := folder("~/")
	require.NoError(t, err)
	require.Equal(t, home, got)
}
