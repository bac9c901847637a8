package deliver

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/replay"
)

func TestInterimAnswersAreNotTheAnswer(t *testing.T) {
	t.Parallel()
	for interim, n := range map[string]int{
		"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n": 1,
		"HTTP/1.1 100 Continue\r\n\r\n":                  1,
		"HTTP/1.1 102 P\r\n\r\n":                         20,
	} {
		out, h := answered(t, says(strings.Repeat(interim, n)+"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), 0)
		require.Equal(t, 200, out.Status)
		require.Empty(t, out.Failure)
		require.Equal(t, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", string(out.Head))
		require.Equal(t, "ok", string(out.Body))
		require.Len(t, h.got(), 1)
	}
	out, _ := answered(t, says(strings.Repeat("HTTP/1.1 102 P\r\n\r\n", 1000)), 0)
	require.Equal(t, replay.Protocol, out.Failure)
}

func TestUnaskedSwitchOfProtocolsIsAFailure(t *testing.T) {
	t.Parallel()
	out, _ := answered(t, says("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nrest"), 0)
	require.Equal(t, 101, out.Status)
	require.Equal(t, replay.Protocol, out.Failure)
	require.Contains(t, out.Detail, "unexpected 101")
	require.False(t, out.OK())
	require.Equal(t, replay.HintUpgrade, replay.Hint(out))
}

func TestBodyOfAnAnswerThatHasNoneIsIgnored(t *testing.T) {
	t.Parallel()
	out, h := answered(t, says("HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nhi"), 0)
	require.True(t, out.OK())
	require.Equal(t, 204, out.Status)
	require.Empty(t, out.Failure)
	require.Empty(t, out.Body)
	require.Equal(t, 1, h.connections())
}

func TestRedirectIsTheAnswer(t *testing.T) {
	t.Parallel()
	other := listen(t, "127.0.0.1:0", nil)
	for _, status := range []int{301, 302, 303, 307, 308} {
		out, h := answered(t, says(fmt.Sprintf("HTTP/1.1 %d X\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", status, other.url("/hook/"))), 0)
		require.Equal(t, status, out.Status)
		require.False(t, out.OK())
		require.Equal(t, replay.HintRedirect, replay.Hint(out))
		require.Contains(t, string(out.Head), other.url("/hook/"))
		require.Len(t, h.got(), 1)
		require.Contains(t, h.got()[0], "POST /hook ")
	}
	require.Zero(t, other.connections())
}

func TestHeadAnswerHasNoBody(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", says("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"))
	s, _ := sender()
	a := send(t, s, Order{Request: request("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n"), Target: Target{URL: h.url("/")}})
	require.True(t, a.Outcome.OK())
	require.Empty(t, a.Outcome.Failure)
}

func TestBrokenAnswersKeepTheirStatus(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]replay.Outcome{
		"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf":                  {Status: 200, Failure: replay.Cut, Phase: replay.Reading},
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf":     {Status: 200, Failure: replay.Cut, Phase: replay.Reading},
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhalf":    {Status: 200, Failure: replay.Protocol, Phase: replay.Reading},
		"HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\nhalf":                  {Status: 500, Failure: replay.Cut, Phase: replay.Reading},
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r": {Status: 200, Failure: replay.Protocol, Phase: replay.Reading},
		"HTTP/1.1 200 OK\r\nContent-Length: 1":                               {Failure: replay.Cut, Phase: replay.Reading},
		"":                                                                   {Failure: replay.Cut, Phase: replay.Waiting},
		"SSH-2.0-OpenSSH_9.2\r\n":                                            {Failure: replay.Protocol, Phase: replay.Reading},
		"HTTP/2 200\r\n\r\n":                                                 {Failure: replay.Protocol, Phase: replay.Reading},
		"HTTP/1.1 abc\r\n\r\n":                                               {Failure: replay.Protocol, Phase: replay.Reading},
		"\x15\x03\x01\x00\x02\x02\x46":                                       {Failure: replay.TLS, Phase: replay.Reading},
	} {
		out, _ := answered(t, says(answer), 0)
		require.Equal(t, want, replay.Outcome{Status: out.Status, Failure: out.Failure, Phase: out.Phase}, "%q: %s", answer, out.Detail)
		require.NotEmpty(t, out.Detail)
	}
}

// A port that waits for the other side to speak, or speaks another protocol,
// must not be waited for.
func TestOtherProtocolsAreKnownAtOnce(t *testing.T) {
	t.Parallel()
	out, _ := answered(t, func(_ int, conn net.Conn) {
		_, _ = io.WriteString(conn, "+PONG")
		_, _ = io.Copy(io.Discard, conn) // until the other side hangs up
	}, -1)
	require.Equal(t, replay.Protocol, out.Failure)
	require.Equal(t, `the answer is not HTTP/1: it starts with "+PONG"`, out.Detail)
	require.Equal(t, replay.HintNotHTTP, replay.Hint(out))
}

func TestResetIsSaid(t *testing.T) {
	t.Parallel()
	out, _ := answered(t, func(_ int, conn net.Conn) { _ = conn.(*net.TCPConn).SetLinger(0) }, 0)
	require.Equal(t, replay.Reset, out.Failure)
	require.Equal(t, "the handler reset the connection while waiting for the response", out.Detail)
}

// pipeTo makes a sender whose connections end at serve, without a network, so
// that time can be made up.
func pipeTo(serve func(net.Conn)) *Sender {
	s, _ := sender()
	s.Dial = func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			defer there.Close()
			if _, err := readRaw(bufio.NewReader(there)); err == nil {
				serve(there)
			}
		}()
		return here, nil
	}
	return s
}

func TestSlowHandlerIsGivenTheTimeOfItsTarget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		timeout, took time.Duration
		status        int
		detail        string
	}{
		{5 * time.Second, 5 * time.Second, 0, "timed out after 5 s waiting for the response"},
		{0, 30 * time.Second, 0, "timed out after 30 s waiting for the response"},
		{2500 * time.Millisecond, 2500 * time.Millisecond, 0, "timed out after 2.5s waiting for the response"},
		{120 * time.Second, 90 * time.Second, 200, ""},
		{-1, 90 * time.Second, 200, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var closed time.Duration
			start := time.Now()
			s := pipeTo(func(conn net.Conn) {
				gone := make(chan struct{})
				go func() {
					_, _ = io.Copy(io.Discard, conn)
					closed = time.Since(start)
					close(gone)
				}()
				select {
				case <-time.After(90 * time.Second):
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
				case <-gone:
				}
				<-gone
			})
			a := send(t, s, Order{Request: post("{}"), Target: Target{URL: "http://localhost:3000/", Timeout: c.timeout}})
			synctest.Wait()
			require.Equal(t, c.status, a.Outcome.Status)
			require.Equal(t, c.detail, a.Outcome.Detail)
			require.Equal(t, c.took, a.Took)
			require.Equal(t, c.took, closed)
			if c.status == 0 {
				require.Equal(t, replay.Timeout, a.Outcome.Failure)
			}
		})
	}
}

func TestEndlessAnswerEndsWithTheTimeout(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]func(net.Conn){
		"drips": func(conn net.Conn) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
			for {
				if _, err := io.WriteString(conn, "data: x\n\n"); err != nil {
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
		},
		"falls silent": func(conn net.Conn) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
			_, _ = io.Copy(io.Discard, conn)
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := send(t, pipeTo(serve), Order{Request: post("{}"), Target: Target{URL: "http://localhost:3000/", Timeout: 5 * time.Second}})
			require.Equal(t, 200, a.Outcome.Status, name)
			require.Equal(t, replay.Timeout, a.Outcome.Failure)
			require.Equal(t, replay.Reading, a.Outcome.Phase)
			require.Equal(t, "response body not finished: timed out after 5 s", a.Outcome.Detail)
			require.Equal(t, 5*time.Second, a.Took)
			require.True(t, a.Outcome.OK())
			require.Equal(t, replay.HintUnfinished, replay.Hint(a.Outcome))
			time.Sleep(time.Second) // of made-up time: the handler notices that nobody reads
		})
	}
}

func TestHugeAnswerIsCappedAndCounted(t *testing.T) {
	t.Parallel()
	block := bytes.Repeat([]byte("x"), 1<<20)
	huge := func(mib int) func(int, net.Conn) {
		return func(_ int, conn net.Conn) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: "+strconv.Itoa(mib<<20)+"\r\n\r\n")
			for range mib {
				_, _ = conn.Write(block)
			}
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, _ := answered(t, huge(50), 0)
	runtime.ReadMemStats(&after)
	require.Equal(t, 200, out.Status)
	require.Empty(t, out.Failure)
	require.Equal(t, "response body not finished: AnyHook stopped reading after 32 MiB", out.Detail)
	require.Len(t, out.Body, replay.MaxKept)
	require.EqualValues(t, maxBody, out.BodySize)

	out, _ = answered(t, huge(2), 0)
	require.Empty(t, out.Detail)
	require.Len(t, out.Body, replay.MaxKept)
	require.EqualValues(t, 2<<20, out.BodySize)
}

// What a sender waits for is passed on whole; what is written down is bounded all the same.
func TestAwaitedAnswerIsKeptLonger(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("y", 300<<10)
	h := listen(t, "127.0.0.1:0", says("HTTP/1.1 200 OK\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+body))
	s, j := sender()
	a := send(t, s, Order{Request: post("{}"), Target: Target{URL: h.url("/")}, Keep: AwaitedKeep})
	require.Equal(t, body, string(a.Outcome.Body))
	require.Len(t, j.ended[0].Outcome.Body, replay.MaxKept)
	require.EqualValues(t, len(body), j.ended[0].Outcome.BodySize)
}

func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200\n\n", "HTTP/1.0 500 No\r\n\r\nrest",
		"HTTP/1.1 100 C\r\n\r\nHTTP/1.1 204 N\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nT: 1\r\n\r\n",
		"HTTP/1.1 101 S\r\n\r\n", "\x15\x03", "HTTP/1.1 -99 X\r\n\r\n", "HTTP/1.1 200 OK\r\n a: folded\r\n\r\n", "HTTP/1.1 000 X\r\n\r\n",
	} {
		f.Add([]byte(s), 16)
	}
	f.Fuzz(func(t *testing.T, raw []byte, keep int) {
		keep = max(1+max(keep, -keep)%4096, 1)
		var out replay.Outcome
		a := answer{method: "POST", keep: keep, out: &out, first: func() {}}
		err := a.read(bufio.NewReader(bytes.NewReader(raw)))
		require.LessOrEqual(t, len(out.Body), keep)
		require.GreaterOrEqual(t, out.BodySize, int64(len(out.Body)))
		require.True(t, out.Status == 0 || out.Status >= 100 && out.Status <= 999)
		require.True(t, bytes.Contains(raw, out.Head), "the head is not what came")
		if err == nil {
			require.GreaterOrEqual(t, out.Status, 200)
			require.NotEmpty(t, out.Head)
		}
		require.NotPanics(t, func() { _ = replay.Hint(out) })
	})
}
