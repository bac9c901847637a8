package ui

import (
	"context"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A runStrip shows the newest run: how far it is, and how it ended.
type runStrip struct {
	w      *Window
	box    *fyne.Container
	chip   *look.Chip
	title  *widget.Label
	sums   *widget.Label
	bar    *widget.ProgressBar
	cancel *look.Button
	close  *look.Button
	notes  *fyne.Container
	shown  []view.Notice
}

func newRunStrip(w *Window) *runStrip {
	r := &runStrip{w: w, chip: look.NewChip(look.Badge{}), title: line(""), sums: line(""), bar: widget.NewProgressBar()}
	r.title.TextStyle.Bold = true
	r.sums.Importance = widget.LowImportance
	r.bar.TextFormatter = func() string { return "" }
	r.cancel = w.button("cancel", text.T("run.cancel"))
	r.close = look.NewIconButton(theme.CancelIcon(), text.T("run.dismiss"), w.runs.Dismiss)
	r.notes = container.NewVBox()
	words := container.NewGridWithColumns(2, r.title, r.sums)
	r.box = container.NewVBox(widget.NewSeparator(), r.notes, container.NewPadded(container.NewBorder(nil, nil,
		container.NewHBox(gap(4, 0), container.NewCenter(r.chip)),
		container.NewHBox(container.NewCenter(least(r.bar, 120, 10)), r.cancel, r.close), words)))
	r.box.Hide()
	r.draw()
	return r
}

func (r *runStrip) running() bool {
	all := r.w.runs.All()
	return len(all) > 0 && all[0].Running
}

func (r *runStrip) draw() {
	if r == nil {
		return
	}
	all := r.w.runs.All()
	if len(all) == 0 {
		if visible(r.box, false) {
			relay(r.w.inbox.foot, r.w.inbox.box)
		}
		return
	}
	r.w.drawCommands()
	v := all[0]
	r.chip.Set(badge(v.Verdict))
	setText(r.title, v.Title)
	setText(r.sums, v.Text)
	if r.bar.Value != v.Fraction {
		r.bar.SetValue(v.Fraction)
	}
	changed := visible(r.bar, v.Running)
	changed = visible(r.cancel, v.Running) || changed
	changed = visible(r.close, !v.Running) || changed
	changed = visible(r.box, true) || changed
	changed = r.tell(v.Notices) || changed
	if changed {
		r.box.Refresh()
		relay(r.w.inbox.foot, r.w.inbox.box)
	}
}

// tell shows what is to be known of a run, and reports whether that was a change.
func (r *runStrip) tell(notices []view.Notice) bool {
	if slices.EqualFunc(notices, r.shown, view.Notice.Equal) {
		return false
	}
	r.shown, r.notes.Objects = notices, nil
	for _, n := range notices {
		r.notes.Add(r.w.notice(n))
	}
	r.notes.Refresh()
	return true
}

// replay sends the selection again, in a way that needs no more questions.
func (w *Window) replay(way view.Way) { w.replaySeqs(way, w.inbox.seqs(), 2) }

// replaySeqs plans, asks once if something leaves this machine, and runs.
func (w *Window) replaySeqs(way view.Way, seqs []capture.Seq, copies int) {
	w.replaySigned(way, seqs, copies, replay.AsReceived)
}

// replaySigned is replaySeqs with a signature of the user's choice.
func (w *Window) replaySigned(way view.Way, seqs []capture.Seq, copies int, signing replay.Signing) {
	start(w, func(ctx context.Context) (view.Plan, error) {
		p := w.planner()
		p.Signing = signing
		return p.Plan(ctx, way, seqs, copies)
	}, func(p view.Plan, err error) {
		if err != nil {
			w.fail(err)
			return
		}
		if p.Scenario.Sends() == 0 { // else the run tells them
			for _, n := range p.Notes {
				w.frame.Say(look.Message{Badge: badge(view.Mark{Tone: n.Tone}), Text: n.Text})
			}
			return
		}
		if p.Away == 0 {
			w.run(p)
			return
		}
		look.Ask(w.win.Canvas(), look.Question{
			Title: p.Title, Text: text.N("plan.ask", int64(p.Away)), Do: text.T("plan.ask.do"), Cancel: text.T("cancel"),
		}, func() { w.run(p) })
	})
}

func (w *Window) planner() view.Planner { return view.Planner{Desk: w.desk, Clock: w.clock} }

// run carries out a plan beside the window.
func (w *Window) run(p view.Plan) {
	start(w, func(ctx context.Context) (replay.Run, error) { return w.runs.Do(ctx, p, "") }, func(replay.Run, error) {
		w.inbox.draw()
		w.drawCommands()
	})
}

// openCopies asks how many copies of each selected request go out at the same moment.
func (w *Window) openCopies() {
	seqs := w.inbox.seqs()
	var signing replay.Signing
	count := w.inbox.input("8", "8")
	send := look.NewMainButton(text.T("copies.send"), "", func() {
		w.inbox.closePanel()
		w.replaySigned(view.AtOnce, seqs, number(count.Text, 2, view.MostAtOnce, 2), signing)
	})
	count.OnChanged = func(s string) {
		if number(s, 2, view.MostAtOnce, 0) == 0 {
			send.Disable()
		} else {
			send.Enable()
		}
	}
	count.OnSubmitted = func(string) { send.Tapped(nil) }
	w.inbox.openPanel(&panel{name: "copies", focus: count}, text.T("cmd.copies"), scroll(container.NewVBox(
		muted(text.T("copies.text", text.Number(view.MostAtOnce))), field(text.T("copies.count"), count, nil), w.signings(&signing), container.NewHBox(send))))
}

// number reads a whole number within limits; fallback when it is none.
func number(s string, least, most, fallback int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < least || n > most {
		return fallback
	}
	return n
}
