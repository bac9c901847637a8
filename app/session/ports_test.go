package session

import (
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPortsOfThisMachineAreFoundButNeverOurOwn(t *testing.T) {
	t.Parallel()
	d := begin(t)
	require.NoError(t, d.Practice(t.Context(), true))
	var ports, want []int
	port := func(s string) int {
		n, err := strconv.Atoi(s)
		require.NoError(t, err)
		return n
	}
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			require.Contains(t, addr, "::1", "a machine may have no IPv6")
			continue
		}
		defer l.Close()
		want = append(want, l.Addr().(*net.TCPAddr).Port)
	}
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, gone.Close())
	st := d.Status()
	ports = append(ports, port(portOf(st.LocalURL)))
	ports = append(ports, want...)
	ports = append(ports, gone.Addr().(*net.TCPAddr).Port, port(portOf(st.Practice)))
	require.Equal(t, want, d.openOf(t.Context(), ports))
	require.Subset(t, usualPorts, d.OpenPorts(t.Context()))
}

func TestSettingsOutliveTheProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, want := range []string{"", "compact"} {
		s, err := Start(t.Context(), Config{Dir: dir, Listen: "127.0.0.1:0", NoKeychain: true})
		require.NoError(t, err)
		got, err := s.Setting(t.Context(), "density")
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.NoError(t, s.SetSetting(t.Context(), "density", "compact"))
		kept, err := s.settings.Get(t.Context(), "density")
		require.NoError(t, err)
		require.Empty(t, kept, "the window's settings are apart from our own")
		require.NoError(t, s.Close())
	}
}
