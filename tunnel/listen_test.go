package tunnel_test

import (
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/tunnel"
)

func TestATakenPortIsToldAndTheNextFreeOneTaken(t *testing.T) {
	t.Parallel()
	other, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer other.Close()
	wanted := other.Addr().(*net.TCPAddr).Port

	k := newKeeper()
	defer k.Close()
	taken, err := k.Listen(t.Context(), other.Addr().String())
	require.NoError(t, err)
	require.Equal(t, wanted, taken)
	require.NotEqual(t, wanted, k.Addr().(*net.TCPAddr).Port)

	_, err = k.Listen(t.Context(), "127.0.0.1:0")
	require.Error(t, err, "one local address is enough")
}

func TestAFreePortIsTakenAsAsked(t *testing.T) {
	t.Parallel()
	for range 20 { // another program may be faster
		free, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		addr := free.Addr().String()
		require.NoError(t, free.Close())
		k := newKeeper()
		taken, err := k.Listen(t.Context(), addr)
		require.NoError(t, err)
		got := k.Addr().String()
		require.NoError(t, k.Close())
		if taken == 0 {
			require.Equal(t, addr, got)
			return
		}
	}
	t.Fatal("a free port was never taken")
}

func TestTheNextPortIsCloseBy(t *testing.T) {
	t.Parallel()
	for range 20 { // another program may hold all 20
		other, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		wanted := other.Addr().(*net.TCPAddr).Port
		k := newKeeper()
		_, err = k.Listen(t.Context(), "127.0.0.1:"+strconv.Itoa(wanted))
		require.NoError(t, err)
		got := k.Addr().(*net.TCPAddr).Port
		require.NoError(t, k.Close())
		require.NoError(t, other.Close())
		if got > wanted && got <= wanted+20 {
			return
		}
	}
	t.Fatal("never close by")
}

func TestOnlyThisMachineMayReachTheLocalAddress(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0", "127.0.0.1", "127.0.0.1:http", "127.0.0.1:65536", "127.0.0.1:-1", ""} {
		k := newKeeper()
		_, err := k.Listen(t.Context(), addr)
		require.Error(t, err, addr)
		require.NoError(t, k.Close())
	}
	k := newKeeper()
	defer k.Close()
	require.Equal(t, "tunnel", k.Addr().String(), "before Listen")
	_, err := k.Listen(t.Context(), "localhost:0")
	require.NoError(t, err)
	require.True(t, k.Addr().(*net.TCPAddr).IP.IsLoopback())
}

func TestBackoffGrowsFromOneSecondToAMinute(t *testing.T) {
	t.Parallel()
	for n, most := range []float64{1.5, 3, 6, 12, 24, 48, 60, 60, 60} {
		require.InDelta(t, most, tunnel.Backoff(n, 0.999999999).Seconds(), 0.001)
		require.InDelta(t, most/1.5, tunnel.Backoff(n, 0).Seconds(), 0.001)
	}
	require.LessOrEqual(t, tunnel.Backoff(1<<40, 0.99).Seconds(), 60.0)
	require.GreaterOrEqual(t, tunnel.Backoff(-1, 0).Seconds(), 1.0)
}
