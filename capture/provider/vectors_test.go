package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// A vector is one file of testdata/vectors.
type vector struct {
	ID       string
	Provider string
	Secret   json.RawMessage
	Method   string
	URL      string
	Headers  map[string]string
	Body     []byte `json:"body_base64"`
	Now      int64  `json:"now_unix"`
	Expect   string
	Advisory bool
}

func (v vector) request(t testing.TB) *capture.Request {
	t.Helper()
	u, err := url.Parse(v.URL)
	require.NoError(t, err)
	names := make([]string, 0, len(v.Headers))
	for name := range v.Headers {
		names = append(names, name)
	}
	slices.Sort(names)
	fields := []capture.Field{{Name: "Host", Value: u.Host}}
	for _, name := range names {
		fields = append(fields, capture.Field{Name: name, Value: v.Headers[name]})
	}
	r := &capture.Request{
		At: time.Unix(v.Now, 0).UTC(), Method: v.Method, URL: v.URL, Body: v.Body,
		Head: capture.NewHead(v.Method, u.RequestURI(), fields...),
	}
	r.Header = r.Head.Header()
	return r
}

func (v vector) secrets(t testing.TB) []capture.Secret {
	t.Helper()
	var many []string
	var one string
	var paypal struct {
		WebhookID string `json:"webhook_id"`
		CertPEM   string `json:"cert_pem"`
	}
	switch {
	case json.Unmarshal(v.Secret, &many) == nil:
	case json.Unmarshal(v.Secret, &one) == nil:
		many = []string{one}
	case v.Provider == "paypal":
		require.NoError(t, json.Unmarshal(v.Secret, &paypal))
		many = []string{paypal.CertPEM, paypal.WebhookID}
	default: // a key in JSON
		many = []string{string(v.Secret)}
	}
	var out []capture.Secret
	for _, s := range many {
		out = append(out, capture.Secret(s))
	}
	return out
}

// readVectors reads every file of testdata/vectors, once.
var readVectors = sync.OnceValues(func() ([]vector, error) {
	files, err := filepath.Glob("testdata/vectors/*.json")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no vectors: %w", err)
	}
	var out []vector
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var v vector
		if err := json.Unmarshal(b, &v); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, v)
	}
	return out, nil
})

func loadVectors(t testing.TB) []vector {
	t.Helper()
	all, err := readVectors()
	require.NoError(t, err)
	return all
}

func row(t testing.TB, name string) capture.Provider {
	t.Helper()
	p, ok := ByName(name)
	require.True(t, ok, name)
	return p
}

func TestEveryRowHasVectors(t *testing.T) {
	t.Parallel()
	for _, p := range All {
		require.True(t, slices.ContainsFunc(loadVectors(t), func(v vector) bool { return v.Provider == p.Name }), p.Name)
	}
}

// verdictWords are our words where the vectors have others: a token is valid as far as it goes.
var verdictWords = map[capture.Status]string{capture.Stale: "expired", capture.Authenticated: "valid"}

func TestVerdictsAreThoseOfTheProvidersOwnLibraries(t *testing.T) {
	t.Parallel()
	for _, v := range loadVectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			r := v.request(t)
			head, body := string(r.Head), string(r.Body)
			s := row(t, v.Provider).Verify(r, v.secrets(t), r.At)
			require.Equal(t, head, string(r.Head))
			require.Equal(t, body, string(r.Body))

			got := string(s.Status)
			want := v.Expect
			if is, other := verdictWords[s.Status]; other {
				got = is
			}
			if want == "replayed" {
				want = "valid" // that it came before is not the signature's to say
			}
			if v.Advisory && got != want {
				t.Logf("%s: %s here, %s there; %s", v.ID, got, v.Expect, s.Reason())
				return
			}
			require.Equal(t, want, got, s.Reason())
			require.NotContains(t, s.Reason(), "%!")
			if got == "valid" && v.Provider != "box" { // both of its keys sign
				require.Equal(t, len(v.secrets(t)), s.Secret, "the last secret of a vector is the one that matches")
			}
		})
	}
}

func TestAVerdictNeverTellsASecret(t *testing.T) {
	t.Parallel()
	for _, v := range loadVectors(t) {
		p, r, secrets := row(t, v.Provider), v.request(t), v.secrets(t)
		secrets = append(secrets, "sk_live_NEVERSHOWTHIS", "xoxb-NEVERSHOWTHIS", "whsk_NEVERSHOWTHIS", "pat-NEVERSHOWTHIS")
		s := p.Verify(r, secrets, r.At)
		told, err := json.Marshal(s)
		require.NoError(t, err)
		all := string(told) + s.Reason() + string(slices.Concat(s.Content...))
		for _, secret := range secrets {
			if secret == "secret" || bytes.Contains(slices.Concat(r.Head, r.Body), []byte(secret)) {
				continue // the example of a manual, with a secret of five digits that are in a telephone number
			}
			require.NotContains(t, all, secret.Reveal(), v.ID)
			require.NotContains(t, all, strings.TrimPrefix(secret.Reveal(), "whsec_"), v.ID)
			if p.Sign == nil {
				continue
			}
			if err := p.Sign(r.Clone(), secret, r.At); err != nil {
				require.NotContains(t, err.Error(), "NEVERSHOWTHIS")
				require.NotContains(t, err.Error(), secret.Reveal())
			}
		}
		// the signature that would have been right is no business of the sender either
		if s.Status == capture.Invalid && p.Sign != nil {
			c := r.Clone()
			if p.Sign(c, v.secrets(t)[0], r.At) == nil && c.Header.Get(p.Header) != "" {
				require.NotContains(t, all, c.Header.Get(p.Header), v.ID)
			}
		}
	}
}

func TestContentIsTheRequestItself(t *testing.T) {
	t.Parallel()
	for _, v := range loadVectors(t) {
		r := v.request(t)
		s := row(t, v.Provider).Verify(r, v.secrets(t), r.At)
		if s.Status != capture.Valid || len(r.Body) == 0 || !coversBody(v.Provider) {
			continue
		}
		require.True(t, slices.ContainsFunc(s.Content, func(part []byte) bool {
			return len(part) > 0 && &part[0] == &r.Body[0]
		}), v.ID)
	}
}

// coversBody reports whether a provider signs the body as it is; others sign a hash or some fields of it.
func coversBody(name string) bool {
	return !slices.Contains([]string{"twilio", "adyen", "paypal", "easypost", "mandrill", "aws-sns"}, name)
}
