package provider

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestATokenOfAnotherKindIsNotMondays(t *testing.T) {
	t.Parallel()
	const secret = "monday-signing-secret-of-32-characters-or-more"
	token := func(algorithm jose.SignatureAlgorithm, claims, key string) string {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: []byte(key)}, nil)
		require.NoError(t, err)
		signed, err := signer.Sign([]byte(claims))
		require.NoError(t, err)
		text, err := signed.CompactSerialize()
		require.NoError(t, err)
		return text
	}
	good := token(jose.HS256, `{"accountId":1}`, secret)
	for shown, want := range map[string]capture.Status{
		good:                                   capture.Authenticated, // it never ends
		"eyJhbGciOiJub25lIn0.e30.":             capture.Malformed,     // nobody has signed it
		token(jose.HS512, `{}`, secret+secret): capture.Malformed,
		token(jose.HS256, `{"exp":"never"}`, secret):                      capture.Malformed,
		token(jose.HS256, `{"exp":1796040000}`, secret):                   capture.Stale,
		token(jose.HS256, `{"exp":1796040001}`, secret):                   capture.Authenticated,
		token(jose.HS256, `{"exp":1796040000}`, "of another app "+secret): capture.Invalid,
		"Bearer " + good:           capture.Malformed,
		good + ".x":                capture.Malformed,
		"a.b.c":                    capture.Malformed,
		strings.Repeat("a.", 9000): capture.Malformed,
	} {
		got := monday.Verify(posted("{}", "Authorization", shown), []capture.Secret{secret}, noon)
		require.Equal(t, want, got.Status, "%.60s: %s", shown, got.Reason())
	}
	r := posted("{}", "Authorization", token(jose.HS256, `{"iat":1796040000,"exp":1796040300,"accountId":9007199254740993}`, secret))
	got := monday.Verify(r, []capture.Secret{secret}, noon.Add(301*time.Second))
	require.Equal(t, capture.Stale, got.Status)
	require.Equal(t, "301s", got.Detail)
	require.Equal(t, noon, got.At)
	require.NoError(t, monday.Sign(r, secret, noon.Add(time.Hour)))
	require.Equal(t, capture.Authenticated, monday.Verify(r, []capture.Secret{secret}, noon.Add(time.Hour)).Status)
	claims, err := base64.RawURLEncoding.DecodeString(strings.Split(r.Header.Get("Authorization"), ".")[1])
	require.NoError(t, err)
	require.JSONEq(t, `{"iat":1796043600,"exp":1796043900,"accountId":9007199254740993}`, string(claims))
	require.Contains(t, string(claims), "9007199254740993", "what it claims stays, to the digit")
	for _, claims := range []string{"null", "[]", "{}", "7"} {
		r := posted("{}", "Authorization", token(jose.HS256, claims, secret))
		require.NoError(t, monday.Sign(r, secret, noon), claims)
		require.Equal(t, capture.Authenticated, monday.Verify(r, []capture.Secret{secret}, noon).Status, claims)
	}
}

func TestEachNoticeOfABatchShowsItsState(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]capture.Status{
		`{"value":[{"clientState":"one"},{"clientState":"two"}]}`:   capture.Authenticated, // two subscriptions
		`{"value":[{"clientState":"one"},{"id":"1"}]}`:              capture.Invalid,
		`{"value":[{"clientState":"one"},{"clientState":"three"}]}`: capture.Invalid,
		`{"value":[{"clientState":"three"},{"clientState":"one"}]}`: capture.Invalid,
		`{"value":[{"clientState":"no","clientState":"o\u006ee"}]}`: capture.Authenticated,
		`{"value":[{"clientState":""}]}`:                            capture.Invalid,
		`{"value":[{"clientState":null},{"clientState":["one"]}]}`:  capture.Missing,
		`{"value":[]}`:          capture.Missing,
		`{"clientState":"one"}`: capture.Missing,
	} {
		got := microsoftGraph.Verify(posted(body), []capture.Secret{"one", "two"}, noon)
		require.Equal(t, want, got.Status, body)
	}
	for _, body := range []string{"", "{}", `{"value":[]}`, `{"value":[{}]}`} {
		require.Error(t, microsoftGraph.Sign(posted(body), "one", noon), body)
	}
	r := posted(`{"a":1,"value":[{"clientState":"long enough","b":"clientState"},{"clientState":"x"}],"z":2}`)
	require.NoError(t, microsoftGraph.Sign(r, `"quoted"`, noon))
	require.Equal(t, `{"a":1,"value":[{"clientState":"\"quoted\"","b":"clientState"},{"clientState":"\"quoted\""}],"z":2}`, string(r.Body))
}

func TestAnotherVersionOfBoxsSignatureIsNotRead(t *testing.T) {
	t.Parallel()
	for _, h := range [][]string{
		{"BOX-SIGNATURE-VERSION", "2", "BOX-SIGNATURE-ALGORITHM", "HmacSHA256"},
		{"BOX-SIGNATURE-VERSION", "1", "BOX-SIGNATURE-ALGORITHM", "HmacSHA1"},
		{"BOX-SIGNATURE-VERSION", "1"},
		{},
	} {
		got := box.Verify(posted("{}", append(h, "BOX-SIGNATURE-SECONDARY", "x")...), []capture.Secret{"one"}, noon)
		require.Equal(t, capture.Malformed, got.Status)
		require.Contains(t, got.Detail, "BOX-SIGNATURE-")
	}
}

func TestACertificateOfSNSIsAmazonsOwn(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0.pem":   true,
		"https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService.pem": true,
		"http://sns.us-east-1.amazonaws.com/x.pem":                              false,
		"https://sns.us-east-1.amazonaws.com:8443/x.pem":                        false,
		"https://sns.us-east-1.amazonaws.com/x.pem?a":                           false,
		"https://sns.us-east-1.amazonaws.com/x.pem#a":                           false,
		"https://sns.us-east-1.amazonaws.com/x":                                 false,
		"https://sns.us-east-1.amazonaws.com.evil.example/x.pem":                false,
		"https://evil.example/sns.us-east-1.amazonaws.com/x.pem":                false,
		"https://evil.example@sns.us-east-1.amazonaws.com/x.pem":                false,
		"https://sns.us-east-1.amazonaws.com@evil.example/x.pem":                false,
		"https://s3.us-east-1.amazonaws.com/sns/x.pem":                          false,
		"https://sns.evil/x.us-east-1.amazonaws.com/x.pem":                      false,
		"https://127.0.0.1/x.pem":                                               false,
		"file:///etc/x.pem":                                                     false,
		"":                                                                      false,
		"::":                                                                    false,
	} {
		body, err := json.Marshal(map[string]string{"Type": "Notification", "SignatureVersion": "1", "Signature": "AAAA", "SigningCertURL": address})
		require.NoError(t, err)
		got, ok := awsSNS.Certificate(posted(string(body)))
		require.Equal(t, want, ok, address)
		require.Equal(t, address, got)
		s := awsSNS.Verify(posted(string(body)), nil, noon)
		if want {
			require.Equal(t, capture.Signature{Status: capture.Unchecked, Why: capture.WhyNoCert, Detail: address, Scheme: s.Scheme, Content: s.Content}, s)
			continue
		}
		require.Equal(t, capture.Invalid, s.Status, address)
		require.Equal(t, capture.WhyForeignCert, s.Why, address)
	}
}

func TestOlderAndLongMessagesOfSNSAreChecked(t *testing.T) {
	t.Parallel()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "sns"}},
		&x509.Certificate{}, &key.PublicKey, key)
	require.NoError(t, err)
	cert := capture.Secret(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	message := strings.Repeat("1", 200<<10) // far longer than a text that is a name
	sum := sha1.Sum([]byte("Message\n" + message + "\nMessageId\nm\nTimestamp\nt\nTopicArn\na\nType\nNotification\n"))
	sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA1, sum[:])
	require.NoError(t, err)
	body, err := json.Marshal(map[string]string{
		"Type": "Notification", "MessageId": "m", "TopicArn": "a", "Timestamp": "t", "Message": message, "SignatureVersion": "1",
		"Signature": base64.StdEncoding.EncodeToString(sig), "SigningCertURL": "https://sns.us-east-1.amazonaws.com/x.pem",
	})
	require.NoError(t, err)
	got := awsSNS.Verify(posted(string(body)), []capture.Secret{"no certificate", cert}, noon)
	require.Equal(t, capture.Valid, got.Status, got.Reason())
	require.Equal(t, 2, got.Secret)
	require.Contains(t, got.Scheme, "SHA1")
	got = awsSNS.Verify(posted(strings.Replace(string(body), "11", "12", 1)), []capture.Secret{cert}, noon)
	require.Equal(t, capture.Invalid, got.Status)
	got = awsSNS.Verify(posted(string(body)), []capture.Secret{"no certificate"}, noon)
	require.Equal(t, capture.WhyNoCert, got.Why)
}
