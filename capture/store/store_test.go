package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// noon is when the tests take place.
var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func openAt(tb testing.TB, path string, t tuning) *DB {
	tb.Helper()
	db, err := open(context.Background(), path, t)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, db.Close()) })
	return db
}

func openTemp(tb testing.TB) *DB {
	tb.Helper()
	return openAt(tb, filepath.Join(tb.TempDir(), "anyhook.db"), usual)
}

// delivery is the i-th request of a test: an unchecked delivery by Stripe.
func delivery(i int) *capture.Request {
	head := capture.NewHead("POST", "/stripe", capture.Field{Name: "content-Type", Value: "application/json"})
	return &capture.Request{
		ID: capture.ID(fmt.Sprintf("req_%06d", i)), Kind: capture.Delivery, Endpoint: "stripe",
		At: noon.Add(time.Duration(i) * time.Second), Peer: "192.0.2.1", URL: "https://example.com/stripe",
		Head: head, Header: head.Header(), Method: "POST", Body: fmt.Appendf(nil, `{"id":"evt_%d"}`, i),
		Provider: "stripe", Signature: capture.Signature{Status: capture.Unchecked, Why: capture.WhyNoSecret}, Answered: 200,
	}
}

// readAll runs ReadAll until all that is stored is read.
func readAll(tb testing.TB, log *Log, read func(*capture.Request)) {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := log.ReadAll(ctx, read); err != context.Canceled { //nolint:errorlint // the very one
			tb.Errorf("ReadAll ended with %v", err)
		}
	})
	waitRead(tb, log, log.Last())
	cancel()
	wg.Wait()
}

// waitRead waits until all up to seq is read.
func waitRead(tb testing.TB, log *Log, seq capture.Seq) {
	tb.Helper()
	for {
		more := log.db.Bell.C()
		if log.ReadTo() >= seq {
			return
		}
		select {
		case <-more:
		case <-time.After(20 * time.Second):
			tb.Fatalf("read to %d, not to %d", log.ReadTo(), seq)
		}
	}
}

// nothing reads no events.
func nothing(*capture.Request) {}

// How long a test waits for what comes, and how often it looks.
const (
	patienceOfTests = 20 * time.Second
	tick            = time.Millisecond
)

// assertIs is errors.Is for goroutines, where require cannot be.
func assertIs(err, target error) bool { return errors.Is(err, target) }
