package session

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"anyhook.net/desktop/replay/practice"
)

// A practiceShop is the practice handler, while it runs.
type practiceShop struct {
	mu     sync.Mutex
	shop   *practice.Shop
	server *http.Server
	ended  chan struct{}
	url    string
}

// practiceFlaw is what is wrong with the practice handler: taught at the same
// moment, an event is charged twice.
const practiceFlaw = "race"

// beforePractice keeps the target that the default endpoint had before.
const beforePractice = "before-practice"

// Practice starts or stops the practice handler, and points the endpoint that
// catches every path at it, or back.
func (s *Session) Practice(ctx context.Context, on bool) error {
	ep := s.router.Route("/")
	if !on {
		was, err := s.settings.Get(ctx, beforePractice)
		if err != nil {
			return err
		}
		if url := s.practice.stop(); url != "" && ep.Target == url {
			ep.Target = was
			return s.SaveEndpoint(ctx, ep.Name, ep)
		}
		return nil
	}
	url, err := s.practice.start(ctx)
	if err != nil {
		return fmt.Errorf("start the practice handler: %w", err)
	}
	if ep.Target != url {
		if err := s.settings.Set(ctx, beforePractice, ep.Target); err != nil {
			return err
		}
		ep.Target = url
	}
	return s.SaveEndpoint(ctx, ep.Name, ep)
}

// start returns the URL of the running shop.
func (p *practiceShop) start(ctx context.Context) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		return p.url, nil
	}
	shop, err := practice.New(practiceFlaw)
	if err != nil {
		return "", err
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:4090")
	if err != nil {
		if l, err = lc.Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
			return "", err
		}
	}
	p.shop = shop
	p.server = &http.Server{Handler: shop, ReadHeaderTimeout: 10 * time.Second}
	p.url, p.ended = "http://"+l.Addr().String()+"/webhooks", make(chan struct{})
	go func(srv *http.Server, ended chan struct{}) {
		defer close(ended)
		_ = srv.Serve(l) // until stop
	}(p.server, p.ended)
	return p.url, nil
}

// stop ends the shop and returns the URL that it had; "" if it did not run.
func (p *practiceShop) stop() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		return ""
	}
	_ = p.server.Close()
	<-p.ended
	url := p.url
	p.server, p.url = nil, ""
	return url
}

// running returns the shop's URL, how many events it charged, and how many of
// these more than once; "" if it does not run.
func (p *practiceShop) running() (url string, charged, twice int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		return "", 0, 0
	}
	st := p.shop.State()
	return p.url, len(st.Charges), st.Twice
}
