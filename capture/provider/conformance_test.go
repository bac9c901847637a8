package provider

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// each runs a test over signed specimens, and asks that every row has one.
func each(t *testing.T, test func(t *testing.T, p capture.Provider, s specimen, signed *capture.Request)) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range specimens() {
		seen[s.provider] = true
		t.Run(s.provider+" "+s.name, func(t *testing.T) {
			t.Parallel()
			p := row(t, s.provider)
			r := s.request(t)
			require.NoError(t, p.Sign(r, s.secret, noon))
			test(t, p, s, r)
		})
	}
	for _, p := range All {
		require.Equal(t, p.Sign != nil, seen[p.Name], "%s has a specimen if anybody can sign for it", p.Name)
	}
}

// signatureName is the header that holds the signature of a specimen, which may be of a second family.
func signatureName(p capture.Provider, r *capture.Request) string {
	for _, name := range []string{p.Header, "Shopify-Hmac-Sha256", "Webhook-Signature"} {
		if r.Header.Get(name) != "" {
			return name
		}
	}
	return ""
}

func TestRowsAreComplete(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, p := range All {
		require.False(t, names[p.Name], p.Name)
		names[p.Name] = true
		require.Regexp(t, `^[a-z0-9-]+$`, p.Name)
		for _, s := range append([]string{p.Title, p.Scheme, p.Dedupe + p.Note}, p.Sources...) {
			require.NotEmpty(t, s, p.Name)
		}
		require.NotEmpty(t, p.Sources, p.Name)
		require.True(t, len(p.Marks) > 0 || p.Agent != "" || p.Body != nil, p.Name)
		require.NotNil(t, p.Verify, p.Name)
		require.NotNil(t, p.Events, p.Name)
	}
	for _, p := range All {
		for _, s := range []string{p.Disabled, p.Setup, p.Note} {
			require.Regexp(t, `^$|^\S[^\n]*\.$`, s, "%s: sentences", p.Name)
		}
		require.True(t, p.Retry.Times == 0 || len(p.Retry.After) <= p.Retry.Times, p.Name)
		require.False(t, p.Retry.Never && (p.Retry.Times > 0 || p.Retry.Within > 0 || len(p.Retry.After) > 0), p.Name)
		for _, g := range []capture.Grade{p.Trust.Signature, p.Trust.Identity, p.Trust.Retry} {
			require.Contains(t, []capture.Grade{capture.BySDK, capture.ByDocs, capture.BySource, capture.ByOthers, capture.ByHearsay}, g, p.Name)
		}
	}
	_, ok := ByName("nobody")
	require.False(t, ok)
}

func TestWhatIsSignedIsValid(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, s specimen, r *capture.Request) {
		got := p.Verify(r, []capture.Secret{s.secret}, noon)
		require.Equal(t, s.good(), got.Status, got.Reason())
		require.Empty(t, got.Reason())
		require.Equal(t, 1, got.Secret)
		require.NotEmpty(t, got.Scheme)
		require.Equal(t, s.extra.token, len(got.Content) == 0, "what was hashed can be shown")
		if p.Tolerance > 0 {
			require.False(t, got.At.IsZero(), "a scheme with a window tells when it was signed")
		}

		got = p.Verify(r, []capture.Secret{s.other, "", s.secret}, noon)
		require.Equal(t, s.good(), got.Status, got.Reason())
		require.Equal(t, 3, got.Secret, "the place in the list of the endpoint")
	})
}

func TestAnotherSecretOrNoneIsNotValid(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, s specimen, r *capture.Request) {
		got := p.Verify(r, []capture.Secret{s.other}, noon)
		require.Equal(t, capture.Invalid, got.Status)
		require.Contains(t, []capture.Why{capture.WhyNoMatch, capture.WhyWrongToken}, got.Why)
		for _, none := range [][]capture.Secret{nil, {}, {""}} {
			got = p.Verify(r, none, noon)
			require.Equal(t, capture.Unchecked, got.Status)
			require.Equal(t, capture.WhyNoSecret, got.Why)
			require.False(t, got.Status.Refused())
		}
		require.Error(t, p.Sign(r, "", noon))
	})
}

func TestEveryByteOfTheBodyCounts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, s specimen, r *capture.Request) {
		if s.extra.token || s.extra.partial {
			return // the vectors say which part counts
		}
		for i := range s.body {
			changed := r.Clone()
			changed.Body = []byte(s.body)
			changed.Body[i] ^= 1
			got := p.Verify(changed, []capture.Secret{s.secret}, noon)
			require.Equal(t, capture.Invalid, got.Status, "byte %d: %s", i, got.Reason())
		}
		for _, body := range []string{"", s.body + "\n", s.body[1:]} {
			changed := r.Clone()
			changed.Body = []byte(body)
			require.Equal(t, capture.Invalid, p.Verify(changed, []capture.Secret{s.secret}, noon).Status)
		}
	})
}

func TestWithoutItsHeaderASignatureIsMissing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, s specimen, r *capture.Request) {
		if p.Header == "" {
			return // its signature is in the body
		}
		name := signatureName(p, r)
		r.Header.Del(name)
		for _, secrets := range [][]capture.Secret{{s.secret}, nil} {
			got := p.Verify(r, secrets, noon)
			require.Equal(t, capture.Missing, got.Status)
			require.Equal(t, capture.WhyNoHeader, got.Why)
			require.True(t, strings.EqualFold(name, got.Detail), got.Detail)
		}
	})
}

func TestGarbageInTheHeaderIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, s specimen, r *capture.Request) {
		if p.Header == "" {
			return // its signature is in the body
		}
		name := signatureName(p, r)
		good := r.Header.Get(name)
		for _, garbage := range []string{
			"", " ", ",", "=", "t=,v1=", "v0=", "v1,", "v1a,", "sha256=", "\x00", "\xff\xfe", strings.Repeat("v1=,", 10000),
			good[:len(good)-1], good[1:], "x" + good, good + "x", "v0=" + strings.Repeat("zz", 32), strings.Repeat("A", 1<<16),
		} {
			r.Header.Set(name, garbage)
			got := p.Verify(r, []capture.Secret{s.secret}, noon)
			require.True(t, got.Status == capture.Malformed || got.Status == capture.Invalid, "%q: %s", garbage, got.Status)
			require.NotEmpty(t, got.Reason())
			require.NotContains(t, got.Reason(), "%!")
			require.Less(t, len(got.Detail), 2000)
		}
	})
}

func TestWhatCanBeReadInTwoWaysIsNotValid(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, s specimen, r *capture.Request) {
		if p.Header == "" || s.extra.many {
			return // its signature is in the body
		}
		name := http.CanonicalHeaderKey(signatureName(p, r))
		good := r.Header.Get(name)
		for _, values := range [][]string{{good, good}, {good, "x"}, {"x", good}, {good, ""}} {
			r.Header[name] = values
			got := p.Verify(r, []capture.Secret{s.secret}, noon)
			require.Equal(t, capture.Malformed, got.Status)
			require.Equal(t, capture.WhyTwice, got.Why)
		}
	})
}

func TestAnOldSignatureIsStaleAndNotInvalid(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, s specimen, r *capture.Request) {
		verify := func(secret capture.Secret, d time.Duration) capture.Signature {
			return p.Verify(r, []capture.Secret{secret}, noon.Add(d))
		}
		if s.extra.expires {
			old := verify(s.secret, 365*24*time.Hour)
			require.Equal(t, capture.Stale, old.Status)
			require.Equal(t, capture.WhyTooOld, old.Why)
			require.Equal(t, capture.Invalid, verify(s.other, 365*24*time.Hour).Status)
			return
		}
		if p.Tolerance == 0 {
			require.Equal(t, s.good(), verify(s.secret, 365*24*time.Hour).Status)
			return
		}
		require.Equal(t, capture.Valid, verify(s.secret, p.Tolerance).Status)
		old := verify(s.secret, p.Tolerance+time.Second)
		require.Equal(t, capture.Stale, old.Status)
		require.Equal(t, capture.WhyTooOld, old.Why)
		require.Equal(t, seconds(p.Tolerance+time.Second), old.Detail)
		require.Equal(t, noon, old.At)
		require.Equal(t, 1, old.Secret)
		require.Equal(t, capture.Invalid, verify(s.other, p.Tolerance+time.Second).Status)

		ahead := verify(s.secret, -p.Tolerance-time.Second)
		require.Equal(t, capture.WhyFuture, ahead.Why)
		require.Contains(t, []capture.Status{capture.Stale, capture.Valid}, ahead.Status, "as its own library has it; the vectors say which")
	})
}

func TestSigningAnewRenewsTheTimeAndNothingElse(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, s specimen, r *capture.Request) {
		const hour = time.Hour
		again := r.Clone()
		require.NoError(t, p.Sign(again, s.other, noon.Add(hour)))
		got := p.Verify(again, []capture.Secret{s.secret, s.other}, noon.Add(hour))
		require.Equal(t, s.good(), got.Status, got.Reason())
		require.Equal(t, 2, got.Secret)
		if p.Header == "" {
			return // its signature is in the body
		}
		if s.extra.stamped {
			require.Len(t, again.Body, len(s.body), "the time alone is another")
		} else {
			require.Equal(t, s.body, string(again.Body))
		}
		require.Equal(t, r.URL, again.URL, "it fitted before")
		require.Equal(t, again.Head.Header(), again.Header)
		require.Equal(t, s.good(), p.Verify(r, []capture.Secret{s.secret}, noon).Status, "the original is untouched")

		ours := append([]string{signatureName(p, r), hubspotTime, slackTime, "webhook-timestamp", "svix-timestamp"}, s.extra.ours...)
		left := func(h capture.Head) []capture.Field {
			return slices.DeleteFunc(slices.Collect(h.Fields()), func(f capture.Field) bool {
				return slices.ContainsFunc(ours, func(name string) bool { return strings.EqualFold(name, f.Name) })
			})
		}
		require.Equal(t, left(s.request(t).Head), left(again.Head))
		require.Len(t, slices.Collect(again.Head.Fields()), len(slices.Collect(r.Head.Fields())))
	})
}

func TestASignatureCanBeTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, s specimen, r *capture.Request) {
		for name := range r.Header {
			if !strings.Contains(strings.ToLower(name), "timestamp") && !strings.EqualFold(name, signatureName(p, r)) {
				continue
			}
			for _, digits := range []string{"9", "253402300800", "99999999999999999", "9223372036854775807", "99999999999999999999", "-1", "+1", "1.0", "1e3", ""} {
				c := r.Clone()
				c.Header.Set(name, strings.NewReplacer("1796040000", digits).Replace(c.Header.Get(name)))
				got := p.Verify(c, []capture.Secret{s.secret}, noon)
				_, err := got.At.MarshalJSON()
				require.NoError(t, err, "%s: %s", name, digits)
			}
		}
	})
}
