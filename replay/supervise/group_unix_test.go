//go:build unix

package supervise

import (
	"bufio"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func playMore(role string) error {
	switch role {
	case "parent": // has a child that ignores SIGTERM serve
		return again("stubborn", nil).Run()
	case "loner": // has one serve in a session of its own, and ends
		return again("stubborn", &syscall.SysProcAttr{Setsid: true}).Start()
	}
	return fmt.Errorf("no role %q", role)
}

// dead reports whether no process has the number, a zombie that somebody else has to bury aside.
func dead(pid int) bool {
	return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || buried(pid)
}

// left are the numbers of the children of this process that were h's, and were
// not waited for.
func left(h *Handler) []int {
	run := h.current()
	var out []int
	for _, pid := range []int{run.cmd.Process.Pid, run.group.guard.Process.Pid} {
		if !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			out = append(out, pid)
		}
	}
	if run.group.alive() {
		out = append(out, -run.group.guard.Process.Pid)
	}
	return out
}

func TestAHandlerDiesWithAnyHook(t *testing.T) {
	t.Parallel()
	addr := free(t)
	cmd := again("supervisor", nil)
	cmd.Env = append(cmd.Env, addressOf+"="+addr)
	cmd.Stdout = nil
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", line)
	server := served(t, addr)

	require.NoError(t, cmd.Process.Kill())
	require.ErrorAs(t, cmd.Wait(), new(*exec.ExitError))
	until(t, "the handler is dead", func() bool { return dead(server) && !listens(addr) })
}
