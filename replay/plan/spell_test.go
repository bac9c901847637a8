package plan

import (
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// spell writes a scenario in a line, as people read it.
func spell(s replay.Scenario) string {
	return s.Name + ": " + replay.Notate(s.Waves, func(id capture.ID) string { return string(id) })
}
