package supervise

import (
	"os"

	"golang.org/x/sys/unix"
)

// zombie is SZOMB of sys/proc.h.
const zombie = 5

// alive reports whether any process of g's group lives, the guard aside.
func (g *group) alive() bool {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.pgrp", g.guard.Process.Pid)
	if err != nil {
		return false
	}
	for _, p := range all {
		if int(p.Proc.P_pid) != g.guard.Process.Pid && p.Proc.P_stat != zombie {
			return true
		}
	}
	return false
}

// strays cannot be found here.
func (g *group) strays(os.Signal) {}
