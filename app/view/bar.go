package view

import (
	"slices"
	"strings"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/tunnel"
)

// A Bar is the top line of the window.
type Bar struct {
	Tunnel   Mark   // "Online"
	URL      string // where providers send to: the public URL, or the local one
	Public   bool   // the URL is reachable from outside
	Target   string // "http://localhost:3000"; "" when nothing is forwarded
	Handler  Mark   // "listening"
	More     string // "+2 more" targets; "" for none
	Waiting  string // "12 waiting"; "" for none
	Paused   bool
	Practice bool
	Trouble  []Notice // what a person has to know before anything else
}

// ViewBar is the top line for a status.
func ViewBar(s Status) Bar {
	b := Bar{Tunnel: tunnelMark(s), URL: firstOf(s.PublicURL, s.LocalURL), Public: s.PublicURL != "", Paused: s.Paused, Practice: s.Practice != ""}
	var targets []TargetStatus
	for _, t := range s.Targets {
		if t.Target != "" {
			targets = append(targets, t)
		}
	}
	targets = distinct(targets)
	if len(targets) > 0 {
		b.Target, b.Handler = targets[0].Target, handlerMark(targets[0])
	}
	if len(targets) > 1 {
		b.More = text.T("bar.more", text.Number(int64(len(targets)-1)))
	}
	if len(targets) == 0 {
		b.Handler = Mark{Tone: Muted, Text: text.T("bar.notarget")}
	}
	if s.Waiting > 0 {
		b.Waiting = text.N("bar.waiting", int64(s.Waiting))
	}
	b.Trouble = statusNotices(s)
	return b
}

// distinct leaves one status for each target, those with trouble first: what
// needs a person's attention is not hidden behind a number.
func distinct(all []TargetStatus) []TargetStatus {
	var out []TargetStatus
	for _, t := range all {
		if !slices.ContainsFunc(out, func(o TargetStatus) bool { return o.Target == t.Target }) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b TargetStatus) int { return silence(a) - silence(b) })
	return out
}

// silence is 0 for a target known not to listen, and 1 for all others.
func silence(t TargetStatus) int {
	if !t.Listening && !t.Since.IsZero() {
		return 0
	}
	return 1
}

// practiceMark tells what the practice handler did, which is what it is there for.
func practiceMark(s Status) Mark {
	switch {
	case s.Twice > 0:
		return Mark{Tone: Bad, Text: text.N("practice.twice", int64(s.Twice), text.Number(int64(s.Charged)))}
	case s.Charged > 0:
		return Mark{Tone: Good, Text: text.N("practice.good", int64(s.Charged))}
	}
	return Mark{Tone: Busy, Text: text.T("practice.on")}
}

func tunnelMark(s Status) Mark {
	switch s.Tunnel.Phase {
	case tunnel.Online:
		if untested(s) {
			return Mark{Tone: Muted, Text: text.T("tunnel.untested")}
		}
		return Mark{Tone: Good, Text: text.T("tunnel.online")}
	case tunnel.Connecting:
		return Mark{Tone: Busy, Text: text.T("tunnel.connecting")}
	case tunnel.Reconnecting:
		return Mark{Tone: Warn, Text: text.T("tunnel.reconnecting")}
	case tunnel.Offline:
	}
	if s.Choice.Kind == "" || s.Choice.Kind == "none" {
		return Mark{Tone: Muted, Text: text.T("tunnel.none")}
	}
	return Mark{Tone: Bad, Text: text.T("tunnel.offline")}
}

func handlerMark(t TargetStatus) Mark {
	switch {
	case t.Listening && t.Failures > 0:
		return Mark{Tone: Warn, Text: text.N("target.failing", int64(t.Failures))}
	case t.Listening:
		return Mark{Tone: Good, Text: text.T("target.listening")}
	}
	return Mark{Tone: Bad, Text: text.T("target.silent")}
}

// StatusLine is the bottom line of the window.
func StatusLine(s Status) string {
	parts := []string{text.N("status.requests", int64(s.Requests))}
	if s.Failing > 0 {
		parts = append(parts, text.N("status.failing", int64(s.Failing)))
	}
	parts = append(parts, text.Size(s.FileSize))
	if s.Practice != "" && s.Twice > 0 {
		parts = append(parts, text.N("status.twice", int64(s.Twice)))
	}
	if s.Paused {
		parts = append(parts, text.T("status.paused"))
	}
	return strings.Join(parts, " · ")
}

// TokenPlace says where secrets are kept.
func TokenPlace(s Status) string {
	if s.TokenIn == "keychain" {
		return text.T("settings.keychain")
	}
	return text.T("settings.file", s.TokenIn)
}
