package plan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

func TestScenarios(t *testing.T) {
	t.Parallel()
	ids := []capture.ID{"A", "B", "C"}
	for want, s := range map[string]replay.Scenario{
		"once: A B C":                       Once(ids, replay.AsReceived),
		"ordered: A!fresh B!fresh C!fresh":  Ordered(ids, replay.Fresh),
		"reversed: C!fresh B!fresh A!fresh": Reversed(ids, replay.Fresh),
		"twice: A A B B C C":                Twice(ids, replay.AsReceived),
		"at-once: A|A B|B C|C":              AtOnce(ids, 2, replay.AsReceived),
		"at-once: A!fresh B!fresh C!fresh":  AtOnce(ids, 0, replay.Fresh),
		"once: ":                            Once(nil, replay.AsReceived),
		"at-once: ":                         AtOnce(nil, 2, replay.AsReceived),
		"twice: B C C":                      Rest(Twice(ids, replay.AsReceived), 3),
		"reversed: ":                        Rest(Reversed(ids, replay.AsReceived), 9),
		"ordered: A B C":                    Rest(Ordered(ids, replay.AsReceived), -1),
		"once: A B C A B C A B":             Once([]capture.ID{"A", "B", "C", "A", "B", "C", "A", "B"}, replay.AsReceived),
	} {
		require.Equal(t, want, spell(s))
	}
	require.Equal(t, []capture.ID{"A", "B", "C"}, ids, "the caller's order is left alone")
	require.Equal(t, replay.MaxAtOnce, AtOnce(ids[:1], 1000, replay.AsReceived).Sends())
	require.Equal(t, 6, Twice(ids, replay.AsReceived).Sends())
}
