package capture

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Log keeps requests.
type Log interface {
	// Append keeps r. When it returns nil, r is on disk and has a Seq; from
	// then on it belongs to the Log as much as to its caller, and neither
	// changes it.
	Append(ctx context.Context, r *Request) error
	// Answered notes what the sender of a request was told in the end.
	Answered(ctx context.Context, id ID, status int) error
}

// The size in bytes of the largest body that is taken.
const (
	DefaultMaxBody = 32 << 20        // GitHub sends up to 25 MB (docs.github.com/webhooks, "Payload cap")
	LimitMaxBody   = maxInFlight / 2 // MaxBody is at most that: more would never find the room
)

// An Ingest answers senders: it reads a request whole, checks its signature,
// appends it to Log, and only then says 2xx. It captures whatever is asked of
// it, never redirects, and tells nobody anything about what it keeps.
//
// The order of the steps is the order in which they protect each other: what
// is too large or cut short has no signature verdict, a set-up check is
// answered only to those who may ask, and what is not on disk is not
// acknowledged.
//
// Await is called before the request can be seen in the Log, so that no answer
// is missed; the wait that it returns is called exactly once, after. There ok
// is false if there is no answer: because ctx ended, which the sender is told
// as 200, or, while it has not, because the handler could not be reached, which
// is 502. Await is nil where nobody can be waited for.
//
// The context of a request ends with its sender or with the server's
// BaseContext; that ends delays and waiting, but not what is being stored. If
// the BaseContext ends with ErrLeaving, the senders that wait are answered.
type Ingest struct {
	Log       Log
	Providers *Providers
	Router    *Router
	Head      func(*http.Request) ([]byte, bool)                   // the head as it came; nil or false and it is reconstructed
	Origin    func(*http.Request) (base, peer string)              // scheme and host as the sender sees them, and its address; nil asks the request
	Await     func(ID) (wait func(context.Context) (Answer, bool)) // what the handler says
	Checks    Checks
	MaxBody   int64 // bytes, up to LimitMaxBody; 0 means DefaultMaxBody
	NewID     func() ID
	Now       func() time.Time
	Logger    *slog.Logger
	Trouble   func(error) // told each time Log fails, and nil when it works again; may be nil

	bodies  budget
	failing atomic.Bool
	open    sync.Map // of ID to chan struct{}: whose senders are still there
}

// ServeHTTP captures one request.
func (in *Ingest) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	defer in.recovered(w, hr)
	r := in.arrival(hr) // first, for Head
	defer in.begin(r.ID)()
	ep := in.Router.Route(hr.URL.Path)
	r.Endpoint = ep.Name
	got := in.receive(w, hr)
	defer func() { in.bodies.give(got.held) }()
	switch got.end {
	case whole:
		r.Body = got.data
		in.judge(exchange{w, hr, r, ep})
	case over:
		got.data = nil
		in.oversize(exchange{w, hr, r, ep}, &got)
	case cut, slow:
		r.Body = got.data
		in.incomplete(exchange{w, hr, r, ep}, got)
	case busy:
		unavailable(w)
	}
}

// begin notes that a sender waits for its answer, until end is called.
func (in *Ingest) begin(id ID) (end func()) {
	over := make(chan struct{})
	in.open.Store(id, over)
	return func() {
		in.open.Delete(id)
		close(over)
	}
}

// Over returns a channel that is closed when the sender of a request has its
// answer, which the Log has by then, or went away without one.
func (in *Ingest) Over(id ID) <-chan struct{} {
	if over, ok := in.open.Load(id); ok {
		return over.(chan struct{})
	}
	over := make(chan struct{})
	close(over)
	return over
}

// Quiet returns when every sender that is here now has its answer, or went
// away, or ctx ended.
func (in *Ingest) Quiet(ctx context.Context) {
	in.open.Range(func(_, over any) bool {
		select {
		case <-over.(chan struct{}):
			return true
		case <-ctx.Done():
			return false
		}
	})
}

// An exchange is a request on its way through the steps.
type exchange struct {
	w  http.ResponseWriter
	hr *http.Request
	r  *Request
	ep Endpoint
}

// arrival is the request as far as its head tells.
func (in *Ingest) arrival(hr *http.Request) *Request {
	r := &Request{ID: in.NewID(), At: in.Now().UTC(), Body: []byte{}}
	r.Signature.Status = Unchecked
	exact := false
	if in.Head != nil {
		r.Head, exact = in.Head(hr)
	}
	if !exact {
		r.Head = rebuilt(hr)
		r.note("head reconstructed")
	}
	r.Method, r.Header = hr.Method, r.Head.Header()
	base := "http://" + hr.Host
	if in.Origin != nil {
		base, r.Peer = in.Origin(hr)
	} else {
		r.Peer = hostOf(hr.RemoteAddr)
	}
	r.URL = publicURL(base, hr.RequestURI)
	if path, _, _ := strings.Cut(hr.RequestURI, "?"); strings.HasPrefix(path, "/") && strings.Contains(path, "//") {
		r.note("the path has a doubled slash")
	}
	return r
}

// note adds to what there is to say of r.
func (r *Request) note(s string) {
	if r.Note != "" {
		s = r.Note + "; " + s
	}
	r.Note = s
}

// oversize keeps the head of a request that is too large, says so, and lets the
// sender finish, so that it hears the answer.
func (in *Ingest) oversize(x exchange, got *received) {
	x.r.Kind, x.r.Answered = Oversize, http.StatusRequestEntityTooLarge
	x.r.note(got.overNote(in.maxBody()))
	x.w.Header().Set("Connection", "close")
	if !in.store(x) {
		return
	}
	in.bodies.give(got.held)
	got.held = 0
	rc := http.NewResponseController(x.w)
	_ = rc.EnableFullDuplex()
	say(x.w, Answer{Status: x.r.Answered})
	_ = rc.Flush()
	if x.hr.Header.Get("Expect") == "" {
		in.drain(x.w, x.hr)
	}
}

// incomplete keeps what came of a request whose sender did not finish.
func (in *Ingest) incomplete(x exchange, got received) {
	x.r.Kind = Incomplete
	x.r.note(got.cutNote(x.hr.ContentLength))
	status := http.StatusBadRequest
	if got.end == slow {
		status = http.StatusRequestTimeout
	}
	x.w.Header().Set("Connection", "close")
	in.storeThenSay(x, Answer{Status: status})
}

// storeThenSay answers with a, which is known beforehand.
func (in *Ingest) storeThenSay(x exchange, a Answer) {
	if !final(a.Status) {
		a = Answer{Status: http.StatusOK}
	}
	x.r.Answered = a.Status
	if in.store(x) {
		say(x.w, a)
	}
}

// store appends the request, whatever becomes of its sender, and answers 503 if it cannot.
func (in *Ingest) store(x exchange) bool {
	err := in.append(context.WithoutCancel(x.hr.Context()), x.r)
	if err != nil {
		unavailable(x.w)
	}
	return err == nil
}

func (in *Ingest) append(ctx context.Context, r *Request) error {
	err := in.Log.Append(ctx, r)
	switch {
	case err != nil:
		in.failing.Store(true)
		in.Logger.ErrorContext(ctx, "request not stored", "id", r.ID, "err", err)
		in.tell(err)
	case in.failing.CompareAndSwap(true, false):
		in.tell(nil)
	}
	return err
}

func (in *Ingest) tell(err error) {
	if in.Trouble != nil {
		in.Trouble(err)
	}
}

// Stray keeps what never became a request.
func (in *Ingest) Stray(s StrayBytes) {
	r := &Request{
		ID: in.NewID(), Kind: Stray, At: in.Now().UTC(), Peer: s.Peer,
		Head: s.Bytes, Body: []byte{}, Note: s.Note, Answered: s.Answered,
	}
	r.Signature.Status = Unchecked
	r.Header = r.Head.Header()
	if method, _, proto := r.Head.Line(); strings.HasPrefix(proto, "HTTP/") {
		r.Method = method
	}
	_ = in.append(context.Background(), r) // logged and told
}

// recovered is what a bug ends in. What panicked may hold a request's bytes or
// a secret, so it is not logged; the stack says where.
func (in *Ingest) recovered(w http.ResponseWriter, hr *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(v)
	}
	in.Logger.ErrorContext(hr.Context(), "capture failed", "panic", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
	w.Header().Set("Connection", "close")
	say(w, Answer{Status: http.StatusInternalServerError})
}
