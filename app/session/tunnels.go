package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/assets"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/secret"
	"anyhook.net/desktop/tunnel"
	"anyhook.net/desktop/tunnel/ngrok"
)

// Names under which the choice and the token are kept.
const (
	tunnelSetting = "tunnel"
	tokenSecret   = "ngrok"
)

// Connect changes the way in, and remembers it for the next start. It returns
// before the tunnel is open: Status has the state.
func (s *Session) Connect(ctx context.Context, c view.TunnelChoice) error {
	if c.Kind == "" {
		c.Kind = "none"
	}
	b, err := s.backend(ctx, c)
	if err != nil {
		return err
	}
	c.Token = "" // never in the database
	text, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("remember the tunnel: %w", err)
	}
	if err := s.settings.Set(ctx, tunnelSetting, string(text)); err != nil {
		return fmt.Errorf("remember the tunnel: %w", err)
	}
	s.mu.Lock()
	s.choice = c
	s.mu.Unlock()
	if b == nil {
		s.keeper.Stop()
	} else {
		s.keeper.Start(s.ctx, b)
	}
	s.db.Bell.Ring()
	return nil
}

// Reconnect opens the tunnel that was chosen last time.
func (s *Session) Reconnect(ctx context.Context) error {
	s.mu.Lock()
	c := s.choice
	s.mu.Unlock()
	return s.Connect(ctx, c)
}

// RetryTunnel tries again at once.
func (s *Session) RetryTunnel() { s.keeper.Restart() }

// backend makes the backend of c; nil for none.
func (s *Session) backend(ctx context.Context, c view.TunnelChoice) (tunnel.Backend, error) {
	switch c.Kind {
	case "none":
		return nil, nil
	case "own":
		u, err := tunnel.ParseURL(c.URL)
		if err != nil {
			return nil, err
		}
		return &tunnel.Own{URL: u}, nil
	case "ngrok":
		token, err := s.token(ctx, c.Token)
		if err != nil {
			return nil, err
		}
		b := &ngrok.Backend{Token: token, URL: c.URL, Version: assets.Version, Logger: s.cfg.Logger, Proxy: http.ProxyFromEnvironment}
		if s.cfg.Ngrok != nil {
			s.cfg.Ngrok(b)
		}
		return b, nil
	}
	return nil, fmt.Errorf("there is no tunnel %q: want none, ngrok or own", c.Kind)
}

// token keeps a new ngrok token, or returns the one that was kept.
func (s *Session) token(ctx context.Context, fresh string) (string, error) {
	if fresh != "" {
		if err := s.secrets.Set(ctx, tokenSecret, capture.Secret(fresh)); err != nil {
			return "", fmt.Errorf("keep the ngrok token: %w", err)
		}
		s.mu.Lock()
		s.hasToken = true
		s.mu.Unlock()
		return fresh, nil
	}
	kept, err := s.secrets.Get(ctx, tokenSecret)
	if err != nil && !errors.Is(err, secret.ErrNotFound) {
		return "", fmt.Errorf("read the ngrok token: %w", err)
	}
	if err != nil {
		return "", ngrok.ByCode("ERR_NGROK_4018") // no token
	}
	return kept.Reveal(), nil
}

// remembered is the tunnel that was chosen last time.
func (s *Session) remembered(ctx context.Context) (view.TunnelChoice, error) {
	c := view.TunnelChoice{Kind: "none"}
	text, err := s.settings.Get(ctx, tunnelSetting)
	if err != nil || text == "" {
		return c, err
	}
	var kept view.TunnelChoice
	if json.Unmarshal([]byte(text), &kept) == nil { // else a newer AnyHook wrote it: choose again
		c = kept
	}
	return c, nil
}
