package deliver

import (
	"context"
	"net"

	"anyhook.net/desktop/replay"
)

// Reach opens a connection to where t is, without TLS, and only where Send
// would: what AnyHook captures itself is not reached, and another machine only
// if that is confirmed. It is for looking at the handler.
func (s *Sender) Reach(ctx context.Context, t replay.Target) (net.Conn, error) {
	at, err := parse(t.URL)
	if err != nil {
		return nil, err
	}
	conn, _, err := s.reach(ctx, at, t.AwayOK)
	return conn, err
}
