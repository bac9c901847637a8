// Package run carries out scenarios: wave after wave, each after the answers
// to the one before, and each send its wait after those.
package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A Sender makes the attempts. An error means that AnyHook could not do its
// work; with it come the attempts that were begun, in the order of the orders.
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

	// Provider tells who sent a request, for batches; false if nobody knows.
	Provider func(r *capture.Request) (*capture.Provider, bool)

	// Make stores a batch that was put together, and returns it as it is stored.
	Make func(ctx context.Context, r *capture.Request) (*capture.Request, error)

	// Start starts the handler, and returns when it listens, at once if it does.
	// Kill kills it. Both are nil where nobody told how it is started.
	Start func(ctx context.Context) error
	Kill  func() error

	// Look looks whether what has to hold does; nil leaves Run.Held nil.
	Look func(ctx context.Context, e replay.Expect) replay.Held

	// Save writes the run down: at its start, and after waves, at most once in
	// saveEvery. nil does not. The last Run is the caller's to save.
	Save func(ctx context.Context, r replay.Run) error

	Now   func() time.Time
	NewID func() replay.RunID
}

const (
	saveEvery = time.Second            // how old what is written down of a run may be
	settle    = 2 * time.Second        // how long a handler has until what has to hold does
	lookEvery = 100 * time.Millisecond // in that time
)

// ErrNoCommand says that a scenario cannot be carried out.
var ErrNoCommand = errors.New("the scenario kills the handler, and AnyHook does not know how to start it again: " +
	"set the start command of the endpoint, or give --command")

// Run carries out s and returns when it has ended, or ctx has. progress is
// told at the start and after every attempt; nil is nobody. It gets a Run of
// its own.
//
// A stopped run is no error: Err says so. An error means that AnyHook could
// not go on, and is in Err, too; a scenario that cannot be carried out at all
// gives a Run without an ID, and nothing is sent. At the end s.Sends() is
// Sent, Skipped and Spared together, and Sent is OK, Failed and Faulted.
func (r *Runner) Run(ctx context.Context, s replay.Scenario, progress func(replay.Run)) (replay.Run, error) {
	if err := r.check(s); err != nil {
		return replay.Run{Scenario: s}, err
	}
	w := walk{Runner: r, progress: progress, answered: r.Now(), acked: map[capture.ID]bool{}, made: map[batchKey]capture.ID{}}
	w.run = replay.Run{ID: r.NewID(), Scenario: s, Target: r.To, Start: w.answered.UTC()}
	w.tell()
	return w.end(ctx, w.waves(ctx))
}

// check says why s cannot be carried out at all. It may have more waves than
// one that is saved, and no name.
func (r *Runner) check(s replay.Scenario) error {
	if s.Kills() && (r.Start == nil || r.Kill == nil) {
		return ErrNoCommand
	}
	few := s
	few.Name, few.Waves = "run", nil
	if err := few.Check(); err != nil {
		return err
	}
	for i, wave := range s.Waves {
		if err := wave.Check(); err != nil {
			return fmt.Errorf("wave %d: %w", i+1, err)
		}
	}
	return nil
}

// waves sends all; the error is what kept AnyHook from going on.
func (w *walk) waves(ctx context.Context) error {
	if err := w.save(ctx); err != nil {
		return err
	}
	if w.run.Scenario.Kills() {
		if err := w.Start(ctx); err != nil {
			return err
		}
	}
	for i, wave := range w.run.Scenario.Waves {
		if err := w.wave(ctx, i+1, wave); err != nil || ctx.Err() != nil {
			return err
		}
		w.run.Done++
		if err := w.save(ctx); err != nil {
			return err
		}
	}
	return nil
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

// end sums up; err is what kept AnyHook from going on.
func (w *walk) end(ctx context.Context, err error) (replay.Run, error) {
	if err == nil && ctx.Err() == nil {
		w.look(ctx)
	}
	if ctx.Err() != nil {
		err = nil // whatever failed, it failed because of that
		w.run.Err = replay.Stopped
	}
	if err != nil {
		w.run.Err = err.Error()
	}
	w.run.Skipped = w.run.Scenario.Sends() - w.run.Sent - w.run.Spared
	w.run.Note = w.note()
	w.run.End = w.Now().UTC()
	return w.run, err
}

// look looks until all holds, or the handler has had its time.
func (w *walk) look(ctx context.Context) {
	hold := w.run.Scenario.Hold
	if w.Look == nil || len(hold) == 0 {
		return
	}
	held := make([]replay.Held, len(hold))
	for until := w.Now().Add(settle); ; {
		good := true
		for i, e := range hold {
			held[i] = w.Look(ctx, e)
			good = good && held[i].Why == ""
		}
		if ctx.Err() != nil {
			return
		}
		w.run.Held = held
		if good || !w.Now().Add(lookEvery).Before(until) || !pause(ctx, lookEvery) {
			return
		}
	}
}

// pause reports false if ctx ended meanwhile.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
