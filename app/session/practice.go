package session

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
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

// beforePractice keeps the URL of the practice handler and, in the next line,
// the target that the default endpoint had before; "" when nobody practises.
const beforePractice = "before-practice"

// Practice starts or stops the practice handler, and points the endpoint that
// catches every path at it, or back.
func (s *Session) Practice(ctx context.Context, on bool) error {
	if !on {
		s.practice.stop()
		return s.afterPractice(ctx)
	}
	url, err := s.practice.start(ctx)
	if err != nil {
		return fmt.Errorf("start the practice handler: %w", err)
	}
	ep := s.router.Route("/")
	if ep.Target == url {
		return nil
	}
	if err := s.settings.Set(ctx, beforePractice, url+"\n"+ep.Target); err != nil {
		return err
	}
	ep.Target = url
	return s.SaveEndpoint(ctx, ep.Name, ep)
}

// afterPractice gives the endpoint that catches every path its target back, if
// it is still the practice handler that does not run any more, because it was
// stopped or because AnyHook ended.
func (s *Session) afterPractice(ctx context.Context) error {
	text, err := s.settings.Get(ctx, beforePractice)
	if err != nil || text == "" {
		return err
	}
	url, was, _ := strings.Cut(text, "\n")
	if ep := s.router.Route("/"); ep.Target == url {
		ep.Target = was
		if err := s.SaveEndpoint(ctx, ep.Name, ep); err != nil {
			return err
		}
	}
	return s.settings.Set(ctx, beforePractice, "")
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

// stop ends the shop, if it runs.
func (p *practiceShop) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		return
	}
	_ = p.server.Close()
	<-p.ended
	p.server, p.url = nil, ""
}

// forget has the shop forget the events of r, so that it meets them as new.
func (p *practiceShop) forget(r *capture.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		p.shop.Forget(r.Header, r.Body)
	}
}

// meetAnew has the practice handler forget what sc sends to it more than once
// at the same moment: it has had these events when they arrived, and what two
// at once do can only be seen with new ones.
func (s *Session) meetAnew(ctx context.Context, sc replay.Scenario, target string) error {
	url, _, _ := s.practice.running()
	if url == "" {
		return nil
	}
	for _, w := range sc.Waves {
		seen := map[capture.ID]bool{}
		for _, send := range w {
			if !seen[send.Request] {
				seen[send.Request] = true
				continue
			}
			r, err := s.find(ctx, send.Request)
			if err != nil {
				return err
			}
			if r != nil && cmp.Or(target, s.endpointOf(r).Target) == url {
				s.practice.forget(r)
			}
		}
	}
	return nil
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
