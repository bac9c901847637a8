package view

import (
	"context"
	"errors"
	"slices"
	"sync"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/replay"
)

// keptRuns is how many runs that ended are shown.
const keptRuns = 20

// Runs carries out plans and knows how far they are. It may be used from any goroutine.
type Runs struct {
	Desk    Desk
	Changed func() // called from any goroutine

	mu  sync.Mutex
	all []*run // newest first
}

type run struct {
	title   string
	notes   []Notice
	total   int
	last    replay.Run
	err     error
	running bool
	cancel  context.CancelFunc
}

// A RunView is a run, ready to be drawn.
type RunView struct {
	Title    string
	Text     string   // "3 of 10 sent · 2 taken · 1 failed"
	Notices  []Notice // what was foretold, and what the practice handler made of it
	Verdict  Mark
	Fraction float64
	Running  bool
	Cancel   context.CancelFunc
}

// Do carries out a plan and returns when it ended. target "" means each
// request's own endpoint's.
func (rs *Runs) Do(ctx context.Context, p Plan, target string) (replay.Run, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{title: p.Title, notes: p.Notes, total: p.Scenario.Sends(), running: true, cancel: cancel}
	rs.mu.Lock()
	rs.all = append([]*run{r}, rs.all...)
	rs.trim()
	rs.mu.Unlock()
	rs.Changed()
	done, err := rs.Desk.Replay(ctx, p.Scenario, target, func(now replay.Run) {
		rs.mu.Lock()
		if now.Sent+now.Skipped >= r.last.Sent+r.last.Skipped { // told from several goroutines
			r.last = now
		}
		rs.mu.Unlock()
		rs.Changed()
	})
	rs.mu.Lock()
	r.last, r.err, r.running = done, err, false
	rs.mu.Unlock()
	rs.Changed()
	return done, err
}

// trim forgets the oldest runs that ended.
func (rs *Runs) trim() {
	for i := len(rs.all) - 1; i >= 0 && len(rs.all) > keptRuns; i-- {
		if !rs.all[i].running {
			rs.all = slices.Delete(rs.all, i, i+1)
		}
	}
}

// All returns the runs, newest first.
func (rs *Runs) All() []RunView {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	out := make([]RunView, len(rs.all))
	practice := rs.Desk.Status().Practice != ""
	for i, r := range rs.all {
		out[i] = r.view(practice)
	}
	return out
}

// Cancel ends what runs.
func (rs *Runs) Cancel() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, r := range rs.all {
		r.cancel()
	}
}

// Dismiss forgets what ended.
func (rs *Runs) Dismiss() {
	rs.mu.Lock()
	rs.all = slices.DeleteFunc(rs.all, func(r *run) bool { return !r.running })
	rs.mu.Unlock()
	rs.Changed()
}

// view tells of r; practice is whether there is a practice handler to look at.
func (r *run) view(practice bool) RunView {
	v := RunView{Title: r.title, Running: r.running, Cancel: r.cancel}
	done := r.last.Sent + r.last.Skipped
	if r.total > 0 {
		v.Fraction = float64(done) / float64(r.total)
	}
	v.Notices = slices.Clone(r.notes)
	if p := r.last.Practice; p != nil {
		n := Notice{Mark: practised(*p)}
		if practice {
			n.Commands = []string{"shop"}
		}
		v.Notices = append(v.Notices, n)
	}
	n := func(i int) string { return text.Number(int64(i)) }
	v.Text = text.T("run.sums", n(r.last.Sent), n(r.total), n(r.last.OK), n(r.last.Failed))
	if r.last.Skipped > 0 {
		v.Text += " · " + text.T("run.skipped", n(r.last.Skipped))
	}
	for _, s := range r.last.Spread {
		if s > 0 {
			v.Text += " · " + text.T("run.spread", Took(slices.Max(r.last.Spread)))
			break
		}
	}
	v.Verdict = r.verdict()
	if r.err != nil && !errors.Is(r.err, context.Canceled) {
		v.Text += " · " + Clean(r.err.Error(), 300)
	} else if r.last.Err != "" && r.last.Err != replay.Stopped {
		v.Text += " · " + Clean(r.last.Err, 300)
	}
	return v
}

// practised tells under a run what the practice handler made of it when it ended.
func practised(p replay.Practised) Mark {
	if p.Twice > 0 {
		return Mark{Tone: Bad, Text: text.N("practice.run.twice", int64(p.Twice))}
	}
	return Mark{Tone: Good, Text: text.T("practice.run.good")}
}

func (r *run) verdict() Mark {
	switch {
	case r.running:
		return Mark{Tone: Busy, Text: text.T("run.running")}
	case errors.Is(r.err, context.Canceled) || r.err == nil && r.last.Err == replay.Stopped:
		return Mark{Tone: Warn, Text: text.T("run.stopped")}
	case r.err != nil || r.last.Err != "":
		return Mark{Tone: Bad, Text: text.T("run.broke")}
	case r.last.Failed > 0:
		return Mark{Tone: Bad, Text: text.T("run.failed")}
	case r.last.Skipped > 0:
		return Mark{Tone: Warn, Text: text.T("run.unsent")}
	}
	return Mark{Tone: Good, Text: text.T("run.ok")}
}
