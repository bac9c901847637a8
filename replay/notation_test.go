package replay

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func labelled(id capture.ID) string { return strings.ToUpper(string(id)) }

func known(label string) (capture.ID, bool) {
	return capture.ID(strings.ToLower(label)), label != "Z" && label == strings.ToUpper(label)
}

func TestANotationIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]Wave{
		"":        nil,
		"A A|A B": {{{Request: "a"}}, {{Request: "a"}, {Request: "a"}}, {{Request: "b"}}},
		"A!lost~2s B|C A!fresh#2? A.1+B.3!cut@200": {
			{{Request: "a", Faults: []Fault{{Kind: LostAnswer}}, Wait: Wait{Min: 2 * time.Second}}},
			{{Request: "b"}, {Request: "c"}},
			{{Request: "a", Signing: Fresh, Try: 2, Retry: true}},
			{{Request: "a", Items: []Item{{"a", 1}, {"b", 3}}, Faults: []Fault{{Kind: CutRequest, Bytes: 200}}}},
		},
		"A!wrong-secret!502~0s..1m30s A!slow@1.5s!hangup@500ms!cut": {
			{{Request: "a", Signing: WrongSecret, Faults: []Fault{{Kind: Gateway}}, Wait: Wait{Max: 90 * time.Second}}},
			{{Request: "a", Faults: []Fault{{Kind: Slow, After: 1500 * time.Millisecond}, {Kind: HangUp, After: time.Second / 2}, {Kind: CutRequest}}}},
		},
		"A!kill A!kill@head A!kill@answer A!kill@20ms A!kill@50% A!hangup": {
			{{Request: "a", Faults: []Fault{{Kind: Kill}}}},
			{{Request: "a", Faults: []Fault{{Kind: Kill, Point: AfterHead}}}},
			{{Request: "a", Faults: []Fault{{Kind: Kill, Point: AfterAnswer}}}},
			{{Request: "a", Faults: []Fault{{Kind: Kill, After: 20 * time.Millisecond}}}},
			{{Request: "a", Faults: []Fault{{Kind: Kill, Share: 50}}}},
			{{Request: "a", Faults: []Fault{{Kind: HangUp}}}},
		},
		"A.0 A+B C:A.1 C:A.2+C~24h!": nil,
		"A.0 A+B C:A.1 C:A.2+C~24h": {
			{{Request: "a", Items: []Item{{"a", 0}}}},
			{{Request: "a", Items: []Item{{"a", 0}, {"b", 0}}}},
			{{Request: "c", Items: []Item{{"a", 1}}}},
			{{Request: "c", Items: []Item{{"a", 2}, {"c", 0}}, Wait: Wait{Min: 24 * time.Hour}}},
		},
	} {
		got, err := ParseWaves(text, known)
		if strings.HasSuffix(text, "!") {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
		require.Equal(t, text, Notate(got, labelled))
		require.NoError(t, Scenario{Name: "x", Waves: got}.Check())
	}
}

func TestMarksComeInAnyOrder(t *testing.T) {
	t.Parallel()
	got, err := ParseWaves("  A?~2s#3!lost!fresh \n B\t", known)
	require.NoError(t, err)
	require.Equal(t, "A!fresh!lost#3?~2s B", Notate(got, labelled))
}

func TestABadNotationIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"A Z":               `column 3: "Z" is the label of no request`,
		"A |B":              "column 3: want the label of a request",
		"A|":                "column 3: want the label of a request",
		"A+":                "column 3: want the label of a request",
		"A B!lsot":          "column 4: !lsot: there is no such mark",
		"A!":                "column 2: !: there is no such mark",
		"A!lost!lost":       "column 7: !lost is there twice",
		"A!fresh!stale":     "column 8: !stale: it is signed as !fresh already",
		"A!lost@2s":         "column 2: !lost@2s: it takes no @",
		"A!cut@2s":          "column 2: !cut@2s: want a number up to 1073741824",
		"A!cut@0":           "column 2: !cut@0: want a number from 1",
		"A!slow":            `column 2: !slow: fault "slow" for 0s`,
		"A!hangup@":         "column 2: !hangup@: want a time such as 2s",
		"A!hangup@-2s":      "column 2: !hangup@-2s: want a time",
		"A!kill@50":         "column 2: !kill@50: want a time",
		"A!kill@0%":         "column 2: !kill@0%: want a number from 1 to 1000",
		"A!kill@1001%":      "column 2: !kill@1001%: want a number up to 1000",
		"A~":                "column 2: ~: want a time",
		"A~169h":            "column 2: ~169h: want a time such as 2s, 150ms or 1h30m, at most 168h",
		"A~5s..2s":          "column 2: ~5s..2s: want the less first",
		"A~2s~3s":           "column 5: ~3s: it waits already",
		"A#0":               "column 2: #0: want a number from 1",
		"A#2#3":             "column 4: #3: it has a number already",
		"A??":               "column 3: ? is there twice",
		"A.1001":            "column 3: want a number up to 1000",
		"A.x":               "column 3: want a number up to 1000",
		"A,B":               `column 2: ',' is no mark`,
		"夜":                 "column 1: want the label of a request",
		"A\u3000B\u3000夜":   "column 5: want the label of a request",
		"1":                 "column 1: want the label of a request",
		"A\xff":             `column 2: '�' is no mark`,
		"A" + longRun("|A"): "column 129: there are more than 64 sends at once",
	} {
		_, err := ParseWaves(text, known)
		require.ErrorContains(t, err, want, text)
		require.ErrorAs(t, err, new(*NotationError))
	}
	_, err := ParseWaves(strings.Repeat("A ", MaxWaves), known)
	require.NoError(t, err)
	_, err = ParseWaves(strings.Repeat("A ", MaxWaves)+"A", known)
	require.ErrorContains(t, err, "column 200001: there are more than 100000 waves")
	_, err = ParseWaves(strings.Repeat("A+", MaxItems)+"A", known)
	require.ErrorContains(t, err, "more than 1000 parts")
}

func longRun(s string) string { return strings.Repeat(s, 100) }

func TestLabelsGoOnAfterZ(t *testing.T) {
	t.Parallel()
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"} {
		require.Equal(t, want, Label(i))
		require.True(t, IsLabel(want))
	}
	for _, bad := range []string{"", "1A", "A B", "A.1", "é", "_", "-a", strings.Repeat("a", 65)} {
		require.False(t, IsLabel(bad), bad)
	}
	waves := []Wave{{{Request: "b"}, {Request: "a", Items: []Item{{"c", 1}}}}, {{Request: "c"}}}
	require.Equal(t, map[capture.ID]string{"b": "A", "a": "B", "c": "C"}, Labels(waves))
}

func FuzzANotationRoundTrips(f *testing.F) {
	for _, s := range []string{"A!lost~2s B|C A#2!fresh? A.1+B.3!cut@200", "A!kill@50%", "C:A.1~1ns..2us", "A.0 B!slow@1h0m1s", "A~1.5h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		waves, err := ParseWaves(text, known)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.NoError(t, Scenario{Name: "x", Waves: waves}.Check())
		again, err := ParseWaves(Notate(waves, labelled), known)
		require.NoError(t, err)
		require.Equal(t, waves, again)
	})
}
