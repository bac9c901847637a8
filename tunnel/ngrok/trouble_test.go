package ngrok

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/tunnel"
	"anyhook.net/desktop/tunnel/ngrok/ngroktest"
)

// Every trouble on the way to the service is explained, and no text holds a token.
func TestTroubleOnTheWayIsExplained(t *testing.T) {
	t.Parallel()
	e := edge(t)
	past, err := ngroktest.StartDated(ngroktest.Token, time.Unix(0, 0), time.Unix(1, 0))
	require.NoError(t, err)
	t.Cleanup(past.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	web := listen1(t, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") })

	for word, change := range map[string]func(*Backend){
		"clock":       func(b *Backend) { b.ConnectURL, b.ConnectCAs = past.ConnectAddr(), past.CAs() },
		"intercepted": func(b *Backend) { b.ConnectCAs = past.CAs() },
		"no-network":  func(b *Backend) { b.ConnectURL = closed.Addr().String() },
		"dns":         func(b *Backend) { b.ConnectURL = "connect.invalid:443" },
		"proxy":       func(b *Backend) { b.Proxy = via("http://me:hunter2@" + closed.Addr().String()) },
	} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			b := backend(e)
			change(b)
			k := keeper(t, b)
			st := until(t, k, func(s tunnel.State) bool { return s.Err != nil })
			require.Equal(t, word, tunnel.Advice(st.Err), "%v", st.Err)
			require.Equal(t, tunnel.Connecting, st.Phase, "it goes on trying")
			require.NotContains(t, st.Err.Error(), "hunter2")
		})
	}
	t.Run("a login page", func(t *testing.T) {
		t.Parallel()
		b := backend(e)
		b.ConnectURL = web
		until(t, keeper(t, b), advised("intercepted"))
	})
}

// listen1 answers every connection with f, and returns the address.
func listen1(t *testing.T, f func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				f(c)
				_, _ = io.Copy(io.Discard, c)
			})
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	return l.Addr().String()
}

func via(proxy string) func(*http.Request) (*url.URL, error) {
	return func(*http.Request) (*url.URL, error) { return url.Parse(proxy) }
}

func TestAProxyIsUsedAndItsRefusalExplained(t *testing.T) {
	t.Parallel()
	e := edge(t)
	var asked sync.Map
	proxy := listen1(t, func(c net.Conn) {
		req, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		asked.Store(req.RequestURI, req.Header.Get("Proxy-Authorization"))
		if req.Header.Get("Proxy-Authorization") == "" {
			_, _ = io.WriteString(c, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
			return
		}
		up, err := net.Dial("tcp", req.RequestURI)
		if err != nil {
			return
		}
		defer up.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 200 Connection established\r\n\r\n")
		go func() { _, _ = io.Copy(up, c); _ = up.Close() }()
		_, _ = io.Copy(c, up)
		c.Close()
	})
	b := backend(e)
	b.Proxy = via("http://" + proxy)
	until(t, keeper(t, b), advised("proxy-login"))

	b = backend(e)
	b.Proxy = via("http://me:pass@" + proxy)
	until(t, keeper(t, b), online)
	post(t, e, []byte("through the proxy"))
	login, _ := asked.Load(e.ConnectAddr())
	require.Equal(t, "Basic bWU6cGFzcw==", login)

	b = backend(e)
	b.Proxy = via("gopher://" + proxy)
	st := until(t, keeper(t, b), advised("proxy"))
	require.Contains(t, st.Err.Error(), "gopher")

	b = backend(e)
	b.URL = "https://direct.example.com"
	b.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	until(t, keeper(t, b), online)
}

func TestEveryAdviceSaysWhatHappenedAndWhatToDo(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range rows {
		require.False(t, seen[r.word], r.word)
		seen[r.word] = true
		require.True(t, strings.HasSuffix(r.what, "."), r.word)
		require.True(t, strings.HasSuffix(r.do, "."), r.word)
		require.False(t, r.fatal && r.passes, r.word)
	}
	require.Len(t, Words(), len(rows))
	for _, n := range []int{105, 107, 108, 121, 334, 4018, 3200, 6024, 702, 725, 727, 734, 9037} {
		e := ByCode(fmt.Sprintf("ERR_NGROK_%d", n))
		require.NotEqual(t, "refused", e.Advice, n)
		require.NotEmpty(t, e.What)
	}
	require.Equal(t, "refused", ByCode("ERR_NGROK_1").Advice)
}

func TestCodesAreFoundWhereverTheyAreLeft(t *testing.T) {
	t.Parallel()
	hide := redactor("sesame-sesame")
	const taken = "is online.\r\n\r\nERR_NGROK_334\r\n" // the service ends its sentences
	for _, test := range []struct {
		err           error
		code, msg     string
		fatal, passes bool
	}{
		{errors.New(taken), "ERR_NGROK_334", "is online.", false, true},
		{fmt.Errorf("failed: %w", errors.New("token sesame-sesame is bad ERR_NGROK_107")), "ERR_NGROK_107", "failed: token **** is bad", true, false},
		{errors.New("first\nsesame-sesame"), "", "first", false, false},
		{errors.New(strings.Repeat("é", 1000)), "", strings.Repeat("é", 150) + "…", false, false},
	} {
		e, ok := errors.AsType[*tunnel.Error](explain(test.err, hide))
		require.True(t, ok)
		require.Equal(t, test.code, e.Code)
		require.Equal(t, test.msg, e.Msg)
		require.Equal(t, test.fatal, e.Fatal)
		require.Equal(t, test.passes, passes(e.Code))
	}
}

// lines is a log that can be read while it is written.
type lines struct {
	mu  sync.Mutex
	buf strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func TestTheTokenIsInNoTextWhateverHappens(t *testing.T) {
	t.Parallel()
	for _, token := range []string{ngroktest.Token, "tiny", "2wrongwrongwrongwrong_wrongwrong"} {
		t.Run(fmt.Sprint(len(token)), func(t *testing.T) {
			t.Parallel()
			e := edge(t)
			var out lines
			b := backend(e)
			b.Token = token
			b.Logger = slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
			k := keeper(t, b)
			st := until(t, k, func(s tunnel.State) bool { return s.Phase == tunnel.Online || s.Err != nil })
			if st.Phase == tunnel.Online {
				e.FailAuth("Your token " + token + " is void.\r\n\r\nERR_NGROK_107\r\n")
				e.Cut()
				st = until(t, k, offline)
			}
			fmt.Fprintf(&out, "%v %+v %#v %s %+v %v", b, *b, b, b, k.History(), st.Err)
			b.Logger.Info("x", "b", b)
			fmt.Fprintf(&out, "%+v", st.Err)
			text := out.String()
			require.NotContains(t, text, token)
			require.NotContains(t, text, "cookie-")
			require.NotContains(t, text, "bindtoken")
			require.Contains(t, text, "ERR_NGROK_10")
		})
	}
}

func TestTheSDKsLogIsRedactedInEveryShape(t *testing.T) {
	t.Parallel()
	const token = "sesame-sesame"
	var out lines
	l := quietLogger(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})), redactor(token))
	l.With("with", token, "n", 7).WithGroup("g").Error("open "+token,
		"err", errors.New("bad "+token), "any", struct{ X *[]string }{new([]string{token})}, "Cookie", "c00kie",
		slog.Group("deep", "a", slog.GroupValue(slog.String("b", token))), "other", "2abcdefGHIJKLmnopqrstuvwxyz_4fakeFAKEfake")
	got := out.String()
	require.NotContains(t, got, "sesame-sesame")
	require.NotContains(t, got, "c00kie")
	require.NotContains(t, got, "4fakeFAKE")
	require.Contains(t, got, "level=DEBUG")
	require.Contains(t, got, "n=7")
	require.Contains(t, got, "bad ****")

	quiet := quietLogger(slog.New(slog.NewTextHandler(&out, nil)), redactor(token))
	require.False(t, quiet.Enabled(t.Context(), slog.LevelError), "at Info the SDK says nothing")
}

func FuzzRedactor(f *testing.F) {
	f.Add("tok", "a tok b")
	f.Add("a.b*c?d(ef", "xa.b*c?d(efx")
	f.Add("\x82", "\x82") // which no pattern may contain
	f.Fuzz(func(t *testing.T, token, text string) {
		got := redactor(token)(text + " " + token)
		if strings.Contains(token, "*") {
			return // may be put together from masks
		}
		if len(token) >= 8 && strings.Contains(got, token) || token != "" && strings.HasSuffix(got, " "+token) {
			t.Errorf("%q in %q", token, got)
		}
	})
}
