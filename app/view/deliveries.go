package view

import (
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// An AttemptView is one delivery, ready to be drawn.
type AttemptView struct {
	Title    string // "Attempt 2 · replay, re-signed"
	Time     string
	Target   string
	Verdict  Mark
	Took     string
	UnderWay bool   // it has no end yet
	What     string // what went wrong and where; "" when nothing did
	Bars     []Phase
	Head     Headers // of the answer
	Answer   Body
	Hint     string // what to try; "" when there is nothing to say
	Fix      Fix
}

// A Phase is a part of the timing bar.
type Phase struct {
	Name     string
	From, To float64 // of the whole, 0 to 1
	Took     string
}

// ViewAttempt formats a. status is the worth of the request's signature, ep its endpoint.
func ViewAttempt(a replay.Attempt, status capture.Status, ep capture.Endpoint, clock Clock) AttemptView {
	v := AttemptView{
		Title: attemptTitle(a), Time: clock.Write(a.Start), Target: Clean(a.Target, 500), Took: Took(a.Took),
		Verdict: attemptMark(a), What: trouble(a), Bars: phases(a),
		Answer: AnswerOf(a.Outcome),
	}
	v.UnderWay = a.Outcome.Status == 0 && a.Outcome.Failure == ""
	if a.Took == 0 && v.UnderWay {
		v.Took = ""
	}
	if len(a.Outcome.Head) > 0 {
		v.Head = HeadersOf(capture.Head(a.Outcome.Head), false)
	}
	v.Hint, v.Fix = hint(a, status, ep)
	return v
}

func attemptTitle(a replay.Attempt) string {
	title := text.T("attempt.title", strconv.Itoa(a.N))
	switch {
	case a.Replay && a.Signing == replay.Fresh:
		title += " · " + text.T("attempt.replay.fresh")
	case a.Replay && a.Signing.Wrong():
		title += " · " + text.T("attempt.replay") + " · " + SigningWord(a.Signing)
	case a.Replay:
		title += " · " + text.T("attempt.replay")
	default:
		title += " · " + text.T("attempt.live")
	}
	return title
}

func attemptMark(a replay.Attempt) Mark {
	o := a.Outcome
	switch {
	case o.Status == 0 && o.Failure == "":
		return Mark{Tone: Busy, Text: text.T("attempt.under-way")}
	case o.OK() && o.Failure != "":
		return Mark{Tone: Warn, Text: strconv.Itoa(o.Status) + " · " + FailureWord(o.Failure)}
	case o.OK():
		return Mark{Tone: Good, Text: strconv.Itoa(o.Status)}
	case o.Status != 0 && o.Failure != "":
		return Mark{Tone: Bad, Text: strconv.Itoa(o.Status) + " · " + FailureWord(o.Failure)}
	case o.Status != 0:
		return Mark{Tone: Bad, Text: strconv.Itoa(o.Status)}
	}
	return Mark{Tone: Bad, Text: FailureWord(o.Failure)}
}

// trouble says what went wrong, in which phase, and what the system said.
func trouble(a replay.Attempt) string {
	o := a.Outcome
	if o.Failure == "" {
		return ""
	}
	s := text.Or("failure.long."+string(o.Failure), FailureWord(o.Failure))
	if o.Failure == replay.Timeout {
		s = text.T("failure.long.timeout.after", Took(a.Took))
	}
	if o.Phase != "" {
		s += " " + text.T("failure.phase", text.Or("phase."+string(o.Phase), string(o.Phase)))
	}
	if o.Detail != "" {
		s += " " + Clean(o.Detail, 500)
	}
	return s
}

// phases cuts the time of an attempt into its parts.
func phases(a replay.Attempt) []Phase {
	t := a.Outcome.Timing
	total := max(a.Took, t.Done)
	if total <= 0 {
		return nil
	}
	var out []Phase
	from := time.Duration(0)
	add := func(name replay.Phase, to time.Duration) {
		if to <= from {
			return
		}
		out = append(out, Phase{
			Name: text.T("phase." + string(name)),
			From: float64(from) / float64(total), To: float64(to) / float64(total), Took: Took(to - from),
		})
		from = to
	}
	add(replay.Dialing, t.Dial)
	add(replay.Handshake, t.TLS)
	add(replay.Writing, t.Written)
	add(replay.Waiting, t.FirstByte)
	add(replay.Reading, t.Done)
	if from < total && a.Outcome.Phase != "" {
		add(a.Outcome.Phase, total)
	}
	return out
}

// AnswerOf is the body of an answer.
func AnswerOf(o replay.Outcome) Body {
	b := Body{Bytes: o.Body, Header: capture.Head(o.Head).Header()}
	if o.BodySize > int64(len(o.Body)) {
		b.Cut = o.BodySize
	}
	return b
}

// Standing in words for the summary: what became of a request at the handler.
func delivered(as []replay.Attempt, st replay.Standing, r *capture.Request) string {
	if len(as) == 0 {
		return notTried(st, r)
	}
	last := as[len(as)-1]
	failed := 0
	for _, a := range as {
		if a.Outcome.Status != 0 && !a.Outcome.OK() || a.Outcome.Failure != "" && !a.Outcome.OK() {
			failed++
		}
	}
	how := attemptMark(last).Text
	switch {
	case last.Outcome.OK() && len(as) == 1:
		return text.T("summary.delivered.once", Clean(last.Target, 200), how, Took(last.Took))
	case last.Outcome.OK() && failed == 0:
		return text.N("summary.delivered.all", int64(len(as)), Clean(last.Target, 200), how)
	case last.Outcome.OK():
		return text.N("summary.delivered.after", int64(len(as)), Clean(last.Target, 200), how, text.Number(int64(failed)))
	case last.Outcome.Status == 0 && last.Outcome.Failure == "":
		return text.T("summary.delivered.now", Clean(last.Target, 200))
	case last.Outcome.Status != 0:
		return text.N("summary.delivered.refused", int64(len(as)), Clean(last.Target, 200), how)
	}
	return text.N("summary.delivered.not", int64(len(as)), Clean(last.Target, 200), how)
}

func notTried(st replay.Standing, r *capture.Request) string {
	switch {
	case r.Kind == capture.Handshake && strings.Contains(r.Note, capture.NotePassed):
		return text.T("summary.not.passed")
	case r.Kind == capture.Handshake:
		return text.T("summary.not.handshake")
	case r.Kind == capture.Other:
		return text.T("summary.not.other")
	case !r.Kind.Replayable() && r.Kind != "":
		return text.T("summary.not.broken")
	case st.Progress == replay.Queued || st.Progress == replay.Retrying:
		return text.T("summary.not.waiting")
	case r.Kind == capture.Made:
		return text.T("summary.not.made")
	case r.Kind == capture.Imported:
		return text.T("summary.not.imported")
	case r.Answered >= 400:
		return text.T("summary.not.refused", strconv.Itoa(r.Answered))
	}
	return text.T("summary.not.kept")
}
