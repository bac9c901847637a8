package plan

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// sender is a provider that counts its attempts and sends batches.
func sender() *capture.Provider {
	return &capture.Provider{
		Name:  "sender",
		Mark:  func(*capture.Request, int) error { return nil },
		Batch: func(*capture.Request) ([][]byte, error) { return nil, nil },
		Join:  func(*capture.Request, [][]byte) error { return nil },
	}
}

// happened makes events of objects, in the order of their names: "deal@3" is of
// the deal, three seconds after noon, and "deal" at a time that nobody knows.
func happened(all ...string) []capture.Event {
	var out []capture.Event
	for _, s := range all {
		e := capture.Event{Object: s}
		if n := len(s) - 2; n > 0 && s[n] == '@' {
			e.Object, e.At = s[:n], noon.Add(time.Duration(s[n+1]-'0')*time.Second)
		}
		out = append(out, e)
	}
	return out
}

func chosen() Choice {
	p := sender()
	return Choice{
		Requests: []Request{
			{ID: "A", Provider: p, Signs: true, Events: happened("deal@1")},
			{ID: "B", Provider: p, Signs: true, Events: happened("deal@2", "lead@9", "deal@4")},
			{ID: "C", Events: happened("lead@3")},
		},
		Seed: 7, Copies: 2, Size: 2,
	}
}

// The lines are what people read, and what a run can be told again with: the
// same selection and seed give them for good.
func TestPresetsMakeTheSameScenarioAlways(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		NameTwice:      "A A B B C C",
		NameAtOnce:     "A|A B|B C|C",
		NameReversed:   "C B A",
		NameShuffled:   "B C A",
		NameLateRetry:  "A!lost B C A!fresh#2?",
		NameLoseAnswer: "A!lost A!fresh#2? B!lost B!fresh#2? C!lost C?",
		NameGateway:    "A!502 A!fresh#2? B!502 B!fresh#2? C!502 C?",
		NameKilled:     "A!kill@50% A!fresh#2? B!kill@50% B!fresh#2? C!kill@50% C?",
		NameSweep:      "A B!kill@50% B!fresh#2 C!kill@100% C",
		NameCancel:     "B.3!fresh A B.1!fresh B.2!fresh C",
		NameSplit:      "A.1!fresh B.1!fresh B.2!fresh B.3!fresh C",
		NameMerge:      "A.1+B.1+B.2+B.3!fresh C",
		NameResize:     "A.1+B.1!fresh B.2+B.3!fresh C",
		NameMix:        "B.3+B.1!fresh A.1+B.2!fresh C",
		NamePartial:    "A!502 A!fresh#2? B.1+B.2!fresh!502 B!fresh#2? C!502 C?",
	}
	require.Len(t, Presets, len(want))
	for _, p := range Presets {
		s, _ := p.Make(chosen())
		require.Equal(t, p.Name+": "+want[p.Name], spell(s))
		require.NoError(t, s.Check(), p.Name)
		again, _ := p.Make(chosen())
		require.Equal(t, s, again)
		none, _ := p.Make(Choice{})
		require.Zero(t, none.Sends(), p.Name)
		got, ok := PresetOf(p.Name)
		require.True(t, ok)
		require.Equal(t, p.Needs, got.Needs)
		require.Equal(t, p.Needs.Command, s.Kills(), "what kills needs a command to start again")
	}
	_, ok := PresetOf("nobody")
	require.False(t, ok)
}

func TestTheLastEventOfAnObjectComesBeforeItsFirst(t *testing.T) {
	t.Parallel()
	p := sender()
	for _, test := range []struct {
		name string
		of   []Request
		want string
		note Note
	}{
		{"by the clock, however they arrived", []Request{{ID: "A", Events: happened("deal@2")}, {ID: "B", Events: happened("deal@1")}}, "A B", NoteNone},
		{"by the order where there is one", []Request{
			{ID: "A", Events: []capture.Event{{Object: "deal", Order: 9, At: noon}}}, {ID: "B", Events: []capture.Event{{Object: "deal", Order: 8, At: noon.Add(1)}}},
		}, "A B", NoteNone},
		{"as they arrived where nobody can tell", []Request{{ID: "A", Events: happened("deal")}, {ID: "B", Events: happened("deal")}}, "B A", NoteArrival},
		{"of each object", []Request{
			{ID: "A", Events: happened("deal@1")}, {ID: "B", Events: happened("lead@1")}, {ID: "C", Events: happened("lead@2")}, {ID: "D", Events: happened("deal@2")},
		}, "D A C B", NoteNone},
		{"within one batch", []Request{{ID: "A", Provider: p, Events: happened("deal@1", "deal@2", "deal@3")}}, "A.3 A.1 A.2", NoteNone},
		{"but not of a request that cannot be taken apart", []Request{{ID: "A", Events: happened("deal@1", "deal@2")}}, "A", NoteAlone},
		{"nothing is turned round where all are of different objects", []Request{{ID: "A", Events: happened("deal@1")}, {ID: "B"}, {ID: "C"}}, "A B C", NoteAlone},
	} {
		s, note := CancelFirst(Choice{Requests: test.of})
		require.Equal(t, "cancel-first: "+test.want, spell(s), test.name)
		require.Equal(t, test.note, note, test.name)
	}
}

func TestARetryHasTheNextNumberAndTheSignatureThatCanBeHad(t *testing.T) {
	t.Parallel()
	r := Request{ID: "A", Provider: sender(), Signs: true, Events: []capture.Event{{}, {Try: 4}}}
	require.Equal(t, "lose-answer: A!lost A!fresh#5?", spell(LoseAnswer(Choice{Requests: []Request{r}})))
	require.Equal(t, "lose-answer: A!stale!lost A!stale#5?", spell(LoseAnswer(Choice{Requests: []Request{r}, Signing: "stale"})))
	r.Signs = false
	require.Equal(t, "lose-answer: A!lost A?", spell(LoseAnswer(Choice{Requests: []Request{r}})), "the number may be signed")
	r.Signs, r.Provider.Mark = true, nil
	require.Equal(t, "lose-answer: A!lost A!fresh?", spell(LoseAnswer(Choice{Requests: []Request{r}})))
}

func TestBatchesAreOfOneSenderAndHaveAHundredEventsAtMost(t *testing.T) {
	t.Parallel()
	p, other := sender(), sender()
	other.Name = "other"
	long := make([]string, 150)
	c := Choice{Requests: []Request{
		{ID: "A", Provider: p, Events: happened("1@1", "2@2")},
		{ID: "B", Provider: other, Events: happened("1@1", "2@2")},
		{ID: "C", Provider: p, Endpoint: "shop", Events: happened("1@1")},
		{ID: "D", Provider: p, Events: happened("3@3")},
	}}
	s, note := Merge(c)
	require.Equal(t, "merge: A.1+A.2+D.1 B.1+B.2 C.1", spell(s))
	require.Equal(t, NoteNone, note)
	c.Requests = append(c.Requests, Request{ID: "E"})
	_, note = Merge(c)
	require.Equal(t, NoteWhole, note)

	s, _ = Merge(Choice{Requests: []Request{{ID: "A", Provider: p, Events: happened(long...)}}})
	require.Len(t, s.Waves, 2)
	require.Len(t, s.Waves[0][0].Items, MostParts)
	s, _ = Resize(Choice{Requests: []Request{{ID: "A", Provider: p, Events: happened(long...)}}, Size: 1000})
	require.Len(t, s.Waves[0][0].Items, MostParts)

	seen := map[int]bool{}
	s, _ = Mix(Choice{Requests: []Request{{ID: "A", Provider: p, Events: happened(long...)}}, Seed: 3})
	for _, w := range s.Waves {
		for _, item := range w[0].Items {
			require.False(t, seen[item.N])
			seen[item.N] = true
		}
	}
	require.Len(t, seen, 150, "each event once")
}
