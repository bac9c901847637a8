//go:build unix && !linux && !darwin

package supervise

import (
	"os"
	"syscall"
)

// alive ends what the command left behind when it ended: who that is cannot be told here.
func (g *group) alive() bool {
	g.signal(syscall.SIGKILL)
	return false
}

// strays cannot be found here.
func (g *group) strays(os.Signal) {}
