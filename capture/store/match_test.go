package store

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// words are what the random requests are made of: either case, CJK, bytes that are no text.
var words = []string{"invoice", "Paid", "REFUND", "訂單已退款完成", "退款", "\x00", "\xff\xfe", "evt_", "k", "Ä", "[", "@", "`", "{", "Z", "z"}

func pick[T any](random *rand.Rand, from ...T) T { return from[random.IntN(len(from))] }

func randomText(random *rand.Rand, n int) string {
	var b strings.Builder
	for range random.IntN(n) {
		b.WriteString(pick(random, words...))
	}
	return b.String()
}

func randomRequest(random *rand.Rand, i int) *capture.Request {
	r := delivery(i)
	r.Kind = pick(random, capture.Delivery, capture.Delivery, capture.Handshake, capture.Other, capture.Stray)
	r.Endpoint = pick(random, "stripe", "github", "")
	r.Provider = pick(random, "stripe", "github", "")
	r.Signature.Status = pick(random, capture.Valid, capture.Unchecked, capture.Invalid, capture.Missing)
	r.At = noon.Add(time.Duration(random.IntN(600)) * time.Second) // not in order
	r.URL = "https://example.com/" + randomText(random, 3)
	r.Head = capture.NewHead("POST", "/", capture.Field{Name: "X-A", Value: randomText(random, 3)})
	r.Body = []byte(randomText(random, 30))
	return r
}

// fold makes capital letters small, of ASCII alone.
func fold(s string) string {
	return string(bytes.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}, bytes.ToValidUTF8([]byte(s), []byte("?")))) // words that are no text are never looked for
}

// texts are what a text is looked for in.
func texts(r *capture.Request) []string {
	all := []string{fold(r.URL), fold(string(r.Head)), fold(string(r.Body))}
	for _, e := range r.Events {
		all = append(all, fold(e.Type), fold(e.Key.Value), fold(e.Object))
	}
	return all
}

// matches is what a Filter means.
func matches(f capture.Filter, r *capture.Request, texts []string) bool {
	seen, late := 0, false
	for _, e := range r.Events {
		seen, late = max(seen, e.Seen), late || e.Late
	}
	text := fold(f.Text)
	return (text == "" || slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, text) })) &&
		(len(f.Kinds) == 0 || slices.Contains(f.Kinds, r.Kind)) &&
		(f.Endpoint == "" || f.Endpoint == r.Endpoint) &&
		(f.Provider == "" || f.Provider == r.Provider) &&
		(len(f.Signature) == 0 || slices.Contains(f.Signature, r.Signature.Status)) &&
		(!f.Duplicates || seen > 1) && (!f.Late || late) &&
		(f.Since.IsZero() || !r.At.Before(f.Since)) && (f.Until.IsZero() || r.At.Before(f.Until))
}

func randomFilter(random *rand.Rand) capture.Filter {
	var f capture.Filter
	some := func() bool { return random.IntN(3) == 0 }
	if random.IntN(2) == 0 {
		f.Text = pick(random, "invoice", "PAID", "refund", "退款", "已退", "kEvT_", "nowhere", "z", "[", "Ä", "zz", "x-a:", "cus_1", "t3", "key7", "/PAID")
	}
	if some() {
		f.Kinds = []capture.Kind{capture.Delivery, capture.Stray}[:1+random.IntN(2)]
	}
	if some() {
		f.Endpoint = pick(random, "stripe", "github", "none")
	}
	if some() {
		f.Provider = pick(random, "stripe", "github")
	}
	if some() {
		f.Signature = []capture.Status{capture.Valid, capture.Invalid}[:1+random.IntN(2)]
	}
	f.Duplicates, f.Late = random.IntN(6) == 0, random.IntN(6) == 0
	if some() {
		f.Since = noon.Add(time.Duration(random.IntN(600)) * time.Second)
	}
	if some() {
		f.Until = noon.Add(time.Duration(random.IntN(600)) * time.Second)
	}
	return f
}

func TestMatchEqualsItsDefinition(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	log := NewLog(openTemp(t))
	const n = 2500 // more than a block
	fillRandom(t, log, random, n)
	var all []*capture.Request
	var said [][]string
	for r, err := range log.After(t.Context(), 0) {
		require.NoError(t, err)
		all, said = append(all, r), append(said, texts(r))
	}
	hits := 0
	for range 200 {
		f := randomFilter(random)
		from, to := capture.Seq(random.IntN(n)-5), capture.Seq(random.IntN(2*n))
		var want []capture.Seq
		for i, r := range all {
			if r.Seq >= from && r.Seq <= to && matches(f, r, said[i]) {
				want = append(want, r.Seq)
			}
		}
		got, err := log.Match(t.Context(), Filter{Filter: f}, from, to)
		require.NoError(t, err)
		require.True(t, slices.Equal(want, got), "%+v from %d to %d", f, from, to)
		hits += len(got)
	}
	require.Greater(t, hits, 1000)
}

// fillRandom appends n random requests through one Write after the other.
func fillRandom(t *testing.T, log *Log, random *rand.Rand, n int) {
	t.Helper()
	done := make(chan error, n)
	for i := range n {
		r := randomRequest(random, i)
		for len(done) < i-500 { // never more than the queue takes
			<-time.After(tick)
		}
		go func() { done <- log.Append(context.Background(), r) }()
	}
	for range n {
		require.NoError(t, <-done)
	}
	events := map[capture.Seq][]capture.Event{}
	for i := range n {
		for range random.IntN(3) {
			e := event(fmt.Sprint("Key", random.IntN(n)), fmt.Sprint("cus_", random.IntN(n)), random.IntN(600))
			e.Type = fmt.Sprint("T", random.IntN(5))
			events[capture.Seq(i+1)] = append(events[capture.Seq(i+1)], e)
		}
	}
	readAll(t, log, func(r *capture.Request) { r.Events = append(r.Events, events[r.Seq]...) })
}

func TestACondIsAskedToo(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	for i := range 20 {
		require.NoError(t, log.Append(t.Context(), delivery(i)))
	}
	f := Filter{Also: []Cond{{`request.seq % ? = 0`, []any{3}}, {`request.seq > 5 OR request.id = ?`, []any{"req_000002"}}}}
	got, err := log.Match(t.Context(), f, 1, 12)
	require.NoError(t, err)
	require.Equal(t, []capture.Seq{3, 6, 9, 12}, got)
	f.Text, f.Provider = "EVT_8", "stripe"
	got, err = log.Match(t.Context(), f, 1, 12)
	require.NoError(t, err)
	require.Equal(t, []capture.Seq{9}, got)
	_, err = log.Match(t.Context(), Filter{Filter: capture.Filter{Outcome: []capture.Outcome{capture.OutcomeOK}}}, 1, 12)
	require.ErrorContains(t, err, "an outcome needs the condition")
}

// A range of an outage: the edges are exact, ties are in it, more than a page is no problem.
func TestATimeRangeHasExactlyItsRequests(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	start := time.Date(2026, 12, 1, 11, 58, 0, 0, time.UTC)
	for i := range 250 {
		r := delivery(i)
		r.At = start.Add(time.Duration(i) * time.Second)
		if i == 31 { // shares the millisecond of the edge
			r.At = start.Add(30 * time.Second)
		}
		require.NoError(t, log.Append(t.Context(), r))
	}
	taipei := time.FixedZone("Asia/Taipei", 8*3600)
	f := Filter{Filter: capture.Filter{
		Since: time.Date(2026, 12, 1, 19, 58, 30, 0, taipei), Until: time.Date(2026, 12, 1, 20, 0, 30, 0, taipei),
	}}
	got, err := log.Match(t.Context(), f, 1, log.Last())
	require.NoError(t, err)
	require.Len(t, got, 120)
	require.EqualValues(t, 31, got[0])
	require.EqualValues(t, 150, got[119])
	long := time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC) // outside of what nanoseconds can say
	far := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		since, until time.Time
		want         int
	}{
		{noon.AddDate(1, 0, 0), noon.AddDate(2, 0, 0), 0},
		{long, far, 250},
		{far, time.Time{}, 0},
		{time.Time{}, long, 0},
	} {
		f.Since, f.Until = tt.since, tt.until
		got, err = log.Match(t.Context(), f, 1, log.Last())
		require.NoError(t, err)
		require.Len(t, got, tt.want)
	}
}

func TestMatchStopsWithItsContext(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	for i := range 200 {
		r := delivery(i)
		r.Body = bytes.Repeat([]byte("Abc"), 50_000)
		require.NoError(t, log.Append(t.Context(), r))
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		for {
			if _, err := log.Match(ctx, Filter{Filter: capture.Filter{Text: "nowhere"}}, 1, log.Last()); err != nil {
				ended <- err
				return
			}
		}
	}()
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.Zero(t, log.db.Read().Stats().InUse)
}

func TestSummariesComeInTheOrderAskedFor(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	var want []capture.Summary
	for i := range 1200 {
		r := delivery(i)
		r.Note = "n"
		if i < 600 {
			require.NoError(t, log.Append(t.Context(), r))
			want = append(want, capture.Summary{
				Seq: r.Seq, ID: r.ID, Kind: r.Kind, Endpoint: r.Endpoint, At: r.At, Method: r.Method, URL: r.URL, Note: r.Note,
				BodySize: int64(len(r.Body)), Provider: r.Provider, Signature: r.Signature.Status, Answered: 200,
			})
		}
	}
	slices.Reverse(want)
	var seqs []capture.Seq
	for seq := capture.Seq(1200); seq >= -3; seq-- { // some are not there
		seqs = append(seqs, seq)
	}
	got, err := log.Summaries(t.Context(), seqs)
	require.NoError(t, err)
	require.Equal(t, want, got)
	got, err = log.Summaries(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, got)
}
