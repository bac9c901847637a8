package session

import (
	"context"
	"iter"
	"os"
	"path/filepath"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/tunnel"
)

// DefaultListen is where the window captures.
const DefaultListen = "127.0.0.1:4080"

// What Start and the reading of requests may return.
var (
	ErrNotFound = store.ErrNotFound // no request has the id asked for
	ErrLocked   = store.ErrLocked   // another AnyHook works on the data folder
	ErrNewer    = store.ErrNewer    // a newer AnyHook wrote the data folder
	ErrDamaged  = store.ErrDamaged  // the database is broken, or none of ours
)

// DefaultDir is the data folder that is used when none is named.
func DefaultDir() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "anyhook"
	}
	return filepath.Join(dir, "anyhook")
}

// Endpoints returns the endpoints with their secrets.
func (s *Session) Endpoints(context.Context) ([]capture.Endpoint, error) {
	return s.keep.list(), nil
}

// SaveEndpoint replaces the endpoint called old, or adds one if old is "".
func (s *Session) SaveEndpoint(ctx context.Context, old string, e capture.Endpoint) error {
	defer s.db.Bell.Ring()
	defer s.targets.wake()
	defer s.forward.Kick()
	if err := s.keep.save(ctx, old, e); err != nil {
		return err
	}
	s.router.Rearm(e.Name)
	if old != "" && old != e.Name {
		return s.journal.Rename(ctx, old, e.Name)
	}
	return nil
}

// DeleteEndpoint forgets an endpoint and its secrets; its requests stay.
func (s *Session) DeleteEndpoint(ctx context.Context, name string) error {
	defer s.db.Bell.Ring()
	defer s.forward.Kick()
	return s.keep.remove(ctx, name)
}

// SetEndpoints adds the endpoints, each in the place of the one that has its path.
func (s *Session) SetEndpoints(ctx context.Context, all ...capture.Endpoint) error {
	for _, e := range all {
		old := ""
		for _, have := range s.keep.list() {
			if have.Path == e.Path {
				old = have.Name
			}
		}
		if err := s.SaveEndpoint(ctx, old, e); err != nil {
			return err
		}
	}
	return nil
}

// DefaultTarget is the target of the endpoint that catches every path.
func (s *Session) DefaultTarget() string { return s.router.Route("/").Target }

// Changed returns a channel that is closed at the next change of anything shown.
func (s *Session) Changed() <-chan struct{} { return s.db.Bell.C() }

// Status is how AnyHook is doing right now.
func (s *Session) Status() view.Status {
	state := s.keeper.State()
	s.mu.Lock()
	st := view.Status{Tunnel: state, Choice: s.choice, HasToken: s.hasToken, Store: s.trouble, Paused: s.paused, MaxBody: s.cfg.MaxBody}
	tested := s.tested
	s.mu.Unlock()
	st.Practice, st.Charged, st.Twice = s.practice.running()
	st.TokenIn, st.DataDir = s.secrets.Where(), s.cfg.Dir
	st.LocalURL, st.PortTaken = s.localURL, s.portTaken
	if state.Phase == tunnel.Online {
		st.PublicURL = state.URL
		st.Tested = tested == state.URL
	}
	st.Targets = s.targets.snapshot()
	st.FileSize, _ = s.db.Size() // 0 while nobody can tell
	st.Requests = s.log.Last()
	if n, err := s.journal.Counts(context.Background()); err == nil {
		st.Waiting, st.Failing = n.Waiting, n.Failing
	}
	return st
}

// Check verifies r's signature again as of its arrival, with the secrets its
// endpoint has now, and fills in what was hashed.
func (s *Session) Check(_ context.Context, r *capture.Request) capture.Signature {
	c := r.Clone()
	s.verify(c, s.endpointOf(r))
	return c.Signature
}

// Follow yields the requests after seq as soon as their events are read, and
// waits for more until ctx ends.
func (s *Session) Follow(ctx context.Context, seq capture.Seq) iter.Seq2[*capture.Request, error] {
	return s.log.Follow(ctx, seq)
}

// windowSetting is put in front of what the window keeps, so that it can never
// be one of our own settings.
const windowSetting = "window."

// Setting returns what the window kept under key; "" for nothing.
func (s *Session) Setting(ctx context.Context, key string) (string, error) {
	return s.settings.Get(ctx, windowSetting+key)
}

// SetSetting keeps a value for the window.
func (s *Session) SetSetting(ctx context.Context, key, value string) error {
	return s.settings.Set(ctx, windowSetting+key, value)
}

// Pause holds live forwarding; what arrives waits.
func (s *Session) Pause(on bool) {
	s.mu.Lock()
	s.paused = on
	s.mu.Unlock()
	s.forward.Pause(on)
	s.db.Bell.Ring()
}
