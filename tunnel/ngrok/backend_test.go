package ngrok

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/tunnel"
	"anyhook.net/desktop/tunnel/ngrok/ngroktest"
)

const (
	hooks    = "https://hooks.example.com"
	host     = "hooks.example.com"
	taken    = "The endpoint is already online.\r\n\r\nERR_NGROK_334\r\n"
	revoked  = "The authtoken is not valid.\r\n\r\nERR_NGROK_107\r\n"
	patience = 30 * time.Second // of the tests; nothing takes as long
)

func edge(t *testing.T) *ngroktest.Edge {
	t.Helper()
	e, err := ngroktest.Start(ngroktest.Token)
	require.NoError(t, err)
	t.Cleanup(e.Close)
	return e
}

func backend(e *ngroktest.Edge) *Backend {
	return &Backend{Token: ngroktest.Token, URL: hooks, ConnectURL: e.ConnectAddr(), ConnectCAs: e.CAs()}
}

// keeper serves what comes through b with a handler that tells what it got.
func keeper(t *testing.T, b *Backend) *tunnel.Keeper {
	t.Helper()
	k := tunnel.NewKeeper(time.Now, nil, b.Logger)
	srv := &http.Server{ConnContext: tunnel.ConnContext, Handler: echo(k)}
	var served sync.WaitGroup
	served.Go(func() { _ = srv.Serve(k) })
	t.Cleanup(func() {
		srv.Close()
		served.Wait()
	})
	k.Start(t.Context(), b)
	return k
}

func echo(k *tunnel.Keeper) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		base, peer := k.Origin(r)
		sum := sha256.Sum256(body)
		w.Header().Set("X-Base", base)
		w.Header().Set("X-Peer", peer)
		w.Header().Set("X-Target", r.RequestURI)
		_, _ = io.WriteString(w, hex.EncodeToString(sum[:]))
	})
}

// until waits for a state, and returns it.
func until(t *testing.T, k *tunnel.Keeper, is func(tunnel.State) bool) tunnel.State {
	t.Helper()
	late := time.After(patience)
	for {
		more := k.Changed()
		if st := k.State(); is(st) {
			return st
		}
		select {
		case <-more:
		case <-time.After(20 * time.Millisecond): // what is waited for may be at the edge
		case <-late:
			t.Fatalf("not in %v: now %+v, before %+v", patience, k.State(), k.History())
		}
	}
}

func online(s tunnel.State) bool  { return s.Phase == tunnel.Online }
func offline(s tunnel.State) bool { return s.Phase == tunnel.Offline }

func coded(code string) func(tunnel.State) bool {
	return func(s tunnel.State) bool {
		e, ok := errors.AsType[*tunnel.Error](s.Err)
		return ok && e.Code == code
	}
}

func advised(word string) func(tunnel.State) bool {
	return func(s tunnel.State) bool { return tunnel.Advice(s.Err) == word }
}

// post sends body through the edge and requires that it arrived unchanged.
func post(t *testing.T, e *ngroktest.Edge, body []byte) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+host+"/hook/stripe?a=1&b=%2F", bytes.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("X-Forwarded-For", "198.51.100.9")
	req.Header.Set("X-Forwarded-Host", "evil.example")
	resp, err := e.Client().Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	sum := sha256.Sum256(body)
	require.Equal(t, hex.EncodeToString(sum[:]), string(got))
	return resp
}

func TestRequestsArriveUnchangedUnderThePublicAddress(t *testing.T) {
	t.Parallel()
	e := edge(t)
	k := keeper(t, backend(e))
	st := until(t, k, online)
	require.Equal(t, hooks, st.URL)
	require.Equal(t, "ngrok", st.Backend)
	for _, n := range []int{0, 1, 1000, 3 << 20} { // the last does not fit into a stream's window
		body := make([]byte, n)
		rand.Read(body)
		resp := post(t, e, body)
		require.Equal(t, hooks, resp.Header.Get("X-Base"))
		require.Equal(t, "127.0.0.1", resp.Header.Get("X-Peer"), "who called the edge, not what it forged")
		require.Equal(t, "/hook/stripe?a=1&b=%2F", resp.Header.Get("X-Target"))
	}
	bound := e.Bound()
	require.Len(t, bound, 1)
	require.False(t, bound[0].Extra.PoolingEnabled, "another machine must not get half of the webhooks")
	require.Equal(t, "https", bound[0].Proto)
}

func TestTheAccountsOwnAddressIsTakenWhenNoneIsGiven(t *testing.T) {
	t.Parallel()
	e := edge(t)
	b := backend(e)
	b.URL, b.Token = "", " "+b.Token+"\n" // as pasted
	require.Equal(t, "https://test-1.ngrok-free.app", until(t, keeper(t, b), online).URL)
}

func TestARefusedTokenIsSaidAtOnceAndNotTriedAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ token, code, advice string }{
		{"", "ERR_NGROK_4018", "token-missing"},
		{"ak_short", "ERR_NGROK_105", "token-malformed"},
		{"2wrongwrongwrongwrong_wrongwrong", "ERR_NGROK_107", "token-invalid"},
	} {
		t.Run(test.code, func(t *testing.T) {
			t.Parallel()
			e := edge(t)
			b := backend(e)
			b.Token = test.token
			err := b.Run(t.Context(), nil, func(tunnel.State) {})
			got, ok := errors.AsType[*tunnel.Error](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, test.code, got.Code)
			require.Equal(t, test.advice, got.Advice)
			require.True(t, got.Fatal)
			require.NotEmpty(t, got.Do)
			if test.token != "" {
				require.NotContains(t, got.Error()+got.What+got.Do, test.token)
				require.Equal(t, 1, e.Connections())
			}
		})
	}
}

func TestATokenRevokedWhileOnlineEndsTheTunnel(t *testing.T) {
	t.Parallel()
	e := edge(t)
	k := keeper(t, backend(e))
	until(t, k, online)
	e.FailAuth(revoked)
	e.Cut()
	st := until(t, k, offline)
	require.Equal(t, "token-invalid", tunnel.Advice(st.Err))

	e.FailAuth("")
	k.Restart()
	until(t, k, online)
}

func TestALostConnectionComesBackUnderTheSameAddress(t *testing.T) {
	t.Parallel()
	e := edge(t)
	b := backend(e)
	b.URL = "" // the address is the service's choice, and has to be asked for again
	k := keeper(t, b)
	st := until(t, k, online)
	for i := range 3 {
		e.Cut()
		until(t, k, func(tunnel.State) bool { return e.Logins() == i+2 })
		require.Equal(t, st.URL, until(t, k, online).URL)
	}
	phases := map[tunnel.Phase]int{}
	for _, c := range k.History() {
		phases[c.Phase]++
	}
	require.Positive(t, phases[tunnel.Reconnecting])
	bound := e.Bound()
	require.NotEmpty(t, bound[3].Extra.Token)
}

func TestAnOutageAtTheServiceEndsWithoutARestart(t *testing.T) {
	t.Parallel()
	e := edge(t)
	e.RefuseConns(true)
	k := keeper(t, backend(e))
	until(t, k, func(s tunnel.State) bool { return e.Connections() >= 3 && s.Err != nil })
	st := k.State()
	require.Equal(t, tunnel.Connecting, st.Phase)
	require.Equal(t, "hung-up", tunnel.Advice(st.Err), "%v", st.Err)
	e.RefuseConns(false)
	until(t, k, online)
	post(t, e, []byte("after the outage"))
}

func TestAnAddressInUseIsTriedAgainUntilItIsFree(t *testing.T) {
	t.Parallel()
	e := edge(t)
	e.FailBinds(taken, 3)
	k := keeper(t, backend(e))
	st := until(t, k, coded("ERR_NGROK_334"))
	require.Equal(t, "address-in-use", tunnel.Advice(st.Err))
	require.Equal(t, tunnel.Connecting, st.Phase)
	until(t, k, online)
	require.Len(t, e.Bound(), 4, "no tight loop")
	require.Len(t, k.History(), 3, "and one line for all tries")
}

func TestASecondCopyIsToldWhoHasTheAddress(t *testing.T) {
	t.Parallel()
	e := edge(t)
	first := keeper(t, backend(e))
	until(t, first, online)
	second := keeper(t, backend(e))
	until(t, second, coded("ERR_NGROK_334"))
	first.Stop()
	until(t, second, online)
}

func TestARefusedReturnIsExplainedAndEndsInANewSession(t *testing.T) {
	t.Parallel()
	e := edge(t)
	k := keeper(t, backend(e))
	until(t, k, online)
	e.FailBind(taken)
	e.Cut()
	st := until(t, k, coded("ERR_NGROK_334"))
	require.Equal(t, tunnel.Reconnecting, st.Phase)
	require.Equal(t, hooks, st.URL)
	logins := e.Logins()
	until(t, k, func(tunnel.State) bool { return e.Logins() >= logins+3 })
	e.FailBind("")
	until(t, k, online)
}

func TestAServiceThatForgotTheSessionGetsANewOne(t *testing.T) {
	t.Parallel()
	e := edge(t)
	k := keeper(t, backend(e))
	until(t, k, online)
	e.Forget()
	e.Cut()
	until(t, k, func(tunnel.State) bool { return e.Logins() == 2 })
	until(t, k, online)
	post(t, e, []byte("x"))
}

func TestAnEndpointStoppedByTheServiceIsNoticed(t *testing.T) {
	t.Parallel()
	e := edge(t)
	b := backend(e)
	up := make(chan struct{}, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- b.Run(t.Context(), nil, func(s tunnel.State) {
			if online(s) {
				up <- struct{}{}
			}
		})
	}()
	<-up
	require.NoError(t, e.StopEndpoint(host, "Your account was suspended.", "ERR_NGROK_3205"))
	err, ok := errors.AsType[*tunnel.Error](<-ended)
	require.True(t, ok)
	require.Equal(t, "ERR_NGROK_3205", err.Code)
	require.Equal(t, "Your account was suspended.", err.Msg)
}
