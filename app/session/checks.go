package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/cert"
	"anyhook.net/desktop/replay/deliver"
	"anyhook.net/desktop/replay/forward"
)

// certificates are kept in dir, a data folder.
func certificates(dir string, o cert.Options) *cert.Store {
	return cert.New(filepath.Join(dir, "certificates"), o)
}

// KeptCertificate returns the certificate that the signature of r, which came
// in by ep, is checked with, if it is kept in dir, a data folder; nothing where
// none is needed. It fetches nothing.
func KeptCertificate(dir string, r *capture.Request, known *capture.Providers, ep capture.Endpoint) []capture.Secret {
	return kept(certificates(dir, cert.Options{}), r, known, ep)
}

func kept(store *cert.Store, r *capture.Request, known *capture.Providers, ep capture.Endpoint) []capture.Secret {
	p, address := capture.CertificateOf(r, known, ep)
	if p == nil {
		return nil
	}
	if c, ok := store.Kept(address); ok {
		return []capture.Secret{capture.Secret(c)}
	}
	return nil
}

// verify checks the signature of r with what ep has and what is kept.
func (s *Session) verify(r *capture.Request, ep capture.Endpoint) {
	capture.Verify(r, s.known, ep, kept(s.certs, r, s.known, ep)...)
}

// checks are what capturing asks others for.
func (s *Session) checks() capture.Checks {
	return capture.Checks{Certificate: s.certificate, Pass: s.passCheck, Learn: s.learn}
}

// learn keeps the secret that a provider sent when it was set up.
func (s *Session) learn(ctx context.Context, endpoint, provider string, secret capture.Secret) error {
	if err := s.keep.learn(ctx, endpoint, provider, secret); err != nil {
		return err
	}
	s.cfg.Logger.InfoContext(ctx, "kept the secret that a set-up check brought", "endpoint", endpoint, "provider", provider)
	s.db.Bell.Ring()
	return nil
}

// certificate returns a provider's certificate, and fetches it if it has to.
func (s *Session) certificate(ctx context.Context, p *capture.Provider, address string) (capture.Secret, bool) {
	c, err := s.certs.Get(ctx, address, !p.Unchained)
	if err != nil {
		s.cfg.Logger.WarnContext(ctx, "no certificate to check a signature with", "provider", p.Name, "err", err)
		return "", false
	}
	return capture.Secret(c), true
}

// passCheck sends a set-up check to the handler, also while forwarding is
// paused: its sender waits, and no other attempt follows.
func (s *Session) passCheck(ctx context.Context, r *capture.Request, ep capture.Endpoint) (capture.Answer, bool) {
	order := deliver.LiveOrder(r, ep)
	order.Keep = deliver.AwaitedKeep
	a, err := s.sender.Send(ctx, order)
	if err != nil {
		s.cfg.Logger.ErrorContext(ctx, "set-up check not passed on", "id", r.ID, "err", err)
		return capture.Answer{}, false
	}
	s.targets.learn(ep, a)
	return forward.PassOn(a.Outcome)
}

// learn adds a secret to an endpoint that names the provider and has none.
func (e *endpoints) learn(ctx context.Context, name, provider string, s capture.Secret) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.all, func(o capture.Endpoint) bool { return o.Name == name })
	if i < 0 || e.all[i].Provider != provider || len(e.all[i].Secrets) > 0 {
		return errors.New("the endpoint was changed in the meantime")
	}
	ep := e.all[i]
	ep.Secrets = []capture.Secret{s}
	if err := e.writeSecrets(ctx, ep); err != nil {
		return fmt.Errorf("keep a secret: %w", err)
	}
	e.all[i] = ep
	e.route()
	return nil
}
