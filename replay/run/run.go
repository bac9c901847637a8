// Package run carries out scenarios: wave after wave, each after the answers
// to the one before.
package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A Sender makes the attempts. An error means that AnyHook could not do its
// work; with it come the attempts that were begun.
type Sender interface {
	Send(ctx context.Context, o replay.Order) (replay.Attempt, error)
	AtOnce(ctx context.Context, orders []replay.Order) ([]replay.Attempt, time.Duration, error)
}

// A Runner carries out scenarios. It keeps no state, and is safe for concurrent use.
type Runner struct {
	Sender Sender

	// Request loads a request when its turn has come; nil without an error
	// means that there is none any more.
	Request func(ctx context.Context, id capture.ID) (*capture.Request, error)

	// Target says where a request goes; false if it has no target.
	Target func(r *capture.Request) (replay.Target, bool)

	// To is the target of all, where a person chose one, and goes into Run.Target; else "".
	To string

	// Save writes the run down: at its start, and after waves, at most once in
	// saveEvery. nil does not. The last Run is the caller's to save.
	Save func(ctx context.Context, r replay.Run) error

	Now   func() time.Time
	NewID func() replay.RunID
}

// saveEvery is how old what is written down of a run may be.
const saveEvery = time.Second

// Run carries out s and returns when it has ended, or ctx has. progress is
// told after every attempt; nil is nobody. It gets a Run of its own.
//
// A stopped run is no error: Err says so. An error means that AnyHook could
// not go on, and is in Err, too. At the end s.Sends() is Sent and Skipped
// together, and Sent is OK and Failed together.
func (r *Runner) Run(ctx context.Context, s replay.Scenario, progress func(replay.Run)) (replay.Run, error) {
	w := walk{Runner: r, progress: progress, total: s.Sends()}
	w.run = replay.Run{ID: r.NewID(), Scenario: s, Target: r.To, Start: r.Now().UTC()}
	err := w.save(ctx)
	if err != nil {
		return w.end(ctx, err)
	}
	for i, wave := range s.Waves {
		if ctx.Err() != nil {
			break
		}
		if err = w.wave(ctx, i+1, wave); err != nil {
			break
		}
		if ctx.Err() != nil {
			break
		}
		w.run.Done++
		if err = w.save(ctx); err != nil {
			break
		}
	}
	return w.end(ctx, err)
}

// end sums up; err is what kept AnyHook from going on.
func (w *walk) end(ctx context.Context, err error) (replay.Run, error) {
	if ctx.Err() != nil {
		err = nil // whatever failed, it failed because of that
		w.run.Err = replay.Stopped
	}
	if err != nil {
		w.run.Err = err.Error()
	}
	w.run.Skipped = w.total - w.run.Sent
	w.run.Note = w.note()
	w.run.End = w.Now().UTC()
	return w.run, err
}

// save writes the run down if it is time.
func (w *walk) save(ctx context.Context) error {
	now := w.Now()
	if w.Save == nil || !w.saved.IsZero() && now.Sub(w.saved) < saveEvery {
		return nil
	}
	w.saved = now
	return w.Save(context.WithoutCancel(ctx), w.run)
}

// A walk is a run on its way.
type walk struct {
	*Runner
	run      replay.Run
	progress func(replay.Run)
	total    int
	saved    time.Time // when it was last written down
	reasons  []string  // why sends were not made, in the order of their first time
	skipped  map[string]int
}

// skip counts a send that is not made.
func (w *walk) skip(reason string) {
	if w.skipped == nil {
		w.skipped = map[string]int{}
	}
	if w.skipped[reason]++; w.skipped[reason] == 1 {
		w.reasons = append(w.reasons, reason)
	}
	w.run.Skipped++
}

func (w *walk) wave(ctx context.Context, n int, wave replay.Wave) error {
	if len(wave) > replay.MaxAtOnce {
		return fmt.Errorf("a wave of %d sends: at most %d can go together", len(wave), replay.MaxAtOnce)
	}
	orders, err := w.orders(ctx, n, wave)
	if err != nil || len(orders) == 0 {
		return err
	}
	if len(wave) == 1 {
		a, err := w.Sender.Send(ctx, orders[0])
		w.count(a)
		return err
	}
	as, spread, err := w.Sender.AtOnce(ctx, orders)
	if err == nil {
		w.run.Spread = append(w.run.Spread, spread)
	}
	for _, a := range as {
		w.count(a)
	}
	return err
}

// orders loads what a wave sends, each request once.
func (w *walk) orders(ctx context.Context, n int, wave replay.Wave) ([]replay.Order, error) {
	loaded := make(map[capture.ID]*capture.Request, 1)
	orders := make([]replay.Order, 0, len(wave))
	for i, send := range wave {
		r, ok := loaded[send.Request]
		if !ok {
			var err error
			if r, err = w.Request(ctx, send.Request); err != nil {
				return nil, fmt.Errorf("load %s: %w", send.Request, err)
			}
			loaded[send.Request] = r
		}
		if r == nil {
			w.skip("the request is gone")
			continue
		}
		if r.Kind != "" && !r.Kind.Replayable() {
			w.skip("it is no delivery")
			continue
		}
		to, ok := w.Target(r)
		if !ok {
			w.skip("there is no target")
			continue
		}
		orders = append(orders, replay.Order{Request: r, Target: to, Signing: send.Signing, Run: w.run.ID, Replay: true, Place: replay.Place{Wave: n, Send: i + 1}})
	}
	return orders, nil
}

// count counts an attempt that ended; one that could not even begin has no
// outcome, and what AnyHook itself held back was not sent.
func (w *walk) count(a replay.Attempt) {
	switch {
	case a.Outcome.Status == 0 && a.Outcome.Failure == "":
		return
	case a.Outcome.Failure == replay.Blocked:
		w.skip(strings.TrimPrefix(a.Outcome.Detail, "not sent: "))
	case a.Outcome.OK():
		w.run.Sent++
		w.run.OK++
	default:
		w.run.Sent++
		w.run.Failed++
	}
	if w.progress != nil {
		w.progress(w.run)
	}
}

// note says what was skipped although nobody stopped it.
func (w *walk) note() string {
	parts := slices.Clone(w.reasons)
	if len(parts) > 1 {
		for i, reason := range parts {
			parts[i] = fmt.Sprintf("%s (%d)", reason, w.skipped[reason])
		}
	}
	return strings.Join(parts, "; ")
}
