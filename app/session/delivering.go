package session

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/url"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/deliver"
	"anyhook.net/desktop/replay/forward"
	"anyhook.net/desktop/replay/journal"
	"anyhook.net/desktop/replay/run"
)

// A recorder is the journal, and tells of every attempt that ended.
type recorder struct {
	*journal.Journal
	ended func(replay.Attempt)
}

// End writes the attempt's outcome down, and tells of it.
func (r recorder) End(ctx context.Context, a *replay.Attempt) error {
	if err := r.Journal.End(ctx, a); err != nil {
		return err
	}
	if r.ended != nil {
		r.ended(*a)
	}
	return nil
}

func (s *Session) newSender() *deliver.Sender {
	return &deliver.Sender{
		Journal: recorder{s.journal, s.cfg.OnAttempt}, Now: s.now, Sign: s.sign, Own: s.own,
	}
}

// sign signs r, a clone, anew with the first secret of its endpoint; a sample, with the secret of samples.
func (s *Session) sign(r *capture.Request, how replay.Signing, now time.Time) error {
	ep := s.endpointOf(r)
	p, ok := s.known.Named(r.Provider)
	switch {
	case !ok:
		return errors.New("nobody knows how to sign it: its provider is not recognised")
	case len(ep.Secrets) == 0 && !r.Signature.Worth().Good(): // a sample is good without a secret
		return fmt.Errorf("the endpoint %s has no secret to sign with", ep.Name)
	}
	if err := how.Sign(p, r, signingSecret(ep, p), now); err != nil {
		return fmt.Errorf("sign as %s: %w", p.Title, err)
	}
	return nil
}

func (s *Session) newForwarder() *forward.Forwarder {
	return &forward.Forwarder{
		Follow: s.log.Follow, Newest: s.log.ReadTo, Request: s.find, Queue: s.journal, Endpoint: s.router.ByName,
		Deliver: func(ctx context.Context, r *capture.Request, ep capture.Endpoint) (replay.Attempt, error) {
			a, err := s.sender.Send(ctx, deliver.LiveOrder(r, ep))
			s.targets.learn(ep, a)
			return a, err
		},
		Listening: func(ctx context.Context, ep capture.Endpoint) bool {
			return s.sender.Listening(ctx, deliver.TargetOf(ep))
		},
		Random: mathrand.Float64, Now: s.now,
	}
}

// Replay carries out sc and returns when it ended or ctx did; progress is told
// of every attempt that ended. target "" means each request's own endpoint's.
func (s *Session) Replay(ctx context.Context, sc replay.Scenario, target string, progress func(replay.Run)) (replay.Run, error) {
	target, err := CheckTarget(target)
	if err != nil {
		return replay.Run{}, fmt.Errorf("target: %w", err)
	}
	if err := checkHold(sc); err != nil {
		return replay.Run{}, err
	}
	if err := s.meetAnew(ctx, sc, target); err != nil {
		return replay.Run{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	watch := s.practice.watch()
	r := &run.Runner{
		Sender: s.sender, Request: s.find, To: target, Now: s.now, NewID: func() replay.RunID { return replay.RunID("run_" + rand.Text()) },
		Target: func(r *capture.Request) (replay.Target, bool) {
			ep := s.endpointOf(r)
			to := deliver.TargetOf(ep)
			if target != "" {
				to = replay.Target{URL: target, Timeout: ep.Timeout, AwayOK: s.cfg.RemoteTargets}
			}
			watch.sending(r, to.URL)
			return to, to.URL != ""
		},
		Provider: s.provider, Make: s.makeOne, Look: s.newProber().Look, Save: s.journal.SaveRun,
	}
	done, err := r.Run(ctx, sc, progress)
	if done.ID == "" { // it cannot be carried out
		return done, err
	}
	done.Practice = watch.found()
	if err := s.journal.SaveRun(context.WithoutCancel(ctx), done); err != nil {
		return done, fmt.Errorf("write down the replay: %w", err)
	}
	return done, err
}

// find returns a request, or nil if there is none any more.
func (s *Session) find(ctx context.Context, id capture.ID) (*capture.Request, error) {
	r, err := s.log.Get(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return r, err
}

// endpointOf is the endpoint that r came in by, or, if that has another name
// now or is no more, the one that would take r today.
func (s *Session) endpointOf(r *capture.Request) capture.Endpoint {
	ep, ok := s.router.ByName(r.Endpoint)
	if !ok {
		ep = s.router.Route(pathOf(r.URL))
	}
	ep.Sample = s.keep.sample
	return ep
}

// publicAddr is the name and port of a URL, "x.ngrok.app:443"; "" for none.
func publicAddr(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return ""
	}
	if u.Port() != "" {
		return u.Host
	}
	if u.Scheme == "http" {
		return u.Host + ":80"
	}
	return u.Host + ":443"
}

// Listening reports whether somebody takes connections at a target. It sends
// nothing, and answers within seconds.
func (s *Session) Listening(ctx context.Context, target string) bool {
	return s.sender.Listening(ctx, replay.Target{URL: target})
}
