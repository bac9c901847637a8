package cert

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNoRedirectIsFollowed(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"/other.pem", "http://169.254.169.254/latest/meta-data", "https://127.0.0.1/x.pem"} {
		w := newWorld(t, func(_ *world, rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, to, http.StatusFound) })
		_, err := w.Get(t.Context(), address, true)
		require.ErrorContains(t, err, "302")
		require.EqualValues(t, 1, w.asked.Load())
	}
}

func TestNothingIsAskedAtAnAddressThatIsNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, say(""))
	for _, bad := range []string{
		"", "x", "::", "https://", "file:///etc/passwd", "http://" + host + "/x.pem", "ftp://" + host + "/x.pem",
		"https://" + host + ":8443/x.pem", "https://user@" + host + "/x.pem", "https://user:word@" + host + "/x.pem", "//" + host + "/x.pem",
	} {
		_, err := w.Get(t.Context(), bad, true)
		require.Error(t, err, bad)
	}
	require.Zero(t, w.asked.Load())
}

func TestAHostThatIsNotTheOneNamedIsNotBelieved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, say(""))
	w.client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, w.server.Listener.Addr().String())
	}
	_, err := w.Get(t.Context(), "https://api.paypal.com/v1/notifications/certs/1", true)
	require.ErrorContains(t, err, "valid for "+host)
	require.Zero(t, w.asked.Load())
	w.client.Transport.(*http.Transport).TLSClientConfig.RootCAs = newAuthority(t).pool()
	_, err = w.Get(t.Context(), address, true)
	require.ErrorContains(t, err, "unknown authority")
	require.Zero(t, w.asked.Load())
}

// Names that lead here, and addresses in any spelling.
func TestNobodysOwnNetworkIsAsked(t *testing.T) {
	t.Parallel()
	for _, within := range []string{
		"127.0.0.1", "127.1.2.3", "localhost", "[::1]", "0.0.0.0", "[::]", "10.0.0.1", "172.16.0.1", "192.168.1.1",
		"169.254.169.254", "100.64.0.1", "[fd00::1]", "[fe80::1]", "[::ffff:127.0.0.1]", "[::ffff:169.254.169.254]", "[64:ff9b::7f00:1]", "224.0.0.1",
	} {
		s := New(t.TempDir(), Options{Now: func() time.Time { return noon }})
		_, err := s.Get(t.Context(), "https://"+within+"/x.pem", true)
		require.ErrorIs(t, err, errNotPublic, within)
	}
	for ip, want := range map[string]bool{
		"1.1.1.1": true, "52.94.5.1": true, "2606:4700:4700::1111": true, "2600:9000::1": true, "::ffff:1.1.1.1": true,
		"198.51.100.1": false, "203.0.113.1": false, "198.18.0.1": false, "255.255.255.255": false, "0.1.2.3": false,
		"2001:db8::1": false, "2002:7f00:1::": false, "::7f00:1": false, "ff02::1": false, "fe80::1%eth0": false, "2001::1": false,
	} {
		require.Equal(t, want, public(netip.MustParseAddr(ip)), ip)
	}
	for _, addr := range []string{"", "1.1.1.1", "localhost:443", "[::1]:443"} {
		require.ErrorIs(t, publicOnly(t.Context(), "tcp", addr, nil), errNotPublic)
	}
}

func TestASilentHostIsGivenUpAfterThreeSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		far := make(chan net.Conn, 2)
		s := New(t.TempDir(), Options{Now: time.Now, Dial: func(context.Context, string, string) (net.Conn, error) {
			near, other := net.Pipe()
			far <- other
			return near, nil
		}})
		for range 2 {
			start := time.Now()
			_, err := s.Get(t.Context(), address, true)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Contains(t, []time.Duration{Patience, 0}, time.Since(start), "the second is told at once")
		}
		require.Len(t, far, 1)
		require.NoError(t, (<-far).Close())
		synctest.Wait()
	})
}

func TestOneAddressIsFetchedOnceAtATime(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	w := newWorld(t, func(w *world, rw http.ResponseWriter, r *http.Request) {
		<-release
		say(w.signer)(w, rw, r)
	})
	got := make(chan string, 10)
	for range cap(got) {
		go func() {
			cert, _ := w.Get(t.Context(), address, true)
			got <- cert
		}()
	}
	close(release)
	first := <-got
	require.NotEmpty(t, first)
	for range cap(got) - 1 {
		require.Equal(t, first, <-got)
	}
	require.EqualValues(t, 1, w.asked.Load())
}

func TestAFewAreFetchedAtOnce(t *testing.T) {
	t.Parallel()
	var inside atomic.Int64
	var crowded atomic.Bool
	full := make(chan struct{})
	var once sync.Once
	w := newWorld(t, func(w *world, rw http.ResponseWriter, r *http.Request) {
		n := inside.Add(1)
		defer inside.Add(-1)
		if n > atOnce {
			crowded.Store(true)
		}
		if n == atOnce {
			once.Do(func() { close(full) })
		}
		<-full
		say(w.signer)(w, rw, r)
	})
	var wg sync.WaitGroup
	for n := range 3 * atOnce {
		wg.Go(func() { _, _ = w.Get(t.Context(), fmt.Sprintf("https://%s/%d.pem", host, n), true) })
	}
	wg.Wait()
	require.EqualValues(t, 3*atOnce, w.asked.Load())
	require.False(t, crowded.Load())
}

func TestWhoGoesAwayTakesNothingFromOthers(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 2)
	w := newWorld(t, func(w *world, rw http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		if w.asked.Load() == 1 {
			<-r.Context().Done()
			return
		}
		say(w.signer)(w, rw, r)
	})
	hasty, leave := context.WithCancel(t.Context())
	gone, patient := make(chan error), make(chan error)
	go func() { _, err := w.Get(hasty, address, true); gone <- err }()
	<-arrived
	go func() { _, err := w.Get(t.Context(), address, true); patient <- err }()
	leave()
	require.ErrorIs(t, <-gone, context.Canceled)
	require.NoError(t, <-patient)
}

func TestThereIsAnEndToWhatIsRemembered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world, rw http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/no") {
			rw.WriteHeader(http.StatusNotFound)
			return
		}
		say(w.signer)(w, rw, r)
	})
	for n := range maxKept + 5 {
		_, err := w.Get(t.Context(), fmt.Sprintf("https://%s/%d.pem", host, n), true)
		require.NoError(t, err)
	}
	for n := range maxFailed + 5 {
		w.fail(fmt.Sprintf("https://%s/no%d.pem", host, n), errNotPublic)
	}
	require.Len(t, w.kept, maxKept)
	require.Len(t, w.failed, maxFailed)
	files, err := os.ReadDir(w.dir)
	require.NoError(t, err)
	require.Len(t, files, maxKept)

	require.NoError(t, os.RemoveAll(w.dir))
	require.NoError(t, os.WriteFile(w.dir, nil, 0o600)) // no folder can be there
	_, err = w.Get(t.Context(), "https://"+host+"/more.pem", true)
	require.NoError(t, err, "what cannot be kept can be used")
	_, err = os.Stat(filepath.Join(w.dir, "x"))
	require.Error(t, err)
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"))
	f.Add([]byte(strings.Repeat("-----BEGIN CERTIFICATE-----\n", 100)))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		chain, err := parse(text)
		require.Equal(t, err != nil, len(chain) == 0)
		if err == nil {
			again, err := parse([]byte(written(chain)))
			require.NoError(t, err)
			require.Len(t, again, len(chain))
		}
	})
}
