package tunnel

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// kept is how many changes the history holds.
const kept = 50

// A Change is one entry of the history.
type Change struct {
	At time.Time
	State
}

// State returns how the tunnel is doing.
func (k *Keeper) State() State {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.state
}

// History returns the last changes of the state, oldest first. A new latency alone is no change.
func (k *Keeper) History() []Change {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.history)
}

// Changed returns a channel that is closed at the next change of the state.
// Take it before looking, so that nothing is missed.
func (k *Keeper) Changed() <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.changed
}

// OnState calls f with the state, now and after every change, one call at a
// time and on a goroutine of the Keeper, until stop or Close. A slow f misses
// states between, never the newest. stop does not wait for a call under way.
func (k *Keeper) OnState(f func(State)) (stop func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	o := &observer{quit: make(chan struct{}), done: make(chan struct{})}
	if k.isClosed() {
		return func() {}
	}
	k.observers[o] = struct{}{}
	go k.observe(o, f)
	return sync.OnceFunc(func() { close(o.quit) })
}

type observer struct{ quit, done chan struct{} }

func (k *Keeper) observe(o *observer, f func(State)) {
	defer func() {
		k.mu.Lock()
		delete(k.observers, o)
		k.mu.Unlock()
		close(o.done)
	}()
	for {
		more := k.Changed()
		f(k.State())
		select {
		case <-more:
		case <-o.quit:
			return
		case <-k.closed:
			return
		}
		select { // of several, the end goes first
		case <-o.quit:
			return
		default:
		}
	}
}

// set makes s the state and tells everybody. It reports whether s is more than
// a new latency. k.mu is held.
func (k *Keeper) set(s State) (news bool) {
	old, now := k.state, k.now()
	s.Since = old.Since
	if s.Phase != old.Phase || s.Backend != old.Backend {
		s.Since = now
	}
	news = s.Phase != old.Phase || s.Backend != old.Backend || s.URL != old.URL || text(s.Err) != text(old.Err)
	if !news && s.Latency == old.Latency {
		return false
	}
	k.state = s
	close(k.changed)
	k.changed = make(chan struct{})
	if news {
		k.note(Change{now, s})
	}
	return news
}

// note puts c into the history and the log. k.mu is held.
func (k *Keeper) note(c Change) {
	if len(k.history) == kept {
		k.history = slices.Delete(k.history, 0, 1)
	}
	k.history = append(k.history, c)
	level := slog.LevelInfo
	if c.Err != nil {
		level = slog.LevelWarn
	}
	k.log.Log(context.Background(), level, "tunnel", "phase", c.Phase, "backend", c.Backend, "url", c.URL, "err", text(c.Err))
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
