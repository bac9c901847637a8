package store

import (
	"sync"
	"time"

	"anyhook.net/desktop/capture"
)

// An op is one piece of work for the writer: a request to append, or
// something to do. Whoever made it reads done, once.
type op struct {
	do func(Tx) error // nil for an append

	request   *capture.Request
	leaf      [32]byte
	signature string      // JSON
	seq       capture.Seq // set by the writer before done

	size int
	done chan error // has room for one
}

// tuning is what tests make small.
type tuning struct {
	waiting, waitingBytes int           // of the queue; beyond it is busy
	batch, batchBytes     int           // of one transaction
	idle                  time.Duration // without work, until the write-ahead log is put away
	page, pageBytes       int           // of requests read at a time
	logLarge, logLook     int           // bytes of the write-ahead log; see bound
}

var usual = tuning{
	waiting: 1024, waitingBytes: 256 << 20,
	batch: 256, batchBytes: 4 << 20,
	idle: 2 * time.Second,
	page: 256, pageBytes: 8 << 20,
	logLarge: 24 << 20, logLook: 2 << 20,
}

// A queue is what waits for the writer.
type queue struct {
	tuning

	wake chan struct{} // holds one token when there may be something to take
	room Bell          // rings when something was taken

	mu     sync.Mutex
	ops    []*op
	bytes  int
	closed bool
}

// put adds o. It never waits: ErrBusy means no room, ErrClosed no writer.
func (q *queue) put(o *op) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return ErrClosed
	case len(q.ops) >= q.waiting, len(q.ops) > 0 && q.bytes+o.size > q.waitingBytes:
		return ErrBusy
	}
	q.ops = append(q.ops, o)
	q.bytes += o.size
	q.token()
	return nil
}

// token wakes the writer.
func (q *queue) token() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// close lets nothing more in. What is in the queue can still be taken.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.token()
	q.room.Ring()
}

// busy reports whether work waits.
func (q *queue) busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ops) > 0
}

// take appends what waits to batch, up to the limits of a batch, and waits if
// there is nothing. It returns an empty batch when idle sends something, and
// when the queue is closed and empty; then ok is false.
func (q *queue) take(batch []*op, idle <-chan time.Time) (_ []*op, ok bool) {
	for {
		if batch, ok = q.some(batch); len(batch) > 0 || !ok {
			return batch, ok
		}
		select {
		case <-q.wake:
		case <-idle:
			return batch, true
		}
	}
}

func (q *queue) some(batch []*op) (_ []*op, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, size := 0, 0
	for n < len(q.ops) && n < q.batch && (n == 0 || size+q.ops[n].size <= q.batchBytes) {
		size += q.ops[n].size
		n++
	}
	batch = append(batch, q.ops[:n]...)
	left := copy(q.ops, q.ops[n:])
	clear(q.ops[left:])
	q.ops = q.ops[:left]
	q.bytes -= size
	if n > 0 {
		q.room.Ring()
	}
	return batch, n > 0 || !q.closed
}
