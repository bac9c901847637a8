package session

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/wire"
	"anyhook.net/desktop/tunnel"
)

// leaving is how long Leave waits for senders that are in the middle of a request.
const leaving = 2 * time.Second

// capture opens the local address and serves what comes there and by the tunnel.
func (s *Session) capture(ctx context.Context) error {
	s.keeper = tunnel.NewKeeper(s.now, mathrand.Float64, s.cfg.Logger)
	if s.cfg.Listen == "" {
		return nil
	}
	taken, err := s.keeper.Listen(ctx, s.cfg.Listen)
	if err != nil {
		return fmt.Errorf("capture at %s: %w", s.cfg.Listen, err)
	}
	if taken != 0 && !s.cfg.AnyPort {
		return fmt.Errorf("capture at %s: another program listens there; choose another port, or 0 for a free one", s.cfg.Listen)
	}
	s.portTaken = taken
	s.localURL = "http://" + s.keeper.Addr().String()

	s.ingest = &capture.Ingest{
		Log: s.log, Providers: s.known, Router: s.router,
		Head: wire.Take, Origin: s.keeper.Origin, Await: s.forward.Await, Checks: s.checks(),
		MaxBody: s.cfg.MaxBody, NewID: newID, Now: s.now, Logger: s.cfg.Logger, Trouble: s.setTrouble,
	}
	s.server = wire.Server(s.prober.wrap(s.ingest), s.cfg.Logger)
	s.server.BaseContext = func(net.Listener) context.Context { return s.ctx }
	s.server.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return tunnel.ConnContext(wire.ConnContext(ctx, c), c)
	}
	listener := wire.Listen(s.keeper, s.ingest.Stray)
	s.wg.Go(func() {
		if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			s.cfg.Logger.Error("capturing stopped", "err", err)
		}
	})
	stop := s.keeper.OnState(func(tunnel.State) { s.db.Bell.Ring() })
	s.wg.Go(func() { <-s.ctx.Done(); stop() })
	return nil
}

// Leave ends capturing and forwarding. Senders that wait for the handler, or
// for a delay to be over, have their answer when it returns; what is stored can
// be read until Close, which leaves, too. It returns within seconds.
func (s *Session) Leave() {
	s.cancel(capture.ErrLeaving)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), leaving)
	defer cancel()
	if s.ingest != nil {
		s.ingest.Quiet(ctx) // before the tunnel is closed, by which the answers go
	}
	if s.keeper != nil {
		_ = s.keeper.Close()
	}
	if s.server != nil && s.server.Shutdown(ctx) != nil {
		_ = s.server.Close()
	}
}

// Before returns the newest request that was there when the session started.
func (s *Session) Before() capture.Seq { return s.before }

// Answered waits until the sender of a request has its answer, or went away
// without one, and returns the request as it is then.
func (s *Session) Answered(ctx context.Context, id capture.ID) (*capture.Request, error) {
	if s.ingest != nil {
		select {
		case <-s.ingest.Over(id):
		case <-ctx.Done():
		}
	}
	return s.Request(context.WithoutCancel(ctx), id)
}

func newID() capture.ID { return capture.ID("req_" + rand.Text()) }

// own reports whether AnyHook itself captures at the address: to deliver there would be a loop.
func (s *Session) own(addr string) bool {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || s.keeper == nil {
		return false
	}
	if local, ok := s.keeper.Addr().(*net.TCPAddr); ok && port == strconv.Itoa(local.Port) {
		ip := net.ParseIP(host)
		if ip != nil && (ip.IsLoopback() || ip.Equal(local.IP)) {
			return true
		}
	}
	return publicAddr(s.keeper.State().URL) == addr
}
