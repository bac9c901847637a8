package session

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture/wire"
	"anyhook.net/desktop/tunnel/ngrok"
)

// probePath is where a test of the public URL goes; a word that nobody can
// guess comes behind it.
const probePath = "/.anyhook-test/"

// A prober knows its own requests when they come back by the public URL. They
// are answered, and not captured.
type prober struct {
	mu      sync.Mutex
	token   string // "" while no test is under way
	arrived bool   // the request of the test under way came here
}

// wrap answers a test, and leaves everything else to h.
func (p *prober) wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, word, ok := strings.Cut(r.URL.Path, probePath) // what is in front may put a path of its own before it
		if !ok || !p.mine(word) {
			h.ServeHTTP(w, r)
			return
		}
		wire.Take(r) // it is told apart here, and never a stray
		w.WriteHeader(http.StatusNoContent)
	})
}

// mine reports whether word is that of the test under way, and notes that it came.
func (p *prober) mine(word string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	mine := p.token != "" && subtle.ConstantTimeCompare([]byte(word), []byte(p.token)) == 1
	p.arrived = p.arrived || mine
	return mine
}

// begin begins a test.
func (p *prober) begin(token string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.token, p.arrived = token, false
}

// end ends the test, and reports whether its request came here.
func (p *prober) end() (arrived bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.token = ""
	return p.arrived
}

// reasonOf is err without the method and URL that net/http puts in front.
func reasonOf(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// TestURL asks for the public URL from outside, and returns what is wrong with
// it: nil means that what is sent there arrives here, and is answered. Whether it
// arrives is seen here and not by the answer, which a proxy may have changed.
func (s *Session) TestURL(ctx context.Context) error {
	st := s.Status()
	if st.PublicURL == "" {
		return &view.NotReached{}
	}
	s.oneTest.Lock()
	defer s.oneTest.Unlock()
	err := s.ask(ctx, st)
	if ctx.Err() != nil {
		return err // stopped: it says nothing
	}
	s.mu.Lock()
	s.tested = ""
	if err == nil {
		s.tested = st.PublicURL
	}
	s.mu.Unlock()
	s.db.Bell.Ring()
	return err
}

// ask sends one request to the public URL; nil means that it came here and was answered.
func (s *Session) ask(ctx context.Context, st view.Status) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	token := rand.Text()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(st.PublicURL, "/")+probePath+token, nil)
	if err != nil {
		return fmt.Errorf("test %s: %w", st.PublicURL, err)
	}
	req.Header.Set("Ngrok-Skip-Browser-Warning", "1") // the free plan shows a page of its own to what looks like a browser
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, Proxy: http.ProxyFromEnvironment},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	s.prober.begin(token)
	res, err := client.Do(req)
	away := &view.NotReached{URL: st.PublicURL, LocalURL: st.LocalURL, Arrived: s.prober.end()}
	if err != nil {
		away.Err = reasonOf(err)
		return away
	}
	defer res.Body.Close()
	away.Status = res.StatusCode
	if away.Arrived && away.Status < 300 {
		return nil
	}
	if code := res.Header.Get("Ngrok-Error-Code"); code != "" && !away.Arrived {
		away.Err = ngrok.ByCode(code)
	}
	return away
}
