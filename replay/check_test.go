package replay

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAScenarioThatCannotBeCarriedOutSaysWhy(t *testing.T) {
	t.Parallel()
	with := func(change func(*Scenario)) Scenario {
		s := Scenario{Name: "n", Waves: []Wave{{{Request: "a"}}}}
		change(&s)
		return s
	}
	send := func(s Send) Scenario {
		s.Request = "a"
		return with(func(sc *Scenario) { sc.Waves = append(sc.Waves, Wave{{Request: "b"}, s}) })
	}
	fault := func(f Fault) Scenario { return send(Send{Faults: []Fault{f}}) }
	require.NoError(t, with(func(*Scenario) {}).Check())
	for want, s := range map[string]Scenario{
		"the scenario has no name":           with(func(s *Scenario) { s.Name = " " }),
		"one line of at most 200":            with(func(s *Scenario) { s.Name = strings.Repeat("n", 201) }),
		"the name of a scenario is one line": with(func(s *Scenario) { s.Name = "a\nb" }),
		"speed NaN: want 0 to":               with(func(s *Scenario) { s.Speed = math.NaN() }),
		"speed -1: want 0 to":                with(func(s *Scenario) { s.Speed = -1 }),
		"100001 waves: at most 100000":       with(func(s *Scenario) { s.Waves = slices.Repeat(s.Waves, MaxWaves+1) }),
		"101 expectations":                   with(func(s *Scenario) { s.Hold = make([]Expect, 101) }),
		"expectation 1: it has no URL":       with(func(s *Scenario) { s.Hold = make([]Expect, 1) }),
		"expectation 1: it is longer":        with(func(s *Scenario) { s.Hold = []Expect{{URL: "x", JQ: strings.Repeat("x", 10_001)}} }),
		"wave 2: 0 sends: want 1 to 64":      with(func(s *Scenario) { s.Waves = append(s.Waves, Wave{}) }),
		"wave 2: 65 sends":                   with(func(s *Scenario) { s.Waves = append(s.Waves, make(Wave, 65)) }),
		"send 1: it names no request":        with(func(s *Scenario) { s.Waves = []Wave{{{}}} }),
		`wave 2: send 2: "x" is no way`:      send(Send{Signing: "x"}),
		"it waits from 2s to 1s":             send(Send{Wait: Wait{2 * time.Second, time.Second}}),
		"it waits from -1s":                  send(Send{Wait: Wait{Min: -time.Second}}),
		"it waits from 168h0m0.000000001s":   send(Send{Wait: Wait{Min: MaxWait + 1}}),
		"attempt number -1":                  send(Send{Try: -1}),
		"a batch of 0":                       send(Send{Items: []Item{}}),
		"a batch of 1001":                    send(Send{Items: make([]Item, 1001)}),
		`event 1 of request ""`:              send(Send{Items: []Item{{N: 1}}}),
		"event -1 of request":                send(Send{Items: []Item{{"a", -1}}}),
		`fault "lost" is there twice`:        send(Send{Faults: []Fault{{Kind: LostAnswer}, {Kind: LostAnswer}}}),
		`"x" is no fault`:                    fault(Fault{Kind: "x"}),
		`fault "lost" has what it has no`:    fault(Fault{Kind: LostAnswer, After: 1}),
		`fault "cut" has what it has no`:     fault(Fault{Kind: CutRequest, Share: 1}),
		`fault "kill" has what it has no`:    fault(Fault{Kind: Kill, Point: AfterHead, After: 1}),
		`fault "hangup" has what it has no`:  fault(Fault{Kind: HangUp, Point: AfterHead}),
		`fault "kill": "x" is no point`:      fault(Fault{Kind: Kill, Point: "x"}),
		`fault "cut" after -1 bytes`:         fault(Fault{Kind: CutRequest, Bytes: -1}),
		`fault "slow" for 0s`:                fault(Fault{Kind: Slow}),
		`fault "hangup" for -1ns`:            fault(Fault{Kind: HangUp, After: -1}),
		`fault "kill" at 1001%`:              fault(Fault{Kind: Kill, Share: 1001}),
		`fault "kill" at 50%: want 1 to`:     fault(Fault{Kind: Kill, Share: 50, After: 1}),
	} {
		require.ErrorContains(t, s.Check(), want)
	}
}
