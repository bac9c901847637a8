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
	mu    sync.Mutex
	token string // "" while no test is under way
}

// wrap answers a test, and leaves everything else to h.
func (p *prober) wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		word, ok := strings.CutPrefix(r.URL.Path, probePath)
		if !ok || !p.mine(word) {
			h.ServeHTTP(w, r)
			return
		}
		wire.Take(r) // it is told apart here, and never a stray
		w.Header().Set("X-AnyHook-Test", word)
		w.WriteHeader(http.StatusNoContent)
	})
}

func (p *prober) mine(word string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.token != "" && subtle.ConstantTimeCompare([]byte(word), []byte(p.token)) == 1
}

func (p *prober) set(token string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.token = token
}

// reasonOf is err without the method and URL that net/http puts in front.
func reasonOf(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// TestURL asks for the public URL from outside, and returns what is wrong with
// it: nil means that what is sent there arrives here.
func (s *Session) TestURL(ctx context.Context) error {
	st := s.Status()
	if st.PublicURL == "" {
		return &view.NotReached{}
	}
	token := rand.Text()
	s.prober.set(token)
	defer s.prober.set("")
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(st.PublicURL, "/")+probePath+token, nil)
	if err != nil {
		return fmt.Errorf("test %s: %w", st.PublicURL, err)
	}
	req.Header.Set("Ngrok-Skip-Browser-Warning", "1") // the free plan shows a page of its own to what looks like a browser
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, Proxy: http.ProxyFromEnvironment},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		return &view.NotReached{URL: st.PublicURL, Err: reasonOf(err)}
	}
	defer res.Body.Close()
	if res.Header.Get("X-AnyHook-Test") != token {
		away := &view.NotReached{URL: st.PublicURL, LocalURL: st.LocalURL, Status: res.StatusCode}
		if code := res.Header.Get("Ngrok-Error-Code"); code != "" {
			away.Err = ngrok.ByCode(code)
		}
		return away
	}
	return nil
}
