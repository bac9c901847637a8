package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A walk is a run on its way.
type walk struct {
	*Runner
	run      replay.Run
	progress func(replay.Run)
	saved    time.Time // when it was last written down
	answered time.Time // when the last wave was, or the start
	acked    map[capture.ID]bool
	made     map[batchKey]capture.ID
	usual    usual

	reasons []string // why sends were not made, in the order of their first time
	skipped map[string]int
	remarks []string // what else is to be told

	mu      sync.Mutex
	killErr error // why the handler could not be killed
}

// A leg is what a wave sends: orders, and the sends that they are of.
type leg struct {
	orders []replay.Order
	sends  []replay.Send
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

// remark has something told once.
func (w *walk) remark(s string) {
	if !slices.Contains(w.remarks, s) {
		w.remarks = append(w.remarks, s)
	}
}

func (w *walk) tell() {
	if w.progress != nil {
		w.progress(w.run)
	}
}

func (w *walk) wave(ctx context.Context, n int, wave replay.Wave) error {
	if !pause(ctx, 0) {
		return nil
	}
	l, err := w.leg(ctx, n, wave)
	if err != nil || len(l.orders) == 0 {
		return err
	}
	first := l.release()
	if !pause(ctx, w.answered.Add(first).Sub(w.Now())) {
		return nil
	}
	err = w.send(ctx, l, len(wave) > 1)
	w.answered = w.Now()
	if err == nil && ctx.Err() == nil && slices.ContainsFunc(wave, kills) {
		w.mu.Lock()
		err = w.killErr
		w.mu.Unlock()
		if err == nil {
			err = w.Start(ctx)
		}
	}
	return err
}

// release makes the waits those from the release of all, and returns that one's.
func (l leg) release() time.Duration {
	first := l.orders[0].Wait
	for _, o := range l.orders {
		first = min(first, o.Wait)
	}
	for i := range l.orders {
		l.orders[i].Wait -= first
	}
	return first
}

func kills(s replay.Send) bool { return replay.FaultOf(s.Faults, replay.Kill) != nil }

// send makes the attempts of a wave; several says whether it has several sends.
func (w *walk) send(ctx context.Context, l leg, several bool) error {
	if !several {
		a, err := w.Sender.Send(ctx, l.orders[0])
		w.count(l.sends[0], a)
		return err
	}
	as, spread, err := w.Sender.AtOnce(ctx, l.orders)
	if err == nil {
		w.run.Spread = append(w.run.Spread, spread)
	}
	for i, a := range as {
		w.count(l.sends[i], a)
	}
	return err
}

// leg loads what a wave sends, each request once.
func (w *walk) leg(ctx context.Context, n int, wave replay.Wave) (l leg, err error) {
	load := w.loader(ctx)
	for i, send := range wave {
		if send.Retry && w.acked[send.Request] {
			w.run.Spared++
			continue
		}
		r, why, err := w.fetch(ctx, send, load)
		if err != nil {
			return l, err
		}
		if why != "" {
			w.skip(why)
			continue
		}
		to, ok := w.Target(r)
		if !ok {
			w.skip("there is no target")
			continue
		}
		place := replay.Place{Wave: n, Send: i + 1}
		l.orders = append(l.orders, replay.Order{
			Request: r, Target: to, Signing: send.Signing, Run: w.run.ID, Replay: true,
			Place: place, Faults: w.faults(send.Faults), Try: send.Try, Wait: w.wait(send.Wait, place), Kill: w.kill(send),
		})
		l.sends = append(l.sends, send)
	}
	return l, nil
}

// wait is how long a send waits by the clock.
func (w *walk) wait(wait replay.Wait, p replay.Place) time.Duration {
	d := wait.At(w.run.Scenario.Seed, p)
	if speed := w.run.Scenario.Speed; speed > 0 {
		d = time.Duration(float64(d) / speed)
	}
	return d
}

// kill returns what kills the handler, nil for a send that does not.
func (w *walk) kill(s replay.Send) func() {
	if !kills(s) {
		return nil
	}
	return func() {
		if err := w.Kill(); err != nil {
			w.mu.Lock()
			w.killErr = fmt.Errorf("kill the handler: %w", err)
			w.mu.Unlock()
		}
	}
}

// faults makes shares of the usual time into times.
func (w *walk) faults(all []replay.Fault) []replay.Fault {
	f := replay.FaultOf(all, replay.Kill)
	if f == nil || f.Share == 0 {
		return all
	}
	usual, ok := w.usual.median()
	if !ok {
		w.remark("the handler was killed as soon as the request was out: nothing before it told how long it takes")
	}
	all = slices.Clone(all)
	replay.FaultOf(all, replay.Kill).After = usual * time.Duration(f.Share) / 100
	return all
}

// loader returns a function that loads each request once; nil is one that is gone.
func (w *walk) loader(ctx context.Context) func(capture.ID) (*capture.Request, error) {
	loaded := make(map[capture.ID]*capture.Request, 1)
	return func(id capture.ID) (*capture.Request, error) {
		r, ok := loaded[id]
		if !ok {
			var err error
			if r, err = w.Request(ctx, id); err != nil {
				return nil, fmt.Errorf("load %s: %w", id, err)
			}
			loaded[id] = r
		}
		return r, nil
	}
}

// count counts an attempt that ended; one that could not even begin has no
// outcome, and what AnyHook itself held back was not sent.
func (w *walk) count(s replay.Send, a replay.Attempt) {
	switch {
	case a.Outcome.Status == 0 && a.Outcome.Failure == "":
		return
	case a.Outcome.Failure == replay.Blocked:
		w.skip(strings.TrimPrefix(a.Outcome.Detail, "not sent: "))
	default:
		w.run.Count(a)
		w.usual.add(a)
	}
	if a.Acknowledged() {
		w.acked[s.Request] = true
	}
	w.tell()
}

// note says what was skipped although nobody stopped it, and what else there is to tell.
func (w *walk) note() string {
	parts := slices.Clone(w.reasons)
	if len(parts) > 1 {
		for i, reason := range parts {
			parts[i] = fmt.Sprintf("%s (%d)", reason, w.skipped[reason])
		}
	}
	return strings.Join(append(parts, w.remarks...), "; ")
}
