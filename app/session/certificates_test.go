package session

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/cert"
	"anyhook.net/desktop/capture/provider"
)

// An amazon is a host that SNS fetches its certificates from, by real TLS, and SNS itself.
type amazon struct {
	t      *testing.T
	key    *rsa.PrivateKey
	cert   []byte
	server *httptest.Server
	asked  atomic.Int64
}

const amazonHost = "sns.us-east-1.amazonaws.com"

func newAmazon(t *testing.T) *amazon {
	t.Helper()
	a := &amazon{t: t}
	var err error
	a.key, err = rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	of := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: amazonHost}, DNSNames: []string{amazonHost}, NotAfter: time.Now().AddDate(1, 0, 0)}
	a.cert, err = x509.CreateCertificate(rand.Reader, of, of, &a.key.PublicKey, a.key)
	require.NoError(t, err)
	a.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.asked.Add(1)
		if r.URL.Path != "/SimpleNotificationService-1.pem" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_ = pem.Encode(w, &pem.Block{Type: "CERTIFICATE", Bytes: a.cert})
	}))
	a.server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{a.cert}, PrivateKey: a.key}}, MinVersion: tls.VersionTLS12}
	a.server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	a.server.StartTLS()
	t.Cleanup(a.server.Close)
	return a
}

// found is how a session finds the host.
func (a *amazon) found() cert.Options {
	c, err := x509.ParseCertificate(a.cert)
	require.NoError(a.t, err)
	roots := x509.NewCertPool()
	roots.AddCert(c)
	return cert.Options{Roots: roots, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, a.server.Listener.Addr().String())
	}}
}

// message is a notification, signed, as SNS posts it; at is where it says that the certificate is.
func (a *amazon) message(path, text, at string) string {
	sum := sha256.Sum256([]byte("Message\n" + text + "\nMessageId\nm1\nTimestamp\n2026-11-30T12:00:00.000Z\nTopicArn\narn:aws:sns:us-east-1:1:t\nType\nNotification\n"))
	sig, err := rsa.SignPKCS1v15(nil, a.key, crypto.SHA256, sum[:])
	require.NoError(a.t, err)
	body, err := json.Marshal(map[string]string{
		"Type": "Notification", "MessageId": "m1", "TopicArn": "arn:aws:sns:us-east-1:1:t", "Message": text, "Timestamp": "2026-11-30T12:00:00.000Z",
		"SignatureVersion": "2", "Signature": base64.StdEncoding.EncodeToString(sig), "SigningCertURL": at,
	})
	require.NoError(a.t, err)
	return posted(path, string(body), "x-amz-sns-message-type: Notification")
}

const amazonCert = "https://" + amazonHost + "/SimpleNotificationService-1.pem"

// snsAndAny are an endpoint for SNS, and one that recognises each request.
func snsAndAny() []capture.Endpoint {
	return []capture.Endpoint{{Name: "sns", Path: "/sns", Provider: "aws-sns"}, all("")}
}

func TestACertificateIsFetchedForAnEndpointThatNamesTheProvider(t *testing.T) {
	t.Parallel()
	a := newAmazon(t)
	dir := t.TempDir()
	d := beginWith(t, Config{Dir: dir, certs: a.found()}, snsAndAny()...)
	for i, test := range []struct {
		what, raw string
		status    capture.Status
		why       capture.Why
		asked     int64
	}{
		{"where each request is recognised nothing is fetched", a.message("/any", "one", amazonCert), capture.Unchecked, capture.WhyNoCert, 0},
		{"an address that is not Amazon's", a.message("/sns", "one", "https://127.0.0.1/x.pem"), capture.Invalid, capture.WhyForeignCert, 0},
		{"the first", a.message("/sns", "one", amazonCert), capture.Valid, "", 1},
		{"the next", a.message("/sns", "two", amazonCert), capture.Valid, "", 1},
		{"changed on the way", strings.Replace(a.message("/sns", "two", amazonCert), `"two"`, `"too"`, 1), capture.Invalid, capture.WhyNoMatch, 1},
		{"a certificate that is not there", a.message("/sns", "one", "https://"+amazonHost+"/other.pem"), capture.Unchecked, capture.WhyNoCert, 2},
		{"and is not asked for again at once", a.message("/sns", "one", "https://"+amazonHost+"/other.pem"), capture.Unchecked, capture.WhyNoCert, 2},
	} {
		status, _ := d.say(test.raw)
		require.Equal(t, http.StatusOK, status, test.what)
		r := d.stored(capture.Seq(i + 1))
		require.Equal(t, test.status, r.Signature.Status, "%s: %s", test.what, r.Signature.Reason())
		require.Equal(t, test.why, r.Signature.Why, test.what)
		require.Zero(t, r.Signature.Secret, "a certificate is no secret of the endpoint")
		require.Equal(t, test.asked, a.asked.Load(), test.what)
		require.Equal(t, test.status, d.Check(t.Context(), r).Status, test.what)
	}
	signed := d.stored(3)
	require.NoError(t, d.Close())

	a.server.Close() // the next start is offline
	d = beginWith(t, Config{Dir: dir, certs: a.found()}, snsAndAny()...)
	require.Equal(t, capture.Valid, d.Check(t.Context(), signed).Status, "what was fetched is kept")
	n, err := d.Add(t.Context(), []*capture.Request{signed})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, capture.Valid, d.stored(8).Signature.Status)
	named := capture.Endpoint{Provider: "aws-sns"}
	require.Len(t, KeptCertificate(dir, signed, provider.Known, named), 1)
	require.Empty(t, KeptCertificate(t.TempDir(), signed, provider.Known, named))
	require.Empty(t, KeptCertificate(dir, signed, provider.Known, capture.Endpoint{}))
}

func TestOfflineASignatureCannotBeCheckedAndIsNotRefused(t *testing.T) {
	t.Parallel()
	a := newAmazon(t)
	offline := a.found()
	offline.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, io.ErrUnexpectedEOF }
	d := beginWith(t, Config{Dir: t.TempDir(), certs: offline}, snsAndAny()...)
	status, _ := d.say(a.message("/sns", "one", amazonCert))
	require.Equal(t, http.StatusOK, status)
	got := d.stored(1).Signature
	require.Equal(t, capture.Unchecked, got.Status)
	require.Equal(t, "cannot check: no certificate from "+amazonCert, got.Reason())
}
