package tunnel_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/tunnel"
)

func TestParseURLSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, out, advice string }{
		{"https://hooks.example.com", "https://hooks.example.com", ""},
		{" https://hooks.example.com/\n", "https://hooks.example.com", ""},
		{"http://Hooks.example.com:8080", "http://Hooks.example.com:8080", ""},
		{"HTTPS://hooks.example.com", "https://hooks.example.com", ""},
		{"https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443", ""},
		{"", "", "url-empty"},
		{"  ", "", "url-empty"},
		{"hooks.example.com", "", "url-invalid"},
		{"hooks.example.com:443", "", "url-invalid"},
		{"ftp://hooks.example.com", "", "url-invalid"},
		{"https://", "", "url-invalid"},
		{"https://:443", "", "url-invalid"},
		{"https://a b", "", "url-invalid"},
		{"https://me:secret@hooks.example.com", "", "url-user"},
		{"https://hooks.example.com/in", "", "url-path"},
		{"https://hooks.example.com/?a", "", "url-path"},
		{"https://hooks.example.com?", "", "url-path"},
		{"https://hooks.example.com#x", "", "url-path"},
	} {
		out, err := tunnel.ParseURL(test.in)
		require.Equal(t, test.out, out, test.in)
		require.Equal(t, test.advice, tunnel.Advice(err), test.in)
		if err != nil {
			e, ok := errors.AsType[*tunnel.Error](err)
			require.True(t, ok)
			require.True(t, e.Fatal)
			require.NotEmpty(t, e.Do)
			require.NotContains(t, e.Error(), "secret")
		}
	}
}

func FuzzParseURL(f *testing.F) {
	for _, s := range []string{"https://a", "http://a:1/", "https://[::1]", "https://u@a", "x", "https://a#", "https://a%2f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out, err := tunnel.ParseURL(s)
		if err != nil {
			require.Empty(t, out)
			return
		}
		u, err := url.Parse(out)
		require.NoError(t, err)
		require.NotEmpty(t, u.Hostname())
		require.Empty(t, u.Path+u.RawQuery+u.Fragment)
		require.True(t, strings.HasPrefix(out, "http"))
		again, err := tunnel.ParseURL(out)
		require.NoError(t, err)
		require.Equal(t, out, again)
	})
}

func TestAnOwnURLIsOnlineAtOnceAndFollowsItsProbe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.Close()
		wrong := errors.New("502 from the other side")
		asked := 0
		k.Start(t.Context(), &tunnel.Own{URL: "https://own.example.com/", Probe: func(ctx context.Context, url string) error {
			require.Equal(t, "https://own.example.com", url)
			asked++
			switch asked {
			case 2:
				return wrong
			case 3: // the answer never comes
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}})
		synctest.Wait()
		require.Equal(t, tunnel.Online, k.State().Phase)
		require.Equal(t, "own", k.State().Backend)
		pass(30 * time.Second)
		require.Equal(t, tunnel.Reconnecting, k.State().Phase)
		require.ErrorIs(t, k.State().Err, wrong)
		pass(45 * time.Second)
		require.ErrorIs(t, k.State().Err, context.DeadlineExceeded)
		pass(30 * time.Second)
		require.Equal(t, tunnel.Online, k.State().Phase)
		require.NoError(t, k.State().Err)
		require.Equal(t, "https://own.example.com", k.State().URL)
	})
}

func TestABadOwnURLIsRefusedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.Close()
		k.Start(t.Context(), &tunnel.Own{URL: "own.example.com"})
		pass(time.Hour)
		require.Equal(t, tunnel.Offline, k.State().Phase)
		require.Equal(t, "url-invalid", tunnel.Advice(k.State().Err))
		require.Empty(t, k.State().URL)
	})
}
