package ui

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A rangePanel replays what arrived in a time range, after saying what that is.
type rangePanel struct {
	w            *Window
	since, until *look.Input
	wrong        *look.Words
	count        *look.Words
	box          *fyne.Container
	edges        *look.Words
	signing      replay.Signing
	send         *look.Button
	preview      view.Preview
	asked        int
}

func (w *Window) openRange() {
	now := w.o.Now()
	p := &rangePanel{w: w, wrong: problem(), count: look.NewText("", look.Plain), edges: muted("")}
	p.count.TextStyle.Bold = true
	p.since = w.inbox.input(text.T("range.since.hint"), w.clock.Edit(now.Add(-time.Hour)))
	p.until = w.inbox.input(text.T("range.until.hint"), "now")
	p.since.OnChanged = func(string) { p.look() }
	p.until.OnChanged = func(string) { p.look() }
	p.send = look.NewMainButton(text.T("range.send"), "", p.run)
	p.send.Disable()
	p.box = container.NewVBox(
		muted(text.T("range.text")),
		field(text.T("range.from"), p.since, nil), field(text.T("range.to"), p.until, p.wrong),
		look.NewSection(text.T("range.preview")), p.count, p.edges, w.signings(&p.signing), container.NewHBox(p.send))
	w.inbox.openPanel(&panel{name: "range", focus: p.since}, text.T("cmd.range"), scroll(p.box))
	p.look()
}

// look counts again.
func (p *rangePanel) look() {
	p.asked++
	asked := p.asked
	p.send.Disable()
	r, err := p.w.clock.ParseRange(p.since.Text, p.until.Text)
	if err != nil {
		setProblem(p.wrong, err.Error())
		setText(p.count, "")
		setText(p.edges, "")
		return
	}
	setProblem(p.wrong, "")
	start(p.w, func(ctx context.Context) (view.Preview, error) { return p.w.planner().Preview(ctx, r) }, func(v view.Preview, err error) {
		switch {
		case asked != p.asked:
		case err != nil:
			p.w.fail(err)
		default:
			p.preview = v
			setText(p.count, v.Count)
			setText(p.edges, v.Edges[0]+"\n"+v.Edges[1])
			relay(p.box)
			if len(v.Seqs) > 0 {
				p.send.Enable()
			}
		}
	})
}

func (p *rangePanel) run() {
	p.w.inbox.closePanel()
	p.w.replaySigned(view.OfRange, p.preview.Seqs, 0, p.signing)
}

// openFailed says how many requests failed, and replays them.
func (w *Window) openFailed() {
	count, notes := look.NewText(text.T("failed.counting"), look.Plain), container.NewVBox()
	var signing replay.Signing
	var seqs []capture.Seq
	send := look.NewMainButton(text.T("range.send"), "", nil)
	send.OnTapped = func() {
		// Some may have been taken meanwhile: those are not sent a second time.
		start(w, func(ctx context.Context) ([]capture.Seq, error) { return w.planner().Failed(ctx) }, func(now []capture.Seq, err error) {
			if err != nil {
				w.fail(err)
				return
			}
			w.inbox.closePanel()
			still := slices.DeleteFunc(slices.Clone(seqs), func(s capture.Seq) bool { return !slices.Contains(now, s) })
			if len(still) == 0 {
				w.say(text.T("failed.none"))
				return
			}
			w.replaySigned(view.OfFailed, still, 0, signing)
		})
	}
	send.Disable()
	w.inbox.openPanel(&panel{name: "failed"}, text.T("cmd.failed"), scroll(container.NewVBox(muted(text.T("failed.text")), count, notes, w.signings(&signing), container.NewHBox(send))))
	start(w, func(ctx context.Context) ([]capture.Seq, error) { return w.planner().Failed(ctx) }, func(found []capture.Seq, err error) {
		if err != nil {
			w.fail(err)
			return
		}
		seqs = found
		setText(count, text.N("failed.count", int64(len(found))))
		if len(found) > 0 {
			send.Enable()
		}
	})
}
