package view

import (
	"context"
	"strconv"

	"anyhook.net/desktop/app/text"
)

// Dialled is who listens.
type Dialled struct {
	Target Mark     // "listening"; without text for no target
	Note   string   // what can be done when nobody listens; "" when somebody does
	Others []string // targets of this machine where somebody listens, when nobody does at the target
}

// Dial looks whether somebody listens at a target, and if not, where else on this machine.
func Dial(ctx context.Context, desk Desk, target string) Dialled {
	if target != "" && desk.Listening(ctx, target) {
		return Dialled{Target: Mark{Tone: Good, Text: text.T("target.listening")}}
	}
	d := Dialled{Note: text.T("target.ports.none")}
	for _, port := range desk.OpenPorts(ctx) {
		d.Others = append(d.Others, "http://localhost:"+strconv.Itoa(port))
		d.Note = text.T("target.ports")
	}
	if target != "" {
		d.Target = Mark{Tone: Warn, Text: text.T("target.silent")}
	}
	return d
}
