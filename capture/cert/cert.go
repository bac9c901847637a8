// Package cert fetches the certificates with which some providers' signatures
// are checked, and keeps them. The address of one is in a request that anybody
// may have sent, so that fetching is as narrow as can be: the caller has seen
// that the address is the provider's own; here it is https and the usual port,
// to a public IP address, without a proxy and without a redirect, and what
// comes is a certificate of a size that certificates have, valid now, which
// leads to a root that is trusted.
//
// One address is fetched once at a time, and what failed is not tried again for
// a minute: requests do not make us a nuisance to the provider either.
package cert

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// The limits. Fetching ends with the first of Patience and the caller's context.
const (
	Patience  = 3 * time.Second
	maxSize   = 64 << 10 // bytes of an answer
	maxChain  = 8        // certificates in it
	atOnce    = 4
	resting   = time.Minute // after a failure
	maxKept   = 64          // certificates, in memory and on disk
	maxFailed = 256         // failures remembered
)

// Options are for tests; the zero Options are the real ones.
type Options struct {
	Roots *x509.CertPool                                                    // that chains lead to, and that hosts are known by; nil is the system's
	Dial  func(ctx context.Context, network, addr string) (net.Conn, error) // nil dials public addresses alone
	Now   func() time.Time
}

// A Store fetches certificates and keeps them. It is safe for concurrent use.
type Store struct {
	o      Options
	folder folder
	client *http.Client
	turns  chan struct{} // holds one for each fetch under way

	mu     sync.Mutex
	kept   map[string]string // PEM by address
	failed map[string]failure
	under  map[string]chan struct{} // addresses that are being fetched
}

// A failure is not tried again before its time.
type failure struct {
	err   error
	until time.Time
}

// New returns a store that keeps what it fetches in dir, which it makes when
// there is something to keep.
func New(dir string, o Options) *Store {
	dial := o.Dial
	if dial == nil {
		dial = (&net.Dialer{ControlContext: publicOnly}).DialContext
	}
	return &Store{
		o: o, folder: folder{dir: dir}, turns: make(chan struct{}, atOnce),
		kept: map[string]string{}, failed: map[string]failure{}, under: map[string]chan struct{}{},
		client: &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Transport: &http.Transport{
				DialContext: dial, DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: maxSize,
				TLSClientConfig: &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
			},
		},
	}
}

// Kept returns the certificate of an address if it is at hand, in PEM. It
// fetches nothing.
func (s *Store) Kept(address string) (cert string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.have(address)
}

func (s *Store) have(address string) (string, bool) {
	if cert, ok := s.kept[address]; ok {
		return cert, true
	}
	cert, ok := s.folder.read(address)
	if ok {
		s.remember(address, cert)
	}
	return cert, ok
}

func (s *Store) remember(address, cert string) {
	for other := range s.kept {
		if len(s.kept) < maxKept {
			break
		}
		delete(s.kept, other)
	}
	s.kept[address] = cert
}

// Get returns the certificate of an address, in PEM, and fetches it if it is
// not at hand, within Patience. chained asks that it leads to a trusted root.
// An error that is not that of ctx is remembered for a minute.
func (s *Store) Get(ctx context.Context, address string, chained bool) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	for {
		s.mu.Lock()
		cert, ok := s.have(address)
		fail, failed := s.failed[address]
		under, busy := s.under[address]
		if failed && !s.o.Now().Before(fail.until) {
			delete(s.failed, address)
			failed = false
		}
		if !ok && !failed && !busy {
			s.under[address] = make(chan struct{})
		}
		s.mu.Unlock()
		switch {
		case ok:
			return cert, nil
		case failed:
			return "", fail.err
		case !busy:
			return s.settle(ctx, address, chained)
		}
		select {
		case <-under:
		case <-ctx.Done():
			return "", fmt.Errorf("fetch a certificate: %w", ctx.Err())
		}
	}
}

// settle fetches, and lets those who wait look again.
func (s *Store) settle(ctx context.Context, address string, chained bool) (string, error) {
	cert, err := s.turn(ctx, address, chained)
	if err == nil {
		_ = s.folder.write(address, cert) // else it is fetched again at the next start
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.under[address])
	delete(s.under, address)
	switch {
	case err == nil:
		s.remember(address, cert)
	case !errors.Is(err, context.Canceled): // else the one who asked went away, which tells nothing of the address
		s.fail(address, err)
	}
	return cert, err
}

func (s *Store) fail(address string, err error) {
	for other := range s.failed {
		if len(s.failed) < maxFailed {
			break
		}
		delete(s.failed, other)
	}
	s.failed[address] = failure{err, s.o.Now().Add(resting)}
}

// turn fetches when it is its turn.
func (s *Store) turn(ctx context.Context, address string, chained bool) (string, error) {
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return "", fmt.Errorf("fetch a certificate: %w", context.Canceled) // it was never tried
	}
	chain, err := s.fetch(ctx, address)
	if err != nil {
		return "", fmt.Errorf("fetch a certificate: %w", err)
	}
	if err := s.trust(chain, chained); err != nil {
		return "", fmt.Errorf("the certificate at %q: %w", address, err)
	}
	return written(chain), nil
}

// trust reports why a chain is not to be trusted.
func (s *Store) trust(chain []*x509.Certificate, chained bool) error {
	leaf, now := chain[0], s.o.Now()
	if !chained {
		if now.Before(leaf.NotBefore) || now.After(leaf.NotAfter) {
			return errors.New("it is not valid today")
		}
		return nil
	}
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	_, err := leaf.Verify(x509.VerifyOptions{
		Roots: s.o.Roots, Intermediates: between, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	return err
}

// parse reads certificates in PEM, that of the signer first.
func parse(text []byte) ([]*x509.Certificate, error) {
	var chain []*x509.Certificate
	for len(chain) <= maxChain {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if block.Type != "CERTIFICATE" || err != nil {
			return nil, errors.New("not a certificate")
		}
		chain = append(chain, c)
	}
	if len(chain) == 0 || len(chain) > maxChain {
		return nil, errors.New("not a certificate")
	}
	return chain, nil
}

// written is the PEM of a chain, and of nothing else that was around it.
func written(chain []*x509.Certificate) string {
	var out []byte
	for _, c := range chain {
		out = append(out, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})...)
	}
	return string(out)
}
