//go:build unix

package supervise

import (
	"crypto/rand"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// A group is the process group of a command, and whatever else can be known to
// have come of it. A guard is in it from before the command to after its last
// process; as long as the guard is not waited for, the group's number is
// nobody else's.
type group struct {
	guard *exec.Cmd
	life  *os.File // our end of the guard's input
	cmd   *os.Process
	mark  string // a word in the environment of all

	mu     sync.Mutex
	closed bool // the number may be another's
}

// guarding waits until AnyHook is gone, and kills what AnyHook would have.
const guarding = `trap "" HUP INT QUIT TERM
read -r _
grep -ls -e "$1" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do kill -KILL "$pid"; done
kill -KILL 0`

// shell is a command for the shell.
func shell(command string) *exec.Cmd { return exec.Command("/bin/sh", "-c", command) } //nolint:gosec,noctx // the user's own; see the package comment

// begin starts cmd in a group of its own.
func begin(cmd *exec.Cmd) (*group, error) {
	g := &group{mark: "ANYHOOK_HANDLER=" + rand.Text()}
	read, life, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	g.life = life
	g.guard = exec.Command("/bin/sh", "-c", guarding, "sh", g.mark) //nolint:gosec,noctx // outlives whoever started it
	g.guard.Dir, g.guard.Stdin = "/", read
	g.guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := g.guard.Start(); err != nil {
		_ = life.Close()
		return nil, err
	}
	cmd.Env = append(cmd.Env, g.mark)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.guard.Process.Pid}
	if err := cmd.Start(); err != nil {
		g.close()
		return nil, err
	}
	g.cmd = cmd.Process
	return g, nil
}

// ask asks all to end, and reports whether that is possible.
func (g *group) ask() bool {
	g.signal(syscall.SIGTERM)
	return true
}

// kill kills all, the guard included.
func (g *group) kill() {
	g.signal(syscall.SIGKILL)
}

// signal reaches all of the group at the same moment, also those that are just
// being born, and then those that left it.
func (g *group) signal(s syscall.Signal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	_ = syscall.Kill(-g.guard.Process.Pid, s)
	_ = g.cmd.Signal(s)
	g.strays(s)
}

// close gives the group's number back. Nothing of the group may be alive.
func (g *group) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	g.closed = true
	_ = g.guard.Process.Kill()
	_ = g.guard.Wait()
	_ = g.life.Close()
}
