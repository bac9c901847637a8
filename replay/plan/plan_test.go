package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// spell writes a scenario as "a|b b|c": waves between bars.
func spell(s replay.Scenario) string {
	waves := make([]string, len(s.Waves))
	for i, w := range s.Waves {
		sends := make([]string, len(w))
		for k, send := range w {
			sends[k] = string(send.Request)
			if send.Signing == replay.Fresh {
				sends[k] += "*"
			}
		}
		waves[i] = strings.Join(sends, " ")
	}
	return s.Name + ": " + strings.Join(waves, "|")
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	ids := []capture.ID{"a", "b", "c"}
	for want, s := range map[string]replay.Scenario{
		"once: a|b|c":           Once(ids, replay.AsReceived),
		"ordered: a*|b*|c*":     Ordered(ids, replay.Fresh),
		"reversed: c*|b*|a*":    Reversed(ids, replay.Fresh),
		"twice: a|a|b|b|c|c":    Twice(ids, replay.AsReceived),
		"at-once: a a|b b|c c":  AtOnce(ids, 2, replay.AsReceived),
		"at-once: a*|b*|c*":     AtOnce(ids, 0, replay.Fresh),
		"once: ":                Once(nil, replay.AsReceived),
		"at-once: ":             AtOnce(nil, 2, replay.AsReceived),
		"twice: b|c|c":          Rest(Twice(ids, replay.AsReceived), 3),
		"reversed: ":            Rest(Reversed(ids, replay.AsReceived), 9),
		"ordered: a|b|c":        Rest(Ordered(ids, replay.AsReceived), -1),
		"once: a|b|c|a|b|c|a|b": Once([]capture.ID{"a", "b", "c", "a", "b", "c", "a", "b"}, replay.AsReceived),
	} {
		require.Equal(t, want, spell(s))
	}
	require.Equal(t, []capture.ID{"a", "b", "c"}, ids, "the caller's order is left alone")
	require.Equal(t, replay.MaxAtOnce, AtOnce(ids[:1], 1000, replay.AsReceived).Sends())
	require.Equal(t, 6, Twice(ids, replay.AsReceived).Sends())
}
