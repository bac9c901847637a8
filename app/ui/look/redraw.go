package look

import (
	"sync"
	"time"
)

// DrawEvery is the shortest time between two drawings of the same thing.
const DrawEvery = 100 * time.Millisecond

// A Redraw draws something that changes often, seldom: at once after a quiet
// time, then at most every [DrawEvery], and always after the last change. At
// most one function of it waits in the Dispatcher.
type Redraw struct {
	ui   Dispatcher
	draw func()

	mu     sync.Mutex
	busy   bool // posted, or in the pause after drawing
	dirty  bool
	closed bool
	pause  *time.Timer
}

// NewRedraw makes a Redraw; draw runs on the goroutine of ui.
func NewRedraw(ui Dispatcher, draw func()) *Redraw { return &Redraw{ui: ui, draw: draw} }

// Mark says that something changed. It may be called from any goroutine.
func (r *Redraw) Mark() {
	if r.due() {
		r.ui.Post(r.run) // unlocked: when its loop has ended, Fyne runs it here and now
	}
}

// due reports whether a drawing has to be posted, and sees to it that one is only once.
func (r *Redraw) due() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	if r.busy {
		r.dirty = true
		return false
	}
	r.busy = true
	return true
}

// Close stops it. What waits in the Dispatcher then draws no more.
func (r *Redraw) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.pause != nil {
		r.pause.Stop()
	}
}

func (r *Redraw) run() {
	r.mu.Lock()
	closed := r.closed
	r.dirty = false // before drawing, so that no change is missed
	r.mu.Unlock()
	if closed {
		return
	}
	r.draw()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.pause = time.AfterFunc(DrawEvery, r.rested)
	}
}

func (r *Redraw) rested() {
	r.mu.Lock()
	again := !r.closed && r.dirty
	r.busy = again
	r.mu.Unlock()
	if again {
		r.ui.Post(r.run)
	}
}
