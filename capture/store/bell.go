package store

import "sync"

// A Bell wakes all who wait on it. It carries no data: who wakes, looks. The
// zero Bell is ready.
type Bell struct {
	mu sync.Mutex
	c  chan struct{}
}

// C returns a channel that is closed at the next Ring. Take it before
// looking, so that nothing is missed.
func (b *Bell) C() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.c == nil {
		b.c = make(chan struct{})
	}
	return b.c
}

// Ring wakes all.
func (b *Bell) Ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.c != nil {
		close(b.c)
		b.c = nil
	}
}
