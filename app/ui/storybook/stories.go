package main

import (
	"context"
	"errors"
	"time"

	"anyhook.net/desktop/app/ui"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/tunnel"
)

// A tale is a state of the window.
type tale struct {
	name  string
	desk  func(now func() time.Time) *story.Desk
	steps []step
}

// A step is what a person does.
type step func(*ui.Window, *story.Desk)

// back selects the requests so many before the newest.
func back(n ...capture.Seq) step {
	return func(w *ui.Window, d *story.Desk) {
		last, err := d.Last(context.Background())
		if err != nil {
			fail(err)
		}
		seqs := make([]capture.Seq, len(n))
		for i, b := range n {
			seqs[i] = last - b
		}
		w.Select(seqs...)
	}
}

// do carries out a command.
func do(id string) step { return func(w *ui.Window, _ *story.Desk) { w.Do(id) } }

// troubled is a day on which much goes wrong.
func troubled(now func() time.Time) *story.Desk {
	d := story.Day(now)
	d.Set(func(s *view.Status) {
		s.Tunnel = tunnel.State{Backend: "ngrok", Phase: tunnel.Reconnecting, URL: s.PublicURL, Since: now().Add(-2 * time.Minute), Err: &tunnel.Error{Code: "ERR_NGROK_334", Msg: "The endpoint is already online."}}
		s.PublicURL, s.PortTaken, s.LocalURL, s.Store = "", 4080, "http://127.0.0.1:4081", errors.New("no space left on device")
		s.Targets[0].Listening, s.Targets[0].Failures = false, 5
	})
	return d
}

// stories are all states that are drawn.
var stories = []tale{
	{"welcome", story.New, nil},
	{"inbox", story.Day, nil},
	{"summary", story.Day, []step{back(3)}},
	{"summary-late", story.Day, []step{back(9)}},
	{"summary-batch", story.Day, []step{back(6)}},
	{"summary-stray", story.Day, []step{back(4)}},
	{"body", story.Day, []step{back(3), do("tab.body")}},
	{"headers", story.Day, []step{back(3), do("tab.headers")}},
	{"signature", story.Day, []step{back(3), do("tab.signature")}},
	{"signature-invalid", story.Day, []step{back(8), do("tab.signature")}},
	{"deliveries", story.Day, []step{back(3), do("tab.deliveries")}},
	{"compare", story.Day, []step{back(3), do("compare")}},
	{"deliveries-timeout", story.Day, []step{back(6), do("tab.deliveries")}},
	{"deliveries-409", story.Day, []step{back(2), do("tab.deliveries")}},
	{"several", story.Day, []step{back(3, 2, 0)}},
	{"run", story.Day, []step{back(3, 2, 0), do("at-once")}},
	{"reorder", story.Day, []step{back(3, 2, 0), do("reorder")}},
	{"range", story.Day, []step{do("range")}},
	{"failed", story.Day, []step{do("failed")}},
	{"export", story.Day, []step{back(3, 2), do("export")}},
	{"import", story.Day, []step{do("import")}},
	{"samples", story.Day, []step{do("sample")}},
	{"palette", story.Day, []step{back(3), do("palette")}},
	{"tunnel", story.Day, []step{do("tunnel")}},
	{"tunnel-trouble", troubled, []step{do("tunnel")}},
	{"endpoints", story.Day, []step{do("endpoints")}},
	{"endpoint-new", story.Day, []step{do("add-endpoint")}},
	{"settings", story.Day, []step{do("settings")}},
	{"help", story.Day, []step{do("help")}},
	{"cleared", story.Day, []step{do("clear")}},
}
