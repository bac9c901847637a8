package plan

import (
	"fmt"
	"strings"

	"anyhook.net/desktop/replay"
)

// spell writes a scenario in a line: spaces between waves, | within, what is
// done to a send behind it.
func spell(s replay.Scenario) string {
	waves := make([]string, len(s.Waves))
	for i, w := range s.Waves {
		sends := make([]string, len(w))
		for k, send := range w {
			sends[k] = spellSend(send)
		}
		waves[i] = strings.Join(sends, "|")
	}
	return s.Name + ": " + strings.Join(waves, " ")
}

func spellSend(s replay.Send) string {
	items := []string{string(s.Request)}
	if s.Items != nil {
		items = nil
	}
	for _, item := range s.Items {
		name := string(item.Request)
		if item.N > 0 {
			name += fmt.Sprintf(".%d", item.N)
		}
		items = append(items, name)
	}
	out := strings.Join(items, "+")
	if s.Wait.Min > 0 {
		out += "~" + s.Wait.Min.String()
	}
	for _, f := range s.Faults {
		out += "!" + string(f.Kind)
		if f.Share > 0 {
			out += fmt.Sprintf("@%d%%", f.Share)
		}
		if f.After > 0 {
			out += "@" + f.After.String()
		}
	}
	if s.Try > 0 {
		out += fmt.Sprintf("#%d", s.Try)
	}
	if s.Signing != replay.AsReceived {
		out += "!" + string(s.Signing)
	}
	if s.Retry {
		out += "?"
	}
	return out
}
