package ui

import (
	"context"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/ui/reorder"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

// openReorder puts the selected requests into another order, and replays them in it.
func (w *Window) openReorder() {
	seqs := w.inbox.seqs()
	start(w, func(ctx context.Context) ([]view.Row, error) { return w.planner().Lines(ctx, seqs) }, func(rows []view.Row, err error) {
		if err != nil {
			w.fail(err)
			return
		}
		w.showReorder(rows)
	})
}

func (w *Window) showReorder(rows []view.Row) {
	items := make([]reorder.Item, len(rows))
	for i, r := range rows {
		items[i] = reorder.Item{ID: int64(r.Seq), Mark: look.MarkOf(r.Mark), Text: r.What, More: "#" + r.Number + "  " + r.Object}
		for _, b := range r.Badges {
			items[i].Badges = append(items[i].Badges, badge(b))
		}
	}
	list := reorder.New(items...)
	list.Chip = func(n int) string { return text.N("export.count", int64(n)) }
	nudge := func(by int) func() {
		return func() { list.Nudge(by); look.Focus(list) }
	}
	up := look.NewIconButton(theme.MoveUpIcon(), text.T("reorder.up"), nudge(-1))
	down := look.NewIconButton(theme.MoveDownIcon(), text.T("reorder.down"), nudge(1))
	send := look.NewMainButton(text.T("reorder.send"), "", func() {
		order := list.Order()
		seqs := make([]capture.Seq, len(order))
		for i, id := range order {
			seqs[i] = capture.Seq(id)
		}
		w.inbox.closePanel()
		w.replaySeqs(view.Ordered, seqs, 0)
	})
	foot := container.NewBorder(nil, nil, container.NewHBox(up, down), send)
	w.inbox.openPanel(&panel{name: "reorder", focus: list, stays: true}, text.T("reorder.title"),
		container.NewBorder(muted(text.T("reorder.text")), foot, nil, nil, inRoom(list)))
	if len(items) > 0 {
		list.Select(items[0].ID)
	}
}
