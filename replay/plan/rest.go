package plan

import (
	"slices"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// Rest is what is left of s after its first done waves: what a run did not get
// to. attempts are those of that run; a retry of what was acknowledged then is
// left out. Random waits come out as they would have in s.
func Rest(s replay.Scenario, done int, attempts ...replay.Attempt) replay.Scenario {
	done = min(max(done, 0), len(s.Waves))
	acked := acknowledged(s, done, attempts)
	rest := s
	rest.Waves = make([]replay.Wave, 0, len(s.Waves)-done)
	for i, wave := range s.Waves[done:] {
		left := make(replay.Wave, 0, len(wave))
		for k, send := range wave {
			send.Wait = replay.Wait{Min: send.Wait.At(s.Seed, replay.Place{Wave: done + i + 1, Send: k + 1})}
			if !send.Retry || !acked[send.Request] {
				left = append(left, send)
			}
		}
		if len(left) > 0 {
			rest.Waves = append(rest.Waves, slices.Clip(left))
		}
	}
	return rest
}

// acknowledged are the requests that s asks for of which a send of its first
// done waves was acknowledged.
func acknowledged(s replay.Scenario, done int, attempts []replay.Attempt) map[capture.ID]bool {
	acked := map[capture.ID]bool{}
	for _, a := range attempts {
		w, k := a.Place.Wave-1, a.Place.Send-1
		if w >= 0 && w < done && k >= 0 && k < len(s.Waves[w]) && a.Acknowledged() {
			acked[s.Waves[w][k].Request] = true
		}
	}
	return acked
}
