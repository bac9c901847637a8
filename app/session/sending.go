package session

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/capture/sample"
	"anyhook.net/desktop/replay"
)

// A Sample is one sample event to send.
type Sample struct {
	Provider string
	Name     string         // as sample.Names lists it
	Secret   capture.Secret // "" sends it unsigned
	URL      string         // where to
	Public   string         // the URL that the signature covers; "" means URL
	Signing  replay.Signing // wrong on purpose; AsReceived signs as the provider would
	Now      time.Time
}

// SendSample sends a sample event as the provider would, with a new id and the
// time of now. It returns the status of the answer and the event's key.
func SendSample(ctx context.Context, s Sample) (status int, key string, err error) {
	p, ok := provider.ByName(s.Provider)
	if !ok {
		return 0, "", fmt.Errorf("provider %q is not known", s.Provider)
	}
	r, err := sample.Build(s.Provider, s.Name, s.Now, rand.Text)
	if err != nil {
		return 0, "", err
	}
	r.URL = s.URL
	if s.Public != "" {
		r.URL = s.Public
	}
	if s.Secret != "" {
		how := cmp.Or(s.Signing, replay.Fresh)
		if err := how.Sign(&p, r, s.Secret, s.Now); err != nil {
			return 0, "", fmt.Errorf("sign as %s: %w", p.Title, err)
		}
	}
	if events, err := p.Events(r); err == nil && len(events) > 0 {
		key = events[0].Key.Value
	}
	status, err = post(ctx, r, s.URL)
	return status, key, err
}

// post sends r to the URL with the spelling of its headers.
func post(ctx context.Context, r *capture.Request, to string) (int, error) {
	if u, err := url.Parse(r.URL); err == nil && u.RawQuery != "" { // a signature may have moved into the query
		if t, err := url.Parse(to); err == nil {
			t.RawQuery = u.RawQuery
			to = t.String()
		}
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, to, bytes.NewReader(r.Body))
	if err != nil {
		return 0, fmt.Errorf("send to %s: %w", to, err)
	}
	req.GetBody = nil // never a second time by itself
	for f := range r.Head.Fields() {
		switch http.CanonicalHeaderKey(f.Name) {
		case "Host", "Content-Length", "Connection":
		default:
			req.Header[f.Name] = append(req.Header[f.Name], f.Value)
		}
	}
	if req.Header["User-Agent"] == nil {
		req.Header["User-Agent"] = nil
	}
	client := &http.Client{
		Timeout:       30 * time.Second,
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, fmt.Errorf("send: %w", err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20))
	return res.StatusCode, nil
}

// SendSample sends a sample event to our own address, to the endpoint of that
// provider, or else to one that recognises each request, the one that catches
// every path first. It is signed with the first secret of that endpoint; where
// it has none, with one that only this data folder knows, so that the sample
// shows what a good signature looks like.
func (s *Session) SendSample(ctx context.Context, providerName, name string) error {
	p, ok := provider.ByName(providerName)
	if !ok {
		return fmt.Errorf("provider %q is not known", providerName)
	}
	if s.localURL == "" {
		return errors.New("nothing is captured here, so there is nowhere to send a sample")
	}
	ep, ok := s.endpointFor(providerName)
	if !ok {
		other, _ := provider.ByName(ep.Provider)
		return fmt.Errorf("the endpoint %s takes requests of %s alone: add an endpoint for %s, or let %s recognise each request",
			ep.Name, other.Title, p.Title, ep.Name)
	}
	ep.Sample = s.keep.sample
	return s.keep.whileSampling(func() error {
		status, _, err := SendSample(ctx, Sample{
			Provider: providerName, Name: name, Secret: signingSecret(ep, &p), URL: s.localURL + ep.Path, Now: s.now(),
		})
		if err == nil && status >= 300 {
			err = fmt.Errorf("the sample was answered %d", status)
		}
		return err
	})
}

// endpointFor returns the endpoint that samples of a provider go to; ok is
// false, and it is the one that catches every path, if none takes them.
func (s *Session) endpointFor(providerName string) (_ capture.Endpoint, ok bool) {
	root := s.router.Route("/")
	all := s.keep.list()
	for _, want := range []string{providerName, ""} {
		if root.Provider == want {
			return root, true
		}
		if i := slices.IndexFunc(all, func(e capture.Endpoint) bool { return e.Provider == want }); i >= 0 {
			return s.router.ByName(all[i].Name)
		}
	}
	return root, false
}

// signingSecret is what a request to ep is signed with as p signs: the first
// of its secrets that can be one of p's, and for a sample where it has none the
// one of samples.
func signingSecret(ep capture.Endpoint, p *capture.Provider) capture.Secret {
	if len(ep.Secrets) == 0 {
		return p.Fitting(ep.Sample)
	}
	for _, s := range ep.Secrets {
		if p.CheckSecret == nil || p.CheckSecret(s) == nil {
			return s
		}
	}
	return ep.Secrets[0]
}

// Samples names the sample events of a provider.
func (s *Session) Samples(providerName string) []string { return sample.Names(providerName) }
