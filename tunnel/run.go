package tunnel

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// steady is how long a tunnel must have been up for its next failure to count as the first.
const steady = time.Minute

// A run is one backend from its start to its end, over all tries.
type run struct {
	backend Backend
	cancel  context.CancelFunc
	again   func()        // starts the same backend anew; the keeper's mu is held
	done    chan struct{} // closed when it has ended, or was left behind

	// guarded by the keeper's mu
	over   bool      // ended by itself
	wasUp  bool      // has been Online
	err    error     // why the last try ended; nil once Online again
	upFrom time.Time // of the try under way; zero if it is not Online
}

// begin replaces what runs with b. k.mu is held.
func (k *Keeper) begin(ctx context.Context, b Backend) {
	if k.isClosed() {
		return
	}
	var url string
	if k.run != nil {
		k.run.cancel()
		if same(k.run.backend, b) {
			url = k.state.URL
		}
	}
	life, cancel := context.WithCancel(ctx)
	r := &run{backend: b, cancel: cancel, done: make(chan struct{})}
	r.again = func() { k.begin(ctx, b) }
	before := k.last
	k.run, k.last = r, r.done
	k.set(State{Backend: b.Name(), Phase: Connecting, URL: url})
	go func() {
		defer close(r.done)
		defer cancel()
		<-before // two sessions at once would be in each other's way
		k.keep(life, r)
	}()
}

// keep tries r until it ends.
func (k *Keeper) keep(ctx context.Context, r *run) {
	for n := 0; ctx.Err() == nil; n++ {
		err := k.try(ctx, r)
		if ctx.Err() != nil {
			break
		}
		if e, ok := errors.AsType[*Error](err); ok && e.Fatal {
			k.end(r, err)
			return
		}
		if k.failed(r, err) {
			n = 0
		}
		pause := time.NewTimer(Backoff(n, k.random()))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
		}
	}
	k.end(r, nil)
}

// try runs the backend once. When ctx ends it waits for the backend to leave,
// but not for long.
func (k *Keeper) try(ctx context.Context, r *run) error {
	s := &sink{k: k, r: r, gone: make(chan struct{})}
	defer s.leave()
	var err error // once ended is closed
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = r.backend.Run(ctx, s, s.report)
	}()
	select {
	case <-ended:
		return err
	case <-ctx.Done():
	}
	s.leave()
	late := time.NewTimer(leaving)
	defer late.Stop()
	select {
	case <-ended:
	case <-late.C:
		k.log.Warn("tunnel backend does not end: left behind", "backend", r.backend.Name())
	}
	return ctx.Err()
}

// failed notes that a try of r ended, and reports whether it had been up for long.
func (k *Keeper) failed(r *run, err error) (wasSteady bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	wasSteady = !r.upFrom.IsZero() && k.now().Sub(r.upFrom) >= steady
	r.upFrom = time.Time{}
	if k.run == r {
		phase := Connecting
		if r.wasUp {
			phase = Reconnecting
		}
		if err == nil {
			err = errors.New("the tunnel ended without a reason")
		}
		r.err = err
		if !k.set(State{Backend: r.backend.Name(), Phase: phase, URL: k.state.URL, Err: err}) {
			k.log.Warn("tunnel still down", "backend", r.backend.Name(), "err", err.Error()) // one line a try
		}
	}
	return wasSteady
}

// end notes that r is over, by itself, with err, or because its context ended.
func (k *Keeper) end(r *run, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r.over = true
	if k.run == r {
		k.set(State{Backend: r.backend.Name(), Phase: Offline, URL: k.state.URL, Err: err})
	}
}

// A sink is one try's way into the keeper. It shuts when the try is over, so
// that a backend that was left behind changes nothing.
type sink struct {
	k    *Keeper
	r    *run
	once sync.Once
	gone chan struct{}
	url  string // last reported; guarded by k.mu
}

func (s *sink) leave() { s.once.Do(func() { close(s.gone) }) }

// LocalURL implements Sink.
func (s *sink) LocalURL() string { return "http://" + s.k.Addr().String() }

// Deliver implements Sink. It returns when c was accepted, or was closed
// because nobody will.
func (s *sink) Deliver(c net.Conn) {
	select {
	case <-s.gone:
		c.Close()
		return
	default:
	}
	select {
	case s.k.conns <- &carried{Conn: c, by: s}:
	case <-s.gone:
		c.Close()
	case <-s.k.closed:
		c.Close()
	}
}

func (s *sink) report(st State) {
	s.k.mu.Lock()
	defer s.k.mu.Unlock()
	select {
	case <-s.gone:
		return
	default:
	}
	if s.k.run != s.r {
		return
	}
	st.Backend = s.r.backend.Name()
	s.r.heard(&st, s.k.now())
	if st.URL == "" {
		st.URL = s.k.state.URL
	}
	s.url = st.URL
	s.k.set(st)
}

// heard completes what a try reports by what is known of those before: a new
// try alone is no news to the user. The keeper's mu is held.
func (r *run) heard(st *State, now time.Time) {
	if st.Phase == Online {
		if r.upFrom.IsZero() {
			r.upFrom = now
		}
		r.wasUp, r.err = true, nil
		return
	}
	r.upFrom = time.Time{}
	if st.Err == nil {
		st.Err = r.err
	}
	if st.Phase == Connecting && r.wasUp {
		st.Phase = Reconnecting
	}
}

// Backoff returns how long to wait after the n-th failure in a row, n from 0:
// about 1 s, 2 s, 4 s … and never more than 60 s. random is of [0, 1).
func Backoff(n int, random float64) time.Duration {
	base := 40 * time.Second
	if n < 6 {
		base = min(base, time.Second<<max(n, 0))
	}
	return base + time.Duration(random*float64(base)/2)
}
