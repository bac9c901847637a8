package session

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/probe"
)

// Scenarios returns those that are saved, the one that changed last first.
func (a *Archive) Scenarios(ctx context.Context) ([]replay.Scenario, error) {
	return a.journal.Scenarios(ctx)
}

// SaveScenario puts sc in the place of the one called old, or adds it if old is "".
func (s *Session) SaveScenario(ctx context.Context, old string, sc replay.Scenario) error {
	if err := sc.Check(); err != nil {
		return err
	}
	return s.journal.SaveScenario(ctx, old, sc, s.now())
}

// DeleteScenario forgets a scenario; its runs stay.
func (s *Session) DeleteScenario(ctx context.Context, name string) error {
	return s.journal.DeleteScenario(ctx, name)
}

// PastRuns returns the newest runs, the newest first.
func (a *Archive) PastRuns(ctx context.Context, limit int) ([]replay.Run, error) {
	return a.journal.Runs(ctx, limit)
}

// RunAttempts returns the attempts of a run, in the order of their beginning.
func (a *Archive) RunAttempts(ctx context.Context, id replay.RunID) ([]replay.Attempt, error) {
	return a.journal.OfRun(ctx, id)
}

// newProber looks where replays may go: at this machine, and at others that
// the user confirmed.
func (s *Session) newProber() *probe.Prober {
	return &probe.Prober{Dial: func(ctx context.Context, address string) (net.Conn, error) {
		return s.sender.Reach(ctx, replay.Target{URL: address, AwayOK: s.cfg.RemoteTargets || s.confirmed(address)})
	}}
}

// confirmed reports whether an endpoint's target is on the host of a URL, and
// the user confirmed that it is another machine.
func (s *Session) confirmed(address string) bool {
	return slices.ContainsFunc(s.keep.list(), func(e capture.Endpoint) bool {
		return e.AwayOK && e.Target != "" && hostOf(e.Target) == hostOf(address)
	})
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// checkHold says which expectation nobody could look at.
func checkHold(sc replay.Scenario) error {
	for i, e := range sc.Hold {
		if err := probe.Check(e); err != nil {
			return fmt.Errorf("expectation %d: %w", i+1, err)
		}
	}
	return nil
}

// provider tells who sent a request.
func (s *Session) provider(r *capture.Request) (*capture.Provider, bool) {
	return s.known.Named(cmp.Or(r.Provider, s.endpointOf(r).Provider))
}

// makeOne stores a request that was made here, and returns it as it is stored.
func (s *Session) makeOne(ctx context.Context, r *capture.Request) (*capture.Request, error) {
	ids, err := s.Make(ctx, []*capture.Request{r})
	if err != nil {
		return nil, err
	}
	return s.Request(ctx, ids[0])
}
