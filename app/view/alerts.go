package view

import (
	"slices"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/tunnel"
)

// An AlertKind says what an alert is about.
type AlertKind string

// The kinds.
const (
	AlertFailing    AlertKind = "failing"     // a target failed Count times in a row: 1, 5 or 20
	AlertBack       AlertKind = "back"        // a target listens again
	AlertTunnelLost AlertKind = "tunnel-lost" // no longer online
	AlertTunnelBack AlertKind = "tunnel-back"
)

// An Alert is what deserves a notification.
type Alert struct {
	Kind     AlertKind
	Endpoint string
	Target   string
	Count    int // failures in a row
}

// steps are the failures in a row that are told; nothing between them is.
var steps = []int{1, 5, 20}

// Alerts compares two statuses and returns what deserves to be told.
func Alerts(before, after Status) []Alert {
	var out []Alert
	for _, now := range after.Targets {
		i := slices.IndexFunc(before.Targets, func(t TargetStatus) bool { return t.Endpoint == now.Endpoint && t.Target == now.Target })
		if i < 0 || now.Target == "" {
			continue
		}
		was := before.Targets[i]
		for _, step := range slices.Backward(steps) {
			if was.Failures < step && now.Failures >= step {
				out = append(out, Alert{AlertFailing, now.Endpoint, now.Target, step})
				break
			}
		}
		silent := !was.Listening && !was.Since.IsZero() // and not just unknown
		if missed := was.Failures > 0 || before.Waiting > 0; missed && silent && now.Listening {
			out = append(out, Alert{Kind: AlertBack, Endpoint: now.Endpoint, Target: now.Target})
		}
	}
	was, is := before.Tunnel.Phase == tunnel.Online, after.Tunnel.Phase == tunnel.Online
	switch {
	case was && !is && after.Choice.Kind != "none":
		out = append(out, Alert{Kind: AlertTunnelLost})
	case !was && is && before.Tunnel.Phase == tunnel.Reconnecting:
		out = append(out, Alert{Kind: AlertTunnelBack})
	}
	return out
}

// Mark puts an alert in words.
func (a Alert) Mark() Mark {
	switch a.Kind {
	case AlertFailing:
		return Mark{Tone: Bad, Text: text.N("alert.failing", int64(a.Count), Clean(a.Target, 120))}
	case AlertBack:
		return Mark{Tone: Good, Text: text.T("alert.back", Clean(a.Target, 120))}
	case AlertTunnelLost:
		return Mark{Tone: Bad, Text: text.T("alert.tunnel-lost")}
	default:
		return Mark{Tone: Good, Text: text.T("alert.tunnel-back")}
	}
}

// Chips is the filter that shows what an alert is about.
func (a Alert) Chips() Chips {
	if a.Kind == AlertFailing {
		return Chips{Outcome: "failed"}
	}
	return Chips{}
}
