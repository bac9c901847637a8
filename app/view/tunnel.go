package view

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/tunnel"
)

// A TunnelPanel tells how the way in is doing.
type TunnelPanel struct {
	State   Mark
	Since   string
	Latency string
	Error   string // what happened
	Advice  string // what to do about it
	Said    string // the words of the error itself, and whose they are; "" if they say no more
	Note    string // what to do where nothing is wrong; "" for nothing
	Facts   []Fact
}

// ViewTunnel is the panel for a status.
func ViewTunnel(s Status, clock Clock) TunnelPanel {
	p := TunnelPanel{State: tunnelMark(s)}
	if !s.Tunnel.Since.IsZero() && (s.Tunnel.Phase != tunnel.Online || untested(s)) {
		p.Since = text.T("tunnel.since", clock.Write(s.Tunnel.Since))
	} else if !s.Tunnel.Since.IsZero() {
		p.Since = text.T("tunnel.since.online", clock.Write(s.Tunnel.Since))
	}
	if s.Tunnel.Latency > 0 {
		p.Latency = text.T("tunnel.latency", Took(s.Tunnel.Latency))
	}
	if s.Tunnel.Err != nil {
		p.Error, p.Advice = advice(s.Tunnel.Err)
		if said := Clean(s.Tunnel.Err.Error(), 400); said != p.Error {
			p.Said = saidBy(s.Tunnel.Err, said)
		}
	}
	if untested(s) {
		p.Note = text.T("tunnel.untested.text")
	}
	p.Facts = []Fact{{Name: text.T("tunnel.url.public"), Value: s.PublicURL}, {Name: text.T("tunnel.url.local"), Value: s.LocalURL}}
	return p
}

// untested reports whether nobody knows yet that the user's own public URL leads here.
func untested(s Status) bool {
	return s.Tunnel.Phase == tunnel.Online && s.Tunnel.Backend == (*tunnel.Own)(nil).Name() && !s.Tested
}

// saidBy tells whose words an error is: the service has a code for what it
// refuses, all else was seen on this machine.
func saidBy(err error, said string) string {
	if e, ok := errors.AsType[*tunnel.Error](err); ok && (e.Code != "" || e.Advice == "refused") {
		return text.T("tunnel.said", said)
	}
	return text.T("tunnel.said.here", said)
}

// advice says what happened to the tunnel and what to do about it, in the
// user's language where a translator knew of it.
func advice(err error) (what, do string) {
	e, ok := errors.AsType[*tunnel.Error](err)
	if !ok {
		return Clean(err.Error(), 400), text.T("tunnel.advice.network")
	}
	fallback := text.T("tunnel.advice.retry")
	if e.Fatal {
		fallback = text.T("tunnel.advice.fatal")
	}
	what = text.Or("tunnel.what."+e.Advice, firstOf(e.What, Clean(e.Error(), 400)))
	return what, text.Or("tunnel.do."+e.Advice, firstOf(e.Do, fallback))
}

// ErrorText is an error in a sentence or two.
func ErrorText(err error) string {
	if e, ok := errors.AsType[*tunnel.Error](err); ok && e.Advice != "" {
		what, do := advice(err)
		return what + " " + do
	}
	return Clean(err.Error(), 300)
}

// A NotReached says why what is sent to the public URL does not arrive here.
type NotReached struct {
	URL, LocalURL string // URL "": there is none
	Arrived       bool   // it does arrive here, but the answer does not get back
	Status        int    // of what answered instead; 0 if nothing did
	Err           error  // why nothing answered, or who did instead; may be nil
}

// Error implements error.
func (e *NotReached) Error() string {
	switch {
	case e.URL == "":
		return "there is no public URL to test"
	case e.Arrived && e.Status == 0:
		return fmt.Sprintf("what is sent to %s arrives here, but nothing comes back: %v", e.URL, e.Err)
	case e.Arrived:
		return fmt.Sprintf("what is sent to %s arrives here, but the sender is answered %d", e.URL, e.Status)
	case e.Status == 0:
		return fmt.Sprintf("nothing answers at %s: %v", e.URL, e.Err)
	}
	return fmt.Sprintf("%s answers %d, but what is sent there does not arrive here: does it lead to %s?", e.URL, e.Status, e.LocalURL)
}

// Unwrap returns the reason.
func (e *NotReached) Unwrap() error { return e.Err }

// TestResult puts in a sentence what [Tunnels.TestURL] returned.
func TestResult(err error) Mark {
	e, ok := errors.AsType[*NotReached](err)
	switch {
	case err == nil:
		return Mark{Tone: Good, Text: text.T("tunnel.test.ok")}
	case errors.Is(err, context.Canceled):
		return Mark{Tone: Muted, Text: text.T("tunnel.test.stopped")}
	case !ok || tunnel.Advice(err) != "":
		return Mark{Tone: Bad, Text: ErrorText(err)}
	case e.URL == "":
		return Mark{Tone: Warn, Text: text.T("tunnel.test.none")}
	case e.Arrived && e.Status == 0:
		return Mark{Tone: Warn, Text: text.T("tunnel.test.unanswered", Clean(errorText(e.Err), 200))}
	case e.Arrived:
		return Mark{Tone: Warn, Text: text.T("tunnel.test.otherwise", strconv.Itoa(e.Status))}
	case e.Status == 0:
		return Mark{Tone: Bad, Text: text.T("tunnel.test.silent", e.URL, Clean(errorText(e.Err), 200))}
	}
	return Mark{Tone: Bad, Text: text.T("tunnel.test.elsewhere", e.URL, strconv.Itoa(e.Status), e.LocalURL)}
}

// CheckURL says what is wrong with a public URL that the user has already; nil for nothing.
func CheckURL(raw string) error {
	if _, err := tunnel.ParseURL(raw); err != nil {
		return errors.New(text.T("tunnel.own.bad"))
	}
	return nil
}

// A TunnelHistory remembers the states that the tunnel went through. The zero value is ready.
type TunnelHistory struct {
	states []noted // newest first
}

// A noted is a state of the tunnel, and when it was seen.
type noted struct {
	at time.Time
	s  Status
}

const maxHistory = 50

// Note remembers the state of s if it is another one than before, and returns
// whether it was. Only one goroutine may call it.
func (h *TunnelHistory) Note(s Status, now time.Time) bool {
	t := s.Tunnel
	if len(h.states) > 0 {
		last := h.states[0].s.Tunnel
		if t.Phase == last.Phase && t.URL == last.URL && errorText(t.Err) == errorText(last.Err) && s.Tested == h.states[0].s.Tested {
			return false
		}
	}
	h.states = append([]noted{{now, Status{Tunnel: t, Choice: s.Choice, Tested: s.Tested}}}, h.states...)
	h.states = h.states[:min(len(h.states), maxHistory)]
	return true
}

// Lines returns what happened, newest first: the time, and the state.
func (h *TunnelHistory) Lines(clock Clock) []Fact {
	out := make([]Fact, len(h.states))
	for i, n := range h.states {
		line, t := tunnelMark(n.s).Text, n.s.Tunnel
		if t.Err != nil {
			what, _ := advice(t.Err)
			line += " · " + what
		} else if t.Phase == tunnel.Online && t.URL != "" {
			line += " · " + t.URL
		}
		out[i] = Fact{Name: clock.Write(n.at), Value: line}
	}
	return out
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
