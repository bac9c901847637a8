package tunnel

import (
	"context"
	"log/slog"
	"net"
	"reflect"
	"sync"
	"time"
)

// leaving is how long a backend or an observer may take to end before it is
// left behind.
const leaving = 2 * time.Second

// A Keeper is the one way in for the whole life of the program: a net.Listener
// that never fails, fed by a local address and by the Backend that runs now.
// Backends are started, changed and stopped, and the http.Server that serves
// the Keeper notices nothing. All methods may be called from any goroutine.
type Keeper struct {
	now    func() time.Time
	random func() float64
	log    *slog.Logger

	conns  chan net.Conn
	closed chan struct{}

	mu        sync.Mutex // guards what follows
	local     net.Listener
	localDone chan struct{}
	run       *run // the newest; nil before the first Start and after Stop
	last      <-chan struct{}
	state     State
	changed   chan struct{}
	history   []Change
	observers map[*observer]struct{}
}

// NewKeeper returns a Keeper that carries nothing yet. random, of [0, 1),
// spreads the tries after a failure; nil does not spread. A nil log says nothing.
func NewKeeper(now func() time.Time, random func() float64, log *slog.Logger) *Keeper {
	if random == nil {
		random = func() float64 { return 0 }
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	ended := make(chan struct{})
	close(ended)
	return &Keeper{
		now: now, random: random, log: log,
		conns: make(chan net.Conn), closed: make(chan struct{}),
		last: ended, changed: make(chan struct{}),
		state:     State{Phase: Offline, Since: now()},
		observers: map[*observer]struct{}{},
	}
}

// Accept returns the next connection, from wherever it came. It fails only
// after Close, with net.ErrClosed.
func (k *Keeper) Accept() (net.Conn, error) {
	select {
	case <-k.closed:
		return nil, net.ErrClosed
	default:
	}
	select {
	case c := <-k.conns:
		return c, nil
	case <-k.closed:
		return nil, net.ErrClosed
	}
}

// Addr returns the local address, or a made-up one before Listen.
func (k *Keeper) Addr() net.Addr {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.local == nil {
		return nowhere{}
	}
	return k.local.Addr()
}

type nowhere struct{}

func (nowhere) Network() string { return "tunnel" }
func (nowhere) String() string  { return "tunnel" }

// Start brings b up in place of whatever runs, and returns at once. It does
// nothing if b is what runs. b ends with ctx, at Stop, at Close, or with a fatal
// error; after any other it is tried again, each time later, up to a minute.
func (k *Keeper) Start(ctx context.Context, b Backend) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r := k.run; r != nil && !r.over && same(r.backend, b) {
		return
	}
	k.begin(ctx, b)
}

// Restart tries at once what was started last, with a new session; it does
// nothing after Stop.
func (k *Keeper) Restart() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.run != nil {
		k.run.again()
	}
}

// Stop ends what runs. It returns when that has ended, after two seconds at
// the latest; the State is Offline from the start.
func (k *Keeper) Stop() {
	k.mu.Lock()
	k.drop()
	last := k.last
	k.mu.Unlock()
	<-last
}

// Close ends everything and makes Accept fail. Whatever does not end within
// two seconds is left behind.
func (k *Keeper) Close() error {
	k.mu.Lock()
	if k.isClosed() {
		k.mu.Unlock()
		return nil
	}
	k.drop()
	close(k.closed)
	wait := []<-chan struct{}{k.last}
	if k.local != nil {
		k.local.Close()
		wait = append(wait, k.localDone)
	}
	for o := range k.observers {
		wait = append(wait, o.done)
	}
	k.mu.Unlock()

	late := time.NewTimer(leaving + leaving/10)
	defer late.Stop()
	for _, done := range wait {
		select {
		case <-done:
		case <-late.C:
			return nil
		}
	}
	return nil
}

// drop ends the run and forgets it. k.mu is held.
func (k *Keeper) drop() {
	if k.run == nil {
		return
	}
	k.run.cancel()
	k.run = nil
	k.set(State{Phase: Offline})
}

// isClosed reports whether Close was called. k.mu is held.
func (k *Keeper) isClosed() bool {
	select {
	case <-k.closed:
		return true
	default:
		return false
	}
}

// same reports whether a and b are one backend. Values that cannot be compared are not.
func same(a, b Backend) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.ValueOf(a).Comparable() && a == b
}
