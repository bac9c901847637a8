package cert

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	host    = "sns.us-east-1.amazonaws.com"
	address = "https://" + host + "/SimpleNotificationService-1.pem"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// An authority vouches for hosts and signers.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t}
	a.cert, a.key = a.issue(&x509.Certificate{Subject: pkix.Name{CommonName: "root"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// issue makes a certificate of the authority's, or its own while it has none.
func (a *authority) issue(c *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(a.t, err)
	if c.NotAfter.IsZero() {
		c.NotBefore, c.NotAfter = time.Unix(0, 0), noon.AddDate(50, 0, 0)
	}
	c.SerialNumber = big.NewInt(1) // nobody compares them
	parent, with := a.cert, a.key
	if parent == nil {
		parent, with = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, with)
	require.NoError(a.t, err)
	made, err := x509.ParseCertificate(der)
	require.NoError(a.t, err)
	return made, key
}

func (a *authority) pool() *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(a.cert)
	return p
}

func pemOf(certs ...*x509.Certificate) string { return written(certs) }

// A world is a provider's host that serves certificates by real TLS, and a store that fetches from it.
type world struct {
	*Store
	*authority
	server *httptest.Server
	signer string // a good certificate, in PEM
	asked  atomic.Int64
	dir    string
	mu     sync.Mutex
	clock  time.Time
}

func newWorld(t *testing.T, answer func(*world, http.ResponseWriter, *http.Request)) *world {
	t.Helper()
	w := &world{authority: newAuthority(t), dir: filepath.Join(t.TempDir(), "certificates"), clock: noon}
	w.server = httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.asked.Add(1)
		answer(w, rw, r)
	}))
	good, _ := w.issue(&x509.Certificate{})
	w.signer = pemOf(good)
	c, key := w.issue(&x509.Certificate{DNSNames: []string{host}})
	w.server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{c.Raw}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}
	w.server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	w.server.StartTLS()
	t.Cleanup(w.server.Close)
	w.Store = w.store()
	return w
}

// store is one that finds the host at the test's server.
func (w *world) store() *Store {
	return New(w.dir, Options{Roots: w.pool(), Now: w.now, Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		require.Equal(w.t, host+":443", addr)
		return (&net.Dialer{}).DialContext(ctx, network, w.server.Listener.Addr().String())
	}})
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clock
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock = w.clock.Add(d)
}

func say(text string) func(*world, http.ResponseWriter, *http.Request) {
	return func(_ *world, rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, text) }
}

func TestACertificateIsFetchedOnceAndKept(t *testing.T) {
	t.Parallel()
	var text string
	w := newWorld(t, func(w *world, rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/SimpleNotificationService-1.pem" || r.Host != host || r.Header.Get("Cookie") != "" {
			rw.WriteHeader(http.StatusTeapot)
		}
		say(text)(w, rw, r)
	})
	signer, _ := w.issue(&x509.Certificate{Subject: pkix.Name{CommonName: "signer"}})
	text = "Bag Attributes\n" + pemOf(signer) + "trailing words"
	_, ok := w.Kept(address)
	require.False(t, ok, "to look fetches nothing")
	require.Zero(t, w.asked.Load())
	for range 3 {
		got, err := w.Get(t.Context(), address, true)
		require.NoError(t, err)
		require.Equal(t, pemOf(signer), got, "and nothing that was around it")
	}
	require.EqualValues(t, 1, w.asked.Load())

	w.server.Close() // the next start is offline
	later := w.store()
	got, ok := later.Kept(address)
	require.True(t, ok)
	require.Equal(t, pemOf(signer), got)
	_, ok = later.Kept(address + "?")
	require.False(t, ok)
	files, err := os.ReadDir(w.dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Regexp(t, `^[0-9a-f]{64}\.pem$`, files[0].Name(), "nothing of the address is in a file name")
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, files[0].Name()), []byte("half of"), 0o600))
	_, ok = w.store().Kept(address)
	require.False(t, ok, "what is no certificate is none")
}

func TestOnlyACertificateThatIsTrustedIsTaken(t *testing.T) {
	t.Parallel()
	text := ""
	w := newWorld(t, func(w *world, rw http.ResponseWriter, r *http.Request) { say(text)(w, rw, r) })
	strange := newAuthority(t)
	between, key := w.issue(&x509.Certificate{Subject: pkix.Name{CommonName: "between"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	middle := &authority{t: t, cert: between, key: key}
	good, _ := w.issue(&x509.Certificate{})
	below, _ := middle.issue(&x509.Certificate{})
	foreign, _ := strange.issue(&x509.Certificate{})
	old, _ := w.issue(&x509.Certificate{NotBefore: noon.AddDate(-2, 0, 0), NotAfter: noon.AddDate(-1, 0, 0)})
	early, _ := w.issue(&x509.Certificate{NotBefore: noon.AddDate(1, 0, 0), NotAfter: noon.AddDate(2, 0, 0)})
	private := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("x")}))
	for _, test := range []struct {
		name, text         string
		chained, unchained bool
	}{
		{"of the authority itself", pemOf(good), true, true},
		{"with what is between", pemOf(below, between), true, true},
		{"without what is between", pemOf(below), false, true},
		{"of somebody else", pemOf(foreign, strange.cert), false, true},
		{"that has ended", pemOf(old), false, false},
		{"that has not begun", pemOf(early), false, false},
		{"nothing", "", false, false},
		{"a page", "<html>", false, false},
		{"a key", private, false, false},
		{"a certificate and a key", pemOf(good) + private, false, false},
		{"not ASN.1", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", false, false},
		{"too long a chain", strings.Repeat(pemOf(good), maxChain+1), false, false},
		{"too large", strings.Repeat("x", maxSize) + pemOf(good), false, false},
	} {
		for chained, want := range map[bool]bool{true: test.chained, false: test.unchained} {
			text = test.text
			_, err := New(t.TempDir(), w.o).Get(t.Context(), address, chained)
			require.Equal(t, want, err == nil, "%s, chained %v: %v", test.name, chained, err)
		}
	}
}

func TestWhatFailedRestsForAMinute(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world, rw http.ResponseWriter, r *http.Request) {
		if w.asked.Load() == 1 {
			rw.WriteHeader(http.StatusNotFound)
			return
		}
		say(w.signer)(w, rw, r)
	})
	for range 5 {
		_, err := w.Get(t.Context(), address, true)
		require.ErrorContains(t, err, "404")
	}
	require.EqualValues(t, 1, w.asked.Load())
	w.pass(resting - time.Second)
	_, err := w.Get(t.Context(), address, true)
	require.Error(t, err)
	w.pass(time.Second)
	_, err = w.Get(t.Context(), address, true)
	require.NoError(t, err)
	require.EqualValues(t, 2, w.asked.Load())
}
