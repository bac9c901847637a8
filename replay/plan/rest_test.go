package plan

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// The rest starts with another wave, and its waits are still those of the whole.
func TestTheRestWaitsAsTheWholeWouldHave(t *testing.T) {
	t.Parallel()
	s := Once([]capture.ID{"a", "b", "c", "d"}, replay.Fresh)
	s.Seed = 7
	for _, wave := range s.Waves {
		wave[0].Wait = replay.Wait{Min: time.Second, Max: time.Hour}
	}
	rest := Rest(s, 2)
	require.Equal(t, "once: c!fresh~41m22.948432547s d!fresh~6m50.139630729s", spell(rest))
	for i, wave := range rest.Waves {
		want := s.Waves[i+2][0].Wait.At(7, replay.Place{Wave: i + 3, Send: 1})
		require.Equal(t, want, wave[0].Wait.At(rest.Seed, replay.Place{Wave: i + 1, Send: 1}))
	}
	require.Equal(t, rest, Rest(rest, 0), "nothing is random any more")
	require.Equal(t, time.Hour, s.Waves[2][0].Wait.Max, "the whole is left alone")
}

func TestTheRestSparesWhatWasAcknowledged(t *testing.T) {
	t.Parallel()
	s := Once([]capture.ID{"a", "b", "a", "b", "c"}, replay.AsReceived)
	for i := 2; i < 5; i++ {
		s.Waves[i][0].Retry = true
	}
	s.Waves[2] = append(s.Waves[2], replay.Send{Request: "a"})
	at := func(wave, status int, faults ...replay.Fault) replay.Attempt {
		return replay.Attempt{Place: replay.Place{Wave: wave, Send: 1}, Faults: faults, Outcome: replay.Outcome{Status: status}}
	}
	require.Equal(t, "once: a b? c?", spell(Rest(s, 2, at(1, 200), at(2, 500))), "what is no retry is sent")
	require.Equal(t, "once: a?|a b? c?", spell(Rest(s, 2, at(1, 200, replay.Fault{Kind: replay.LostAnswer}))))
	require.Equal(t, "once: b a?|a b? c?", spell(Rest(s, 1, at(2, 200), at(0, 200), at(9, 200))), "that wave is sent again")
}
