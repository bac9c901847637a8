package replay

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A random wait is the same on every machine and in every version: a seed that
// reproduced a failure once has to do so for ever.
func TestARandomWaitFollowsFromTheSeedAlone(t *testing.T) {
	t.Parallel()
	w := Wait{Min: time.Second, Max: 5 * time.Second}
	var all []time.Duration
	for wave := 1; wave <= 4; wave++ {
		all = append(all, w.At(7, Place{Wave: wave, Send: 1}))
	}
	require.Equal(t, []time.Duration{1792022908, 3466105668, 3758486727, 1454725902}, all)
	require.NotEqual(t, w.At(7, Place{1, 1}), w.At(7, Place{1, 2}))
	require.NotEqual(t, w.At(7, Place{1, 1}), w.At(8, Place{1, 1}))
	require.Equal(t, time.Minute, Wait{Min: time.Minute}.At(7, Place{1, 1}))
	for send := range 1000 {
		got := w.At(1, Place{1, send})
		require.GreaterOrEqual(t, got, w.Min)
		require.LessOrEqual(t, got, w.Max)
	}
}

func TestAnAttemptIsJudgedByWhatItShouldComeTo(t *testing.T) {
	t.Parallel()
	lost, hung := []Fault{{Kind: LostAnswer}}, []Fault{{Kind: HangUp}}
	killed, late := []Fault{{Kind: Kill}}, []Fault{{Kind: Kill, Point: AfterAnswer}}
	for name, c := range map[string]struct {
		a     Attempt
		want  Judgement
		acked bool
	}{
		"taken":                         {Attempt{Outcome: Outcome{Status: 204}}, Right, true},
		"not taken":                     {Attempt{Outcome: Outcome{Status: 500}}, Wrong, false},
		"a duplicate is no conflict":    {Attempt{Outcome: Outcome{Status: 409}}, Wrong, false},
		"timed out":                     {Attempt{Outcome: Outcome{Failure: Timeout}}, Wrong, false},
		"refused forgery":               {Attempt{Signing: WrongSecret, Outcome: Outcome{Status: 401}}, Right, false},
		"taken forgery":                 {Attempt{Signing: Stale, Outcome: Outcome{Status: 200}}, Wrong, true},
		"forgery that broke it":         {Attempt{Signing: Unsigned, Outcome: Outcome{Status: 500}}, Wrong, false},
		"taken, and nobody heard":       {Attempt{Faults: lost, Outcome: Outcome{Status: 200}}, Right, false},
		"not taken, and nobody heard":   {Attempt{Faults: lost, Outcome: Outcome{Status: 500}}, Wrong, false},
		"hung up":                       {Attempt{Faults: hung, Outcome: Outcome{Failure: HungUp}}, Broken, false},
		"nobody there to hang up on":    {Attempt{Faults: hung, Outcome: Outcome{Failure: Refused}}, Wrong, false},
		"killed":                        {Attempt{Faults: killed, Outcome: Outcome{Failure: Killed}}, Broken, false},
		"killed after it was taken":     {Attempt{Faults: late, Outcome: Outcome{Status: 200}}, Right, true},
		"answered before it was killed": {Attempt{Faults: killed, Outcome: Outcome{Status: 200}}, Broken, false},
	} {
		require.Equal(t, c.want, c.a.Judge(), name)
		require.Equal(t, c.acked, c.a.Acknowledged(), name)
	}
}
