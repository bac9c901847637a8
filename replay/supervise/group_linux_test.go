package supervise

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// buried reports whether a process is a zombie.
func buried(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(b), ") Z ")
}

func TestAProcessThatLeftTheGroupIsKilledToo(t *testing.T) {
	t.Parallel()
	h, addr := supervised(t, "loner")
	require.NoError(t, h.Start(t.Context()))
	server := served(t, addr)
	_, group := stat(server)
	require.NotEqual(t, h.current().group.guard.Process.Pid, group)
	require.NoError(t, h.Kill())
	require.True(t, dead(server))
	require.False(t, listens(addr))
}

func TestAProcessThatIsNotOursIsNotTouched(t *testing.T) {
	t.Parallel()
	addr := free(t)
	other := again("server", nil)
	other.Env = append(other.Env, addressOf+"="+addr, "ANYHOOK_HANDLER=another")
	require.NoError(t, other.Start())
	t.Cleanup(func() { _ = other.Process.Kill(); _ = other.Wait() })
	until(t, "the other listens", func() bool { return listens(addr) })

	h, _ := supervised(t, "server")
	require.NoError(t, h.Start(t.Context()))
	require.NoError(t, h.Kill())
	require.Equal(t, other.Process.Pid, served(t, addr))
}

// A process can be called anything.
func TestTheStateOfAProcessIsReadBehindItsName(t *testing.T) {
	t.Parallel()
	state, group := stat(os.Getpid())
	require.NotZero(t, state)
	require.NotZero(t, group)
	state, _ = stat(1 << 30)
	require.Zero(t, state)
}
