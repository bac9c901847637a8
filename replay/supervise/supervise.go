// Package supervise starts the developer's handler by a command, watches it,
// and kills it whole: for faults that crash a handler in the midst of its work
// and want it back for the next delivery.
//
// The command goes to the shell (sh -c; on Windows cmd /C) and may do whatever
// its user may. So it comes from that user alone, who typed it into the window,
// the command line or an endpoint file that they named: never from what was
// captured, imported or sent by somebody else, scenarios included.
//
// Only processes that the command started are ever killed. They are known by
// the process group that they are born into, which exists before the command
// and is kept from being given to others until the last of them is gone. On
// Linux those that made a group of their own are found as well, by a word in
// their environment; on Windows a job object holds all. They die with AnyHook,
// also when AnyHook is killed: by a guard in their group that sees AnyHook's end
// of a pipe close, on Windows by the job.
//
// Not covered are processes that run as another user (sudo), those that the
// command asks another program to start (a container of Docker, a service),
// and, on macOS and BSD, those that made a session or group of their own.
package supervise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"anyhook.net/desktop/replay"
)

// A Handler is the developer's program, started by a command. Its methods may
// be called from any goroutine. It keeps one instance running at most.
type Handler struct {
	Command   string
	Dir       string                     // where Command runs, which may begin with ~; "" is where AnyHook does
	Env       []string                   // "NAME=value", besides what AnyHook has itself
	Target    string                     // as messages call what it serves: "http://localhost:3000"
	Listening func(context.Context) bool // whether anybody takes connections at Target
	Patience  time.Duration              // how long it may take until it listens; 0 means a minute
	Now       func() time.Time
	Changed   func()            // told of each change of State and of new output, never while a lock is held; nil tells nobody
	Print     func(line string) // told of each line of output, made fit to be shown; nil tells nobody

	starts sync.Mutex // one start at a time
	out    tail

	mu     sync.Mutex // guards what follows
	run    *instance  // the newest; nil before the first start
	closed bool
}

const (
	patience = time.Minute     // until a handler listens
	polite   = 2 * time.Second // between asking it to end and killing it
	dying    = 5 * time.Second // for what was killed to be dead
)

var (
	errClosed      = errors.New("AnyHook is about to end")
	errForestalled = errors.New("the handler was ended before it listened")
)

// Start runs the command and returns when its target takes connections; at once
// if it does already by an earlier Start. The error says what the command
// printed if it ended before, or did not listen in time; nothing of it is left
// then. If ctx ends first, it is killed.
func (h *Handler) Start(ctx context.Context) error {
	h.starts.Lock()
	defer h.starts.Unlock()
	run := h.current()
	if run != nil && run.doomed() {
		select {
		case <-run.over:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if run == nil || run.gone() {
		if h.Listening(ctx) {
			return h.trouble(replay.ServedByAnother)
		}
		var err error
		if run, err = h.launch(ctx); err != nil {
			return fmt.Errorf("start %s: %w", brief(h.Command), err)
		}
		h.changed()
	}
	return h.await(ctx, run)
}

// await returns when run listens, or never will.
func (h *Handler) await(ctx context.Context, run *instance) error {
	most := cmp.Or(h.Patience, patience)
	late := time.NewTimer(most)
	defer late.Stop()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		if run.phase() == replay.HandlerListening || !run.gone() && h.Listening(ctx) && run.listens(h.Now()) {
			h.changed()
			return nil
		}
		look := time.NewTimer(pause)
		select {
		case <-look.C:
			continue
		case <-run.over:
		case <-ctx.Done():
			return errors.Join(ctx.Err(), h.end(run, replay.HandlerKilled))
		case <-late.C:
			e := h.trouble(replay.NotListening)
			e.Within, e.Printed = most, h.printed(run)
			return errors.Join(e, h.end(run, replay.HandlerKilled))
		}
		look.Stop()
		is := run.state()
		if is.Phase != replay.HandlerEnded {
			return errForestalled
		}
		e := h.trouble(replay.EndedEarly)
		e.Status, e.Printed = is.Status, h.printed(run)
		return e
	}
}

// Kill kills all processes of the handler at once, as a crash does, and returns
// when they are dead and the port is free; at once when nothing runs. What is
// started after Kill was called is not touched.
func (h *Handler) Kill() error { return h.end(h.current(), replay.HandlerKilled) }

// Stop asks all processes of the handler to end, kills those that do not within
// two seconds, and returns when they are dead. On Windows nobody can be asked.
func (h *Handler) Stop() error {
	run := h.current()
	if run == nil || run.gone() {
		return nil
	}
	run.note(replay.HandlerStopped)
	if run.group.ask() {
		timer := time.NewTimer(polite)
		defer timer.Stop()
		select {
		case <-run.over:
		case <-timer.C:
		}
	}
	return h.end(run, replay.HandlerStopped)
}

// Close stops the handler for good: no Start succeeds afterwards.
func (h *Handler) Close() error {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	return h.Stop()
}

// end kills run, which may be nil, and waits until nothing is left of it.
func (h *Handler) end(run *instance, why replay.HandlerPhase) error {
	if run == nil {
		return nil
	}
	if !run.gone() {
		run.note(why)
		run.kill()
		timer := time.NewTimer(dying)
		defer timer.Stop()
		select {
		case <-run.over:
		case <-timer.C:
			return h.trouble(replay.NotDead)
		}
	}
	return run.failure()
}

// State is how the handler is doing.
func (h *Handler) State() replay.HandlerState {
	if run := h.current(); run != nil {
		return run.state()
	}
	return replay.HandlerState{}
}

// Output is the newest of what the handler printed, 64 KB at most, made fit to
// be shown: see Printable.
func (h *Handler) Output() string { return Printable(h.out.since(0)) }

func (h *Handler) current() *instance {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.run
}

func (h *Handler) changed() {
	if h.Changed != nil {
		h.Changed()
	}
}

func (h *Handler) trouble(t replay.HandlerTrouble) *replay.HandlerError {
	return &replay.HandlerError{Trouble: t, Command: brief(h.Command), Target: h.Target}
}

// printed is the end of what run printed.
func (h *Handler) printed(run *instance) string {
	return lastLines(Printable(h.out.since(run.from)), 8, 800)
}

// brief is a command in a message.
func brief(command string) string {
	r := []rune(strings.Join(strings.Fields(Printable([]byte(command))), " "))
	if len(r) > 80 {
		r = append(r[:79], '…')
	}
	return string(r)
}
