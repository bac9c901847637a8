package supervise

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// alive reports whether any process of g lives, the guard aside.
func (g *group) alive() bool {
	for _, pid := range processes() {
		if state, group := stat(pid); state != 0 && pid != g.guard.Process.Pid && (group == g.guard.Process.Pid || g.marked(pid)) {
			return true
		}
	}
	return false
}

// strays signals the processes of g that left its group. None can be mistaken
// for another: what is held is the process and not its number, and its mark is
// looked at after that.
func (g *group) strays(s os.Signal) {
	for _, pid := range processes() {
		if state, group := stat(pid); state == 0 || group == g.guard.Process.Pid || !g.marked(pid) {
			continue
		}
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if g.marked(pid) {
			_ = p.Signal(s)
		}
		_ = p.Release()
	}
}

// processes are the numbers of all processes.
func processes() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var out []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// stat returns the state of a process and its group; 0 for one that is dead
// (proc_pid_stat(5)).
func stat(pid int) (state byte, group int) {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0, 0
	}
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:]) // the name before may hold anything
	if len(fields) < 3 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return 0, 0
	}
	group, err = strconv.Atoi(string(fields[2]))
	if err != nil {
		return 0, 0
	}
	return fields[0][0], group
}

// marked reports whether a process has the mark in its environment.
func (g *group) marked(pid int) bool {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	if err != nil {
		return false
	}
	for word := range bytes.SplitSeq(b, []byte{0}) {
		if string(word) == g.mark {
			return true
		}
	}
	return false
}
