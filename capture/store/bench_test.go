package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// syncs measures how many 4 KB writes with a sync the disk at dir does in a
// second: the reference for everything durable, in the same run.
func syncs(tb testing.TB, dir string) float64 {
	tb.Helper()
	f, err := os.Create(filepath.Join(dir, "reference"))
	require.NoError(tb, err)
	defer f.Close()
	page := make([]byte, 4096)
	n, start := 0, time.Now()
	for ; time.Since(start) < 300*time.Millisecond; n++ {
		_, err := f.WriteAt(page, int64(n%256)*4096)
		require.NoError(tb, err)
		require.NoError(tb, f.Sync())
	}
	return float64(n) / time.Since(start).Seconds()
}

// One op is one request of 2.5 KB on the disk. "per-sync" is requests a second
// over syncs a second of the same disk in the same run.
func BenchmarkAppend(b *testing.B) {
	for _, senders := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("senders=%d", senders), func(b *testing.B) {
			dir := b.TempDir()
			log := NewLog(openAt(b, filepath.Join(dir, "anyhook.db"), usual))
			head := capture.NewHead("POST", "/stripe", capture.Field{Name: "Stripe-Signature", Value: string(bytes.Repeat([]byte("a"), 480))})
			body := bytes.Repeat([]byte(`{"id":"evt_1"} `), 140)
			before := syncs(b, dir)
			var next atomic.Int64
			var wg sync.WaitGroup
			b.ResetTimer()
			for range senders {
				wg.Go(func() {
					for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
						r := delivery(int(i))
						r.Head, r.Body = head, body
						if err := log.Append(context.Background(), r); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
			b.StopTimer()
			rate := float64(b.N) / b.Elapsed().Seconds()
			reference := (before + syncs(b, dir)) / 2
			b.ReportMetric(rate, "requests/s")
			b.ReportMetric(rate/reference, "per-sync")
		})
	}
}

// The same with ReadAll at work beside it: events must not slow the answers.
func BenchmarkAppendWhileReading(b *testing.B) {
	log := NewLog(openAt(b, filepath.Join(b.TempDir(), "anyhook.db"), usual))
	ctx, cancel := context.WithCancel(context.Background())
	var wg, reading sync.WaitGroup
	reading.Go(func() {
		_ = log.ReadAll(ctx, func(r *capture.Request) { r.Events = []capture.Event{event(string(r.ID), "x"+string(r.ID), 1)} })
	})
	var next atomic.Int64
	b.ResetTimer()
	for range 64 {
		wg.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				if err := log.Append(context.Background(), delivery(int(i))); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(log.ReadTo())/float64(log.Last()), "read-meanwhile")
	cancel()
	reading.Wait()
}

// million fills a file with a million requests, the first 100,000 of which
// have bodies of 2 KB and events.
func million(b *testing.B) *Log {
	b.Helper()
	path := filepath.Join(b.TempDir(), "anyhook.db")
	db, err := open(context.Background(), path, usual)
	require.NoError(b, err)
	numbers := `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) `
	small := `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) `
	for _, statement := range []string{
		`INSERT INTO request (seq, id, kind, endpoint, at, method, peer, url, note, head_size, body_size, leaf) ` + numbers +
			`SELECT i, printf('req_%08d', i), 'delivery', 'stripe', 1700000000000000000 + i * 1000000000, 'POST', '192.0.2.1',
				'https://abc.ngrok.app/stripe', '', 600, 2000, randomblob(32) FROM n`,
		`INSERT INTO payload (seq, head, body) ` + numbers + `SELECT i, x'00', x'00' FROM n WHERE i > 100000`,
		`INSERT INTO payload (seq, head, body) ` + small + `SELECT i, CAST(printf('POST / HTTP/1.1%.*c', 550, 'h') AS BLOB),
			CAST(printf('{"id":"evt_%d","data":"%.*c"}', i, 2000, 'Z') AS BLOB) FROM n`,
		`INSERT INTO reading (seq, provider, status, answered, read, seen, events, type, object, key, signature) ` + numbers +
			`SELECT i, CASE i % 10 WHEN 0 THEN 'github' ELSE 'stripe' END, 'valid', 200, 1, 1, 1, 'invoice.paid', 'in_' || i, 'evt_' || i,
				'{"status":"valid","scheme":"HMAC-SHA256 of t.body","secret":1,"at":"2026-12-01T12:00:00Z"}' FROM n`,
		`INSERT INTO event (seq, i, provider, key, exact, grp, type, object, at, ord, try, seen, late) ` + small +
			`SELECT i, 0, 'stripe', 'evt_' || i, 1, '', 'invoice.paid', 'in_' || i, i, 0, 0, 1, 0 FROM n`,
	} {
		require.NoError(b, db.Write(context.Background(), func(tx Tx) error { _, err := tx.Exec(statement); return err }))
	}
	require.NoError(b, db.Close())
	return NewLog(openAt(b, path, usual))
}

// Reading a million requests. The goals are in ms: 1 for a page, 400 for a
// walk over all without an index, 1,500 for the text of 100,000.
func BenchmarkMillion(b *testing.B) {
	log := million(b)
	page := func(from capture.Seq) func(*testing.B) {
		var seqs []capture.Seq
		for i := range 100 {
			seqs = append(seqs, from-capture.Seq(i))
		}
		return func(b *testing.B) {
			for b.Loop() {
				got, err := log.Summaries(b.Context(), seqs)
				require.NoError(b, err)
				require.Len(b, got, 100)
			}
		}
	}
	match := func(f capture.Filter, from, to capture.Seq, want int) func(*testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				got, err := log.Match(b.Context(), Filter{Filter: f}, from, to)
				require.NoError(b, err)
				require.Len(b, got, want)
			}
		}
	}
	b.Run("newest 100", page(1_000_000))
	b.Run("middle 100", page(500_000))
	b.Run("walk, provider, no match", match(capture.Filter{Provider: "nobody"}, 1, 1_000_000, 0))
	b.Run("walk, provider, 100,000 matches", match(capture.Filter{Provider: "github"}, 1, 1_000_000, 100_000))
	b.Run("walk, kind, no match", match(capture.Filter{Kinds: []capture.Kind{capture.Stray}}, 1, 1_000_000, 0))
	b.Run("walk, kind and provider", match(capture.Filter{Kinds: []capture.Kind{capture.Delivery}, Provider: "nobody"}, 1, 1_000_000, 0))
	b.Run("duplicates", match(capture.Filter{Duplicates: true}, 1, 1_000_000, 0))
	b.Run("ten minutes", match(capture.Filter{
		Since: time.Unix(1_700_000_000+500_000, 0), Until: time.Unix(1_700_000_000+500_600, 0),
	}, 1, 1_000_000, 600))
	b.Run("everything", match(capture.Filter{}, 1, 1_000_000, 1_000_000))
	b.Run("text of 100,000, letters, no match", match(capture.Filter{Text: "nowhere"}, 1, 100_000, 0))
	b.Run("text of 100,000, CJK, no match", match(capture.Filter{Text: "退款"}, 1, 100_000, 0))
	b.Run("text of the newest block", match(capture.Filter{Text: "nowhere"}, 98_001, 100_000, 0))
}
