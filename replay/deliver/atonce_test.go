package deliver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func copies(n int, r *capture.Request, to Target) []Order {
	return slices.Repeat([]Order{{Request: r, Target: to, Replay: true}}, n)
}

// The handler answers only when all are inside it at the same moment.
func TestCopiesAreInTheHandlerTogether(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 8, replay.MaxAtOnce} {
		for _, raw := range []string{
			"POST /in HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n" + `{"a":1}`,
			"POST /in HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx",
			"GET /in HTTP/1.1\r\nHost: x\r\n\r\n", // without a body, too
		} {
			var inside atomic.Int32
			all := make(chan struct{})
			h := listen(t, "127.0.0.1:0", func(_ int, conn net.Conn) {
				if inside.Add(1) == int32(n) {
					close(all)
				}
				<-all
				_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			})
			s, j := sender()
			as, spread, err := s.AtOnce(t.Context(), copies(n, request(raw), Target{URL: h.url("/")}))
			require.NoError(t, err)
			require.Len(t, as, n)
			require.Positive(t, spread)
			require.Less(t, spread, 5*time.Second)
			require.Len(t, j.ended, n)
			for i, a := range as {
				require.True(t, a.Outcome.OK(), a.Outcome.Detail)
				require.Equal(t, i+1, a.N)
			}
			seen := map[string]bool{}
			for _, raw := range h.got() {
				seen[raw] = true
				require.Contains(t, raw, "X-AnyHook-Delivery: req-7\r\n")
			}
			require.Len(t, seen, n, "attempt numbers differ")
		}
	}
}

func TestNothingIsWholeBeforeAllAreReady(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var whole []time.Duration
		var mu sync.Mutex
		serve := func(net.Conn) {}
		inner := pipeTo(func(conn net.Conn) {
			mu.Lock()
			whole = append(whole, time.Since(start))
			mu.Unlock()
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			serve(conn)
		})
		dial, dials := inner.Dial, atomic.Int32{}
		inner.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			time.Sleep(time.Duration(dials.Add(1)) * 100 * time.Millisecond) // the last one takes 800 ms
			return dial(ctx, network, addr)
		}
		_, spread, err := inner.AtOnce(t.Context(), copies(8, post("{}"), Target{URL: "http://127.0.0.1:1"}))
		require.NoError(t, err)
		require.Equal(t, slices.Repeat([]time.Duration{800 * time.Millisecond}, 8), whole)
		require.Zero(t, spread)
	})
}

func TestCopyThatCannotConnectHoldsUpNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		s := pipeTo(func(conn net.Conn) { _, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") })
		dial := s.Dial
		s.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			switch addr {
			case "127.0.0.1:2":
				return nil, errors.New("no such port")
			case "127.0.0.1:3":
				<-ctx.Done() // never
				return nil, ctx.Err()
			}
			return dial(ctx, network, addr)
		}
		orders := []Order{
			{Request: post("{}"), Target: Target{URL: "http://127.0.0.1:1"}},
			{Request: post("{}"), Target: Target{URL: "http://127.0.0.1:2"}},
			{Request: post("{}"), Target: Target{URL: "http://127.0.0.1:1"}},
			{Request: post("{}"), Target: Target{URL: "http://127.0.0.1:3", Timeout: 10 * time.Second}},
		}
		as, _, err := s.AtOnce(t.Context(), orders)
		require.NoError(t, err)
		var got []string
		for _, a := range as {
			got = append(got, fmt.Sprintf("%d %s %s", a.Outcome.Status, a.Outcome.Failure, a.Took))
		}
		require.Equal(t, []string{"200  3s", "0 refused 0s", "200  3s", "0 timeout 10s"}, got)
		require.Equal(t, 10*time.Second, time.Since(start))
	})
}

func TestWaveCanBeCanceledAtTheGate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		whole := false
		s := pipeTo(func(net.Conn) { whole = true })
		dial, first := s.Dial, atomic.Bool{}
		s.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			if first.CompareAndSwap(false, true) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return dial(ctx, network, addr)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		as, _, err := s.AtOnce(ctx, copies(3, post("{}"), Target{URL: "http://127.0.0.1:1", Timeout: -1}))
		require.NoError(t, err)
		for _, a := range as {
			require.Equal(t, replay.Canceled, a.Outcome.Failure)
		}
		synctest.Wait()
		require.False(t, whole)
	})
}

func TestWaveThatCannotBeWrittenDownIsNotSent(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	s, j := sender()
	full := errors.New("disk full")
	j.refuse = func(*replay.Attempt) error {
		if len(j.begun) == 2 {
			return full
		}
		return nil
	}
	as, _, err := s.AtOnce(t.Context(), copies(4, post("{}"), Target{URL: h.url("/")}))
	require.ErrorIs(t, err, full)
	require.Len(t, as, 2)
	require.Len(t, j.ended, 2, "what was begun has an end")
	require.Zero(t, h.connections())

	_, _, err = s.AtOnce(t.Context(), copies(replay.MaxAtOnce+1, post("{}"), Target{URL: h.url("/")}))
	require.ErrorContains(t, err, "at most 64")
}

// unprotected books an order without looking again; protected has a unique key.
func TestRaceIsVisibleInAHandlerThatChecksAndThenInserts(t *testing.T) {
	t.Parallel()
	book := func(unique bool) int {
		var mu sync.Mutex
		var checked sync.WaitGroup
		checked.Add(2)
		effects := map[string]int{}
		srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			id, _ := io.ReadAll(r.Body)
			mu.Lock()
			done := effects[string(id)] > 0
			mu.Unlock()
			checked.Done()
			checked.Wait() // both have looked before one writes
			mu.Lock()
			defer mu.Unlock()
			if !done && (!unique || effects[string(id)] == 0) {
				effects[string(id)]++
			}
		}))
		defer srv.Close()
		s, _ := sender()
		_, _, err := s.AtOnce(t.Context(), copies(2, post("evt_1"), Target{URL: srv.URL}))
		require.NoError(t, err)
		return effects["evt_1"]
	}
	require.Equal(t, 2, book(false))
	require.Equal(t, 1, book(true))
}

// randomHead makes a head that a server would take, and what must become of it.
func randomHead(rnd *rand.Rand, body string) (raw string, want []string) {
	names := []string{"X-A", "x-a", "Stripe-Signature", "content-type", "ETag", "X_Under", "A", "x-forwarded-for", "Accept-Encoding", "user-agent", "X-Hop", "Expect", "TE", "KEEP-ALIVE", "Proxy-Authorization", "X-AnyHook-Attempt"}
	values := []string{"1", "", "a, b", "  spaced\t", "t=1,v1=abc", "übergröße", `"q"`, "a:b:c"}
	gone := map[string]bool{"x-hop": true, "expect": true, "te": true, "keep-alive": true, "proxy-authorization": true, "x-anyhook-attempt": true}
	var lines []string
	add := func(line, becomes string) {
		lines = append(lines, line)
		if becomes != "" {
			want = append(want, becomes)
		}
	}
	special := []func(){
		func() { add("hOsT: hooks.example.test", "hOsT: localhost:3000") },
		func() { add("Connection: close, x-HOP", "") },
		func() { add(fmt.Sprintf("Content-length:%d", len(body)), fmt.Sprintf("Content-length: %d", len(body))) },
	}
	for len(special) > 0 || rnd.IntN(8) > 0 {
		if len(special) > 0 && rnd.IntN(4) == 0 {
			special[0]()
			special = special[1:]
			continue
		}
		name, value := names[rnd.IntN(len(names))], values[rnd.IntN(len(values))]
		line := name + ":" + strings.Repeat(" ", rnd.IntN(3)) + value
		if gone[strings.ToLower(name)] {
			add(line, "")
		} else {
			add(line, line)
		}
	}
	return "POST /p?q=%2F HTTP/1.1\r\n" + strings.Join(lines, "\r\n") + "\r\n\r\n" + body, want
}

func TestWhateverHeadCameInComesOutAsItMust(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	s, _ := sender()
	s.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, h.Addr().String())
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		body := strings.Repeat("b", rnd.IntN(50))
		raw, want := randomHead(rnd, body)
		a := send(t, s, Order{Request: request(raw), Target: Target{URL: "http://localhost:3000"}})
		require.True(t, a.Outcome.OK(), a.Outcome.Detail)
		want = append(want, "X-AnyHook-Delivery: req-7", fmt.Sprintf("X-AnyHook-Attempt: %d", n+1), "X-AnyHook-Received-At: 2026-11-30T12:00:00Z")
		require.Equal(t, "POST /p?q=%2F HTTP/1.1\r\n"+strings.Join(want, "\r\n")+"\r\n\r\n"+body, h.got()[n], raw)
	}
}

// What is written is one request, whatever came.
func FuzzCompose(f *testing.F) {
	f.Add("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", []byte("x"))
	f.Add("GET http://a/b?c HTTP/1.0\r\n\r\n", []byte{})
	f.Add("POST / HTTP/1.1\nA: b\n c\nConnection: host, content-length\n\n", []byte("POST /evil HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, head string, body []byte) {
		r := &capture.Request{ID: "id", Head: capture.Head(head), Body: body}
		at, err := parse("http://localhost:3000?x=1")
		require.NoError(t, err)
		w, err := compose(r, at, false, &replay.Attempt{N: 1})
		if err != nil {
			return
		}
		l := strings.ToLower(string(w.head))
		require.LessOrEqual(t, strings.Count(l, "\r\ncontent-length:"), 1)
		require.Equal(t, 1, strings.Count(l, "\r\nhost:"))
		require.Zero(t, strings.Count(l, "\r\ntransfer-encoding:"))
		require.Equal(t, 1, strings.Count(l, "\r\n\r\n"))
		require.True(t, strings.HasSuffix(l, "\r\n\r\n"))
		require.NotContains(t, strings.ReplaceAll(l, "\r\n", ""), "\n")
		require.NotContains(t, strings.ReplaceAll(l, "\r\n", ""), "\r")
	})
}
