package look

import (
	"sync"

	"fyne.io/fyne/v2"
)

// A Dispatcher runs functions on the goroutine that draws, in order. Post may
// be called from any goroutine, and does not wait: a wait on that goroutine for
// itself would freeze the window for ever.
type Dispatcher interface {
	Post(draw func())
}

// Loop is the Dispatcher of the program. It works once the program's window does.
type Loop struct{}

// Post implements Dispatcher.
func (Loop) Post(draw func()) { fyne.Do(draw) }

// Queue is a Dispatcher that keeps what is posted until it is drained: for
// programs without a loop, which tests are. The zero value is ready.
type Queue struct {
	mu      sync.Mutex
	waiting []func()
}

// Post implements Dispatcher.
func (q *Queue) Post(draw func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, draw)
}

// Drain runs what was posted, and what that posts, and returns how many there were.
func (q *Queue) Drain() int {
	for n := 0; ; n++ {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			q.mu.Unlock()
			return n
		}
		draw := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		draw()
	}
}
