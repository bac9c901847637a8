package wire

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkRequest sends requests over one connection to a plain server and to
// one with Listen and Take, in turns, and reports how much longer ours takes.
func BenchmarkRequest(b *testing.B) {
	request := "POST /in/stripe HTTP/1.1\r\nHost: hooks.example\r\nUser-Agent: Stripe/1.0 (+https://stripe.com/docs/webhooks)\r\n" +
		"Accept: */*\r\nContent-Type: application/json; charset=utf-8\r\nStripe-Signature: t=1,v1=" + strings.Repeat("ab", 32) +
		"\r\nContent-Length: 1500\r\n\r\n" + strings.Repeat("x", 1500)
	plain := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
	ours := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, ok := Take(r); !ok {
			panic("no head")
		}
		_, _ = io.Copy(io.Discard, r.Body)
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	s := Server(plain, quiet)
	go func() { _ = s.Serve(l) }()
	b.Cleanup(func() { _ = s.Close() })
	addr, _ := serve(b, ours)

	ends := []net.Conn{dial(b, l.Addr().String()), dial(b, addr)}
	var took [2]time.Duration
	readers := []*bufio.Reader{bufio.NewReader(ends[0]), bufio.NewReader(ends[1])}
	for b.Loop() {
		for i, c := range ends {
			start := time.Now()
			for range 50 {
				_, _ = fmt.Fprint(c, request)
				answer(b, readers[i])
			}
			took[i] += time.Since(start)
		}
	}
	b.ReportMetric(float64(took[1])/float64(took[0]), "ours/plain")
}
