package plan

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func TestATimetableIsTheProvidersOwnAsFarAsItIsPublished(t *testing.T) {
	t.Parallel()
	total := func(pauses []time.Duration) (sum time.Duration) {
		for _, p := range pauses {
			sum += p
		}
		return sum
	}
	slack := []time.Duration{0, time.Minute, 5 * time.Minute}
	require.Equal(t, Timetable{Pauses: slack}, TimetableOf(capture.Retry{Times: 3, After: slack}, 1))
	require.Equal(t, Timetable{Pauses: slack}, TimetableOf(capture.Retry{After: slack, Within: time.Hour}, 1), "it says no more")
	require.Zero(t, TimetableOf(capture.Retry{Never: true}, 1))

	hubspot := capture.Retry{Times: 10, Within: 24 * time.Hour}
	table := TimetableOf(hubspot, 1)
	require.True(t, table.Assumed)
	require.Len(t, table.Pauses, 10)
	require.InDelta(t, 24*time.Hour, total(table.Pauses), float64(time.Second))
	require.True(t, slices.IsSorted(table.Pauses), "%v", table.Pauses)
	require.Equal(t, table, TimetableOf(hubspot, 1))
	require.NotEqual(t, table, TimetableOf(hubspot, 2), "the seed makes it a little different")

	wise := TimetableOf(capture.Retry{Times: 25, Within: 336 * time.Hour, After: []time.Duration{time.Minute, 17 * time.Hour}}, 1)
	require.True(t, wise.Assumed)
	require.Len(t, wise.Pauses, 25)
	require.Equal(t, 17*time.Hour, wise.Pauses[1])
	require.Greater(t, slices.Min(wise.Pauses[2:]), 8*time.Hour)
	require.InDelta(t, 336*time.Hour, total(wise.Pauses), float64(time.Second))

	unknown := TimetableOf(capture.Retry{}, 1)
	require.True(t, unknown.Assumed)
	require.Len(t, unknown.Pauses, assumedTimes)
}

func retried(retry capture.Retry) Choice {
	p := sender()
	p.Retry, p.Deadline = retry, 3*time.Second
	return Choice{Requests: []Request{
		{ID: "A", Provider: p, Signs: true, Events: happened("deal@1")},
		{ID: "B", Provider: p, Signs: true, Events: happened("deal@2")},
		{ID: "C", Provider: p, Signs: true, Events: happened("deal@3")},
	}, Seed: 7}
}

func TestAScheduleHasTheThirdRetryAfterNewerEvents(t *testing.T) {
	t.Parallel()
	slack := capture.Retry{Times: 3, After: []time.Duration{0, time.Minute, 5 * time.Minute}}
	s, note := Schedule(retried(slack), Options{})
	require.Equal(t, NoteNone, note)
	require.Equal(t, "schedule: A!lost A!fresh!lost#2? A!fresh!lost#3?~1m B~1m C~2m A!fresh#4?~2m", spell(s))
	require.InDelta(t, 12, s.Speed, 0.001, "six minutes in thirty seconds")
	s, _ = Schedule(retried(slack), Options{Within: time.Hour})
	require.InDelta(t, 1, s.Speed, 0, "nothing is made slower")

	for _, retry := range []capture.Retry{slack, {Times: 10, Within: 24 * time.Hour}, {Within: 72 * time.Hour}, {Times: 1}, {}, {Within: 15 * 24 * time.Hour}} {
		c := retried(retry)
		s, _ := Schedule(c, Options{All: true})
		require.NoError(t, s.Check())
		again, _ := Schedule(c, Options{All: true})
		require.Equal(t, s, again)
		newer, tries, played := 0, 0, time.Duration(0)
		for _, w := range s.Waves {
			require.Len(t, w, 1)
			played += w[0].Wait.At(0, replay.Place{})
			if w[0].Request != "A" {
				newer++
				continue
			}
			if tries++; tries == min(4, len(TimetableOf(retry, 7).Pauses)+1) {
				require.Equal(t, 2, newer, "both newer events are there before it")
			}
		}
		require.Equal(t, len(TimetableOf(retry, 7).Pauses)+1, tries)
		require.InDelta(t, 30*time.Second, float64(played)/s.Speed, float64(time.Millisecond))
		last := s.Waves[len(s.Waves)-1][0]
		require.Empty(t, last.Faults, "the last is heard")
	}
}

func TestASchedulePlaysTheDeadlineInRealTime(t *testing.T) {
	t.Parallel()
	c := retried(capture.Retry{Times: 1, After: []time.Duration{time.Hour}})
	s, _ := Schedule(c, Options{Deadline: true, Lost: 1})
	require.Equal(t, "schedule: A!hangup@3s B~20m C~20m A!fresh#2?~20m", spell(s))
	c.Requests[0].Provider.Deadline = 0
	s, _ = Schedule(c, Options{Deadline: true, Lost: 1})
	require.Equal(t, "schedule: A!lost B~20m C~20m A!fresh#2?~20m", spell(s), "one that nobody knows cannot be played")
}

func TestAProviderThatNeverSendsAgainHasNoSchedule(t *testing.T) {
	t.Parallel()
	s, note := Schedule(retried(capture.Retry{Never: true}), Options{})
	require.Equal(t, NoteNever, note)
	require.Zero(t, s.Sends())
	_, note = Schedule(retried(capture.Retry{Within: time.Hour}), Options{})
	require.Equal(t, NoteAssumed, note)
	s, _ = Schedule(Choice{}, Options{})
	require.Zero(t, s.Sends())
	s, note = Schedule(Choice{Requests: []Request{{ID: "A"}}}, Options{})
	require.Equal(t, NoteAssumed, note, "so it is with a sender that nobody knows")
	require.Equal(t, assumedTimes+1, s.Sends())
}
