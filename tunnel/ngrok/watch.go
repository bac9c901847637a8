package ngrok

import (
	"errors"
	"strings"
	"sync"
	"time"

	"golang.ngrok.com/ngrok/v2"

	"anyhook.net/desktop/tunnel"
)

// news is what is known of a session.
type news struct {
	url     string // of the endpoint, once it is open
	up      bool   // the last thing heard was good
	err     error  // why not up
	bad     int    // refusals by the service in a row
	fatal   error  // the service will refuse for ever
	refused error  // Listen gave up
	stopped error  // the endpoint was closed from outside
	ended   bool   // the session will not come back
	latency time.Duration
}

// A watch gathers news from the SDK's handlers. Those run while the SDK holds
// its locks, so they only write down and ring.
type watch struct {
	mu   sync.Mutex
	n    news
	bell chan struct{}
}

func newWatch() *watch { return &watch{bell: make(chan struct{})} }

func (w *watch) note(f func(*news)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(&w.n)
	close(w.bell)
	w.bell = make(chan struct{})
}

func (w *watch) look() news {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n
}

// changed returns a channel that is closed with the next news. It is taken before look.
func (w *watch) changed() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bell
}

// event is the SDK's handler. It asks the agent nothing: that would deadlock.
func (w *watch) event(ev ngrok.Event) {
	switch ev := ev.(type) {
	case *ngrok.EventAgentConnectSucceeded:
		w.note(func(n *news) { n.up, n.err, n.bad = true, nil, 0 })
	case *ngrok.EventAgentDisconnected:
		w.note(func(n *news) { n.disconnected(ev.Error) })
	case *ngrok.EventAgentHeartbeatReceived:
		w.note(func(n *news) { n.latency = ev.Latency })
	}
}

func (n *news) disconnected(err error) {
	n.up, n.latency = false, 0
	if err == nil {
		n.ended = true
		return
	}
	n.err = err
	code := codeOf(err)
	switch {
	case fatal(code):
		n.fatal = err
	case code != "" || strings.HasPrefix(err.Error(), "authentication failed"):
		n.bad++
	}
}

// verdict says what the news come to: a state, or that this session is of no more use.
func (n *news) verdict(hide func(string) string) (tunnel.State, error) {
	switch {
	case n.fatal != nil:
		return tunnel.State{}, explain(n.fatal, hide)
	case n.refused != nil:
		return tunnel.State{}, refusedEndpoint(n.refused, hide)
	case n.stopped != nil && codeOf(n.stopped) != "":
		return tunnel.State{}, explain(n.stopped, hide)
	case n.ended || n.stopped != nil:
		return tunnel.State{}, byWord("ended", "")
	case n.bad >= refusals:
		return tunnel.State{}, explain(n.err, hide)
	case n.url != "" && n.up:
		return tunnel.State{Phase: tunnel.Online, URL: n.url, Latency: n.latency}, nil
	}
	st := tunnel.State{Phase: tunnel.Connecting, URL: n.url}
	if n.url != "" {
		st.Phase = tunnel.Reconnecting
	}
	if n.err != nil {
		st.Err = explain(n.err, hide)
	}
	return st, nil
}

// refusedEndpoint explains why the endpoint could not be opened. The same
// wish will be refused again, unless what is in the way goes away by itself.
func refusedEndpoint(err error, hide func(string) string) error {
	e := explain(err, hide)
	if t, ok := errors.AsType[*tunnel.Error](e); ok && t.Code != "" && !passes(t.Code) {
		t.Fatal = true
	}
	return e
}
