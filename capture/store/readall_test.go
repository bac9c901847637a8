package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// event is an event of a key and object, that many minutes past noon; no time if minutes is negative.
func event(key, object string, minutes int) capture.Event {
	e := capture.Event{Key: capture.Key{Value: key, Exact: true}, Type: "t", Object: object}
	if minutes >= 0 {
		e.At = noon.Add(time.Duration(minutes) * time.Minute)
	}
	return e
}

func ordered(key, object string, order int64) capture.Event {
	e := event(key, object, -1)
	e.Order = order
	return e
}

func TestSeenAndLateFollowTheOrderOfTheLog(t *testing.T) {
	t.Parallel()
	type arrival struct {
		kind     capture.Kind
		status   capture.Status
		provider string
		events   []capture.Event
		seen     []int
		late     []bool
	}
	one := func(e capture.Event, seen int, late bool) arrival {
		return arrival{events: []capture.Event{e}, seen: []int{seen}, late: []bool{late}}
	}
	as := func(a arrival, kind capture.Kind, status capture.Status, provider string) arrival {
		a.kind, a.status, a.provider = kind, status, provider
		return a
	}
	for name, arrivals := range map[string][]arrival{
		"three times":               {one(event("a", "x", 1), 1, false), one(event("a", "x", 1), 2, false), one(event("a", "x", 1), 3, false)},
		"older after newer is late": {one(event("b", "x", 2), 1, false), one(event("a", "x", 1), 1, true), one(event("c", "x", 3), 1, false)},
		"a second arrival of the old one after a newer is late": {
			one(event("a", "x", 1), 1, false), one(event("b", "x", 2), 1, false), one(event("a", "x", 1), 2, true),
		},
		"a second arrival is not late because of the first": {one(event("a", "x", 5), 1, false), one(event("a", "x", 1), 2, false)},
		"the same moment is not late":                       {one(event("b", "x", 1), 1, false), one(event("a", "x", 1), 1, false)},
		"another object is another order":                   {one(event("b", "x", 2), 1, false), one(event("a", "y", 1), 1, false)},
		"no object, no order":                               {one(event("b", "", 2), 1, false), one(event("a", "", 1), 1, false)},
		"no time, nobody can tell":                          {one(event("b", "x", 2), 1, false), one(event("a", "x", -1), 1, false), one(event("c", "x", 1), 1, true)},
		"no key is always the first":                        {one(event("", "x", 2), 1, false), one(event("", "x", 1), 1, true)},
		"numbers go before clocks": {
			one(capture.Event{Key: capture.Key{Value: "b"}, Object: "x", Order: 2, At: noon}, 1, false),
			one(capture.Event{Key: capture.Key{Value: "a"}, Object: "x", Order: 1, At: noon.Add(time.Hour)}, 1, true),
			one(capture.Event{Key: capture.Key{Value: "c"}, Object: "x", Order: 3, At: noon.Add(-time.Hour)}, 1, false),
		},
		"numbers alone": {one(ordered("b", "x", -1), 1, false), one(ordered("a", "x", -2), 1, true), one(ordered("c", "x", 7), 1, false)},
		"a number meets a clock": {
			one(event("b", "x", 2), 1, false),
			one(capture.Event{Key: capture.Key{Value: "a"}, Object: "x", Order: 1, At: noon}, 1, true),
			one(event("c", "x", 1), 1, true),
		},
		"another provider": {one(event("a", "x", 2), 1, false), as(one(event("a", "x", 1), 1, false), "", "", "github")},
		"what was refused counts for nothing": {
			as(one(event("a", "x", 9), 0, false), "", capture.Invalid, ""),
			as(one(event("a", "x", 9), 0, false), "", capture.Stale, ""),
			one(event("a", "x", 2), 1, false),
			as(one(event("a", "x", 1), 0, false), "", capture.Missing, ""),
			as(one(event("a", "x", 2), 2, false), "", capture.Valid, ""),
			as(one(event("a", "x", 2), 3, false), "", capture.Authenticated, ""),
		},
		"what is unsigned where nothing is checked counts": {
			as(one(event("a", "x", 2), 1, false), "", capture.Missing, ""),
			as(one(event("a", "x", 2), 2, false), "", capture.Missing, ""),
			as(one(event("b", "x", 1), 1, true), "", capture.Unchecked, ""),
		},
		"what is no delivery counts for nothing": {
			as(one(event("a", "x", 9), 0, false), capture.Handshake, "", ""),
			as(one(event("a", "x", 9), 0, false), capture.Other, "", ""),
			as(one(event("a", "x", 9), 0, false), capture.Incomplete, "", ""),
			one(event("a", "x", 1), 1, false),
		},
		"a batch comes in its own order": {{
			events: []capture.Event{event("b", "x", 2), event("a", "x", 1), event("b", "x", 2), event("c", "y", 1)},
			seen:   []int{1, 1, 2, 1}, late: []bool{false, true, false, false},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := NewLog(openTemp(t))
			for i, a := range arrivals {
				r := delivery(i)
				if a.kind != "" {
					r.Kind = a.kind
				}
				if a.status != "" {
					r.Signature.Status = a.status
				}
				if a.status.Refused() && a.status != "" && a.seen[0] == 0 {
					r.Answered = http.StatusUnauthorized
				}
				if a.provider != "" {
					r.Provider = a.provider
				}
				require.NoError(t, log.Append(t.Context(), r))
			}
			readAll(t, log, func(r *capture.Request) { r.Events = append(r.Events, arrivals[r.Seq-1].events...) })
			for i, a := range arrivals {
				seq := capture.Seq(i + 1)
				r, err := log.BySeq(t.Context(), seq)
				require.NoError(t, err)
				require.Len(t, r.Events, len(a.events))
				seen, late := 0, false
				for j, e := range r.Events {
					want := a.events[j]
					want.Seen, want.Late = a.seen[j], a.late[j]
					require.Equal(t, want, e, "arrival %d event %d", i, j)
					seen, late = max(seen, e.Seen), late || e.Late
				}
				s, err := log.Summaries(t.Context(), []capture.Seq{seq})
				require.NoError(t, err)
				require.Equal(t, []any{seen, late, len(a.events), true}, []any{s[0].Seen, s[0].Late, s[0].Events, s[0].Read})
			}
		})
	}
}

// Seen and Late come from indexes; this is what they mean, in Go.
func TestSeenAndLateEqualTheirDefinition(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var all [][]capture.Event
	for range 300 {
		var events []capture.Event
		for range random.IntN(4) {
			e := event(fmt.Sprint("k", random.IntN(60)), fmt.Sprint("o", random.IntN(5)), random.IntN(40)-3)
			if random.IntN(3) == 0 {
				e.Order = int64(random.IntN(20))
			}
			events = append(events, e)
		}
		all = append(all, events)
	}
	log := NewLog(openTemp(t))
	for i := range all {
		require.NoError(t, log.Append(t.Context(), delivery(i)))
	}
	readAll(t, log, func(r *capture.Request) { r.Events = append(r.Events, all[r.Seq-1]...) })
	var before []capture.Event
	lates, duplicates := 0, 0
	for r, err := range log.After(t.Context(), 0) {
		require.NoError(t, err)
		require.Len(t, r.Events, len(all[r.Seq-1]))
		for i, got := range r.Events {
			want := all[r.Seq-1][i]
			want.Seen = 1
			for _, b := range before {
				if b.Key.Value == want.Key.Value {
					want.Seen++
				} else if b.Object == want.Object && want.Older(b) {
					want.Late = true
				}
			}
			require.Equal(t, want, got)
			before = append(before, want)
			if want.Late {
				lates++
			}
			if want.Seen > 1 {
				duplicates++
			}
		}
	}
	require.Greater(t, lates, 20)
	require.Greater(t, duplicates, 20)
}

func TestReadingGoesOnWhereItWasCutOff(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "anyhook.db")
	db := openAt(t, path, usual)
	log := NewLog(db)
	for i := range 3 {
		require.NoError(t, log.Append(t.Context(), delivery(i)))
	}
	// A crash in the middle of the second request: the first is read, the second half.
	readTwo := func(r *capture.Request) {
		for i := range 1000 {
			r.Events = append(r.Events, event(fmt.Sprint(r.Seq, "-", i), "x", 1))
		}
	}
	w := readings{log: log}
	rs, err := log.some(t.Context(), 0, 3)
	require.NoError(t, err)
	readTwo(rs[0])
	require.NoError(t, w.add(t.Context(), rs[0]))
	require.NoError(t, w.flush(t.Context()))
	readTwo(rs[1])
	w.parts = []part{{rs[1], 0, 300}}
	require.NoError(t, w.flush(t.Context()))
	got, err := log.BySeq(t.Context(), 2)
	require.NoError(t, err)
	require.Empty(t, got.Events, "half of the events are none")
	require.EqualValues(t, 1, log.ReadTo())
	require.NoError(t, db.Close())

	log = NewLog(openAt(t, path, usual))
	require.EqualValues(t, 1, log.ReadTo())
	var read []capture.Seq
	readAll(t, log, func(r *capture.Request) {
		read = append(read, r.Seq)
		readTwo(r)
	})
	require.Equal(t, []capture.Seq{2, 3}, read)
	for seq := capture.Seq(1); seq <= 3; seq++ {
		got, err := log.BySeq(t.Context(), seq)
		require.NoError(t, err)
		require.Len(t, got.Events, 1000)
		for _, e := range got.Events {
			require.Equal(t, 1, e.Seen, "what a crash left does not count")
		}
	}
}

func TestReadAllGetsOnWhileSendersNeverStop(t *testing.T) {
	t.Parallel()
	db := openTemp(t)
	log := NewLog(db)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for w := range 16 {
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				if err := log.Append(context.Background(), delivery(w*100_000+i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() {
		_ = log.ReadAll(ctx, func(r *capture.Request) { r.Events = []capture.Event{event(string(r.ID), "x", 1)} })
	})
	waitRead(t, log, 100)
	cancel()
	wg.Wait()
}

func TestTheProviderMayBeFoundLater(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	r := delivery(1)
	r.Provider = ""
	require.NoError(t, log.Append(t.Context(), r))
	readAll(t, log, func(r *capture.Request) { r.Provider, r.URL = "github", "not kept" })
	got, err := log.Get(t.Context(), r.ID)
	require.NoError(t, err)
	r.Provider = "github"
	require.Equal(t, r, got)
}

func TestOnlyOneReadsAtATime(t *testing.T) {
	t.Parallel()
	db := openTemp(t)
	log := NewLog(db)
	require.NoError(t, log.Append(t.Context(), delivery(1)))
	started, ended := make(chan struct{}), make(chan error)
	go func() {
		ended <- log.ReadAll(context.Background(), func(*capture.Request) { close(started) })
	}()
	<-started
	require.ErrorContains(t, log.ReadAll(t.Context(), nothing), "somebody does it already")
	require.NoError(t, db.Close())
	require.ErrorIs(t, <-ended, ErrClosed)
}
