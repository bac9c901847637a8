package session

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/secret"
	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay/deliver"
)

// DefaultEndpoint is the name of the endpoint that catches every path, so that
// nothing has to be set up first.
const DefaultEndpoint = "default"

// endpoints keeps the endpoints in the database and their secrets in the
// keychain, and the router up to date.
type endpoints struct {
	file    *store.Endpoints
	secrets *secret.Store
	router  *capture.Router
	known   *capture.Providers
	sample  capture.Secret // signs samples; this data folder's own

	mu       sync.Mutex // one change at a time
	sampling int        // samples being sent
	all      []capture.Endpoint
}

// load reads the endpoints, and makes the default one if it is not there.
func (e *endpoints) load(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	all, err := e.file.All(ctx)
	if err != nil {
		return fmt.Errorf("read endpoints: %w", err)
	}
	if !slices.ContainsFunc(all, func(ep capture.Endpoint) bool { return ep.Path == "/" }) {
		d := capture.Endpoint{Name: DefaultEndpoint, Path: "/"}
		if err := e.file.Save(ctx, "", d); err != nil {
			return fmt.Errorf("add the default endpoint: %w", err)
		}
		all = append(all, d)
	}
	for i := range all {
		if all[i].Secrets, err = e.readSecrets(ctx, all[i].Name); err != nil {
			return err
		}
	}
	e.all = all
	if e.sample, err = e.sampleSecret(ctx); err != nil {
		return err
	}
	e.route()
	return nil
}

// sampleSecret returns the secret that signs samples, and makes it when there
// is none. It is of the shape that every scheme takes as a key.
func (e *endpoints) sampleSecret(ctx context.Context) (capture.Secret, error) {
	const name = "sample"
	s, err := e.secrets.Get(ctx, name)
	if err == nil {
		return s, nil
	}
	if !errors.Is(err, secret.ErrNotFound) {
		return "", fmt.Errorf("read the secret of the samples: %w", err)
	}
	key := make([]byte, 24)
	_, _ = rand.Read(key) // never fails
	s = capture.Secret("whsec_" + base64.StdEncoding.EncodeToString(key))
	if err := e.secrets.Set(ctx, name, s); err != nil {
		return "", fmt.Errorf("keep the secret of the samples: %w", err)
	}
	return s, nil
}

// route tells the router. e.mu is held.
func (e *endpoints) route() {
	all := slices.Clone(e.all)
	if e.sampling > 0 {
		for i := range all {
			all[i].Sample = e.sample
		}
	}
	e.router.Set(all)
}

// whileSampling has samples recognised while f sends one. At all other times
// nobody pays for looking whether a request is one.
func (e *endpoints) whileSampling(f func() error) error {
	count := func(by int) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.sampling += by
		e.route()
	}
	count(1)
	defer count(-1)
	return f()
}

// list returns the endpoints with their secrets.
func (e *endpoints) list() []capture.Endpoint {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.all)
}

// save replaces the endpoint called old, or adds one if old is "".
func (e *endpoints) save(ctx context.Context, old string, ep capture.Endpoint) error {
	ep, err := CheckEndpoint(ep)
	if err != nil {
		return err
	}
	if _, ok := e.known.Named(ep.Provider); !ok && ep.Provider != "" {
		return fmt.Errorf("provider %q: not known", ep.Provider)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, other := range e.all {
		if other.Name == old {
			continue
		}
		if other.Name == ep.Name {
			return fmt.Errorf("another endpoint is called %s", ep.Name)
		}
		if other.Path == ep.Path {
			return fmt.Errorf("the endpoint %s has the path %s already", other.Name, ep.Path)
		}
	}
	if err := e.writeSecrets(ctx, ep); err != nil {
		return err
	}
	if err := e.file.Save(ctx, old, ep); err != nil {
		return fmt.Errorf("save endpoint %s: %w", ep.Name, err)
	}
	e.all = slices.DeleteFunc(e.all, func(o capture.Endpoint) bool { return o.Name == old && old != "" })
	e.all = append(e.all, ep)
	e.route()
	if old != "" && old != ep.Name {
		return e.dropSecrets(ctx, old, 0)
	}
	return nil
}

// remove deletes an endpoint and its secrets. What it captured stays.
func (e *endpoints) remove(ctx context.Context, name string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.all, func(o capture.Endpoint) bool { return o.Name == name })
	if i < 0 {
		return fmt.Errorf("there is no endpoint %s", name)
	}
	if e.all[i].Path == "/" {
		return errors.New("the endpoint / stays: it catches what no other endpoint does")
	}
	if err := e.file.Delete(ctx, name); err != nil {
		return fmt.Errorf("delete endpoint %s: %w", name, err)
	}
	e.all = slices.Delete(e.all, i, i+1)
	e.route()
	return e.dropSecrets(ctx, name, 0)
}

func secretName(endpoint string, i int) string {
	return fmt.Sprintf("endpoint/%s/%d", url.PathEscape(endpoint), i)
}

func (e *endpoints) readSecrets(ctx context.Context, name string) ([]capture.Secret, error) {
	var out []capture.Secret
	for i := 0; ; i++ {
		s, err := e.secrets.Get(ctx, secretName(name, i))
		if errors.Is(err, secret.ErrNotFound) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the secrets of endpoint %s: %w", name, err)
		}
		out = append(out, s)
	}
}

func (e *endpoints) writeSecrets(ctx context.Context, ep capture.Endpoint) error {
	for i, s := range ep.Secrets {
		if err := e.secrets.Set(ctx, secretName(ep.Name, i), s); err != nil {
			return fmt.Errorf("keep the secrets of endpoint %s: %w", ep.Name, err)
		}
	}
	return e.dropSecrets(ctx, ep.Name, len(ep.Secrets))
}

// dropSecrets deletes the secrets of an endpoint from the ith on.
func (e *endpoints) dropSecrets(ctx context.Context, name string, i int) error {
	for ; ; i++ {
		_, err := e.secrets.Get(ctx, secretName(name, i))
		if errors.Is(err, secret.ErrNotFound) {
			return nil
		}
		if err == nil {
			err = e.secrets.Delete(ctx, secretName(name, i))
		}
		if err != nil {
			return fmt.Errorf("forget a secret of endpoint %s: %w", name, err)
		}
	}
}

// CheckEndpoint returns e put in order, or says what is wrong with it, its
// provider aside, which may be one that the user described.
func CheckEndpoint(e capture.Endpoint) (capture.Endpoint, error) {
	e.Name = strings.TrimSpace(e.Name)
	switch {
	case e.Name == "":
		return e, errors.New("name: it needs one")
	case len(e.Name) > 64 || strings.ContainsFunc(e.Name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return e, errors.New("name: at most 64 characters, none of them control characters")
	case !strings.HasPrefix(e.Path, "/"):
		return e, fmt.Errorf("path %q: it starts with /", e.Path)
	case strings.ContainsAny(e.Path, "?# \t\r\n"):
		return e, fmt.Errorf("path %q: no ?, # or spaces", e.Path)
	}
	e.Path = path.Clean(e.Path)
	e.Secrets = slices.DeleteFunc(slices.Clone(e.Secrets), func(s capture.Secret) bool { return s.Reveal() == "" })
	switch e.Reply {
	case capture.Ack, capture.Wait:
	case "ack": // the word a person writes
		e.Reply = capture.Ack
	case capture.FixedReply:
		if e.Fixed.Status < 200 || e.Fixed.Status > 599 {
			return e, fmt.Errorf("fixed.status %d: from 200 to 599", e.Fixed.Status)
		}
		if e.Fixed.Delay < 0 || e.Fixed.Times < 0 {
			return e, errors.New("fixed: delay and times are not negative")
		}
	default:
		return e, fmt.Errorf("reply %q: want ack, wait or fixed", e.Reply)
	}
	if e.Deadline < 0 || e.Parallel < 0 || e.Parallel > 64 {
		return e, errors.New("deadline is not negative, and parallel is from 0 to 64")
	}
	target, err := CheckTarget(e.Target)
	if err != nil {
		return e, fmt.Errorf("target: %w", err)
	}
	e.Target = target
	return e, nil
}

// Away reports whether a target is known to be another machine, to which
// nothing is delivered until a person said that it may be. It ends within seconds.
func Away(ctx context.Context, target string) bool {
	ctx, cancel := context.WithTimeout(ctx, naming)
	defer cancel()
	return target != "" && deliver.Away(ctx, target)
}

// naming is how long the addresses of a name are waited for.
const naming = 3 * time.Second

// CheckTarget returns the target put in order ("3000" is
// "http://localhost:3000"), or says what is wrong with it. "" stays "".
func CheckTarget(target string) (string, error) {
	if strings.TrimSpace(target) == "" {
		return "", nil
	}
	return deliver.ParseTarget(target)
}
