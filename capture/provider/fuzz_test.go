package provider

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// FuzzVerify looks for a request that makes a check panic, tell a secret, or
// take for signed what its secret never signed.
func FuzzVerify(f *testing.F) {
	for _, v := range loadVectors(f) {
		r := v.request(f)
		f.Add(v.Method, v.URL, []byte(r.Head), v.Body)
	}
	const secret = capture.Secret("whsec_bmV2ZXIgc2lnbmVkIGFueXRoaW5nIGF0IGFsbA==")
	f.Fuzz(func(t *testing.T, method, url string, head, body []byte) {
		r := &capture.Request{Method: method, URL: url, Head: head, Body: body, Header: capture.Head(head).Header()}
		before := bytes.Clone(body)
		for _, p := range All {
			p.Takes(r)
			s := p.Verify(r, []capture.Secret{secret}, noon)
			require.NotContains(t, []capture.Status{capture.Valid, capture.Stale, capture.Authenticated}, s.Status, p.Name)
			told, err := json.Marshal(s)
			require.NoError(t, err)
			require.NotContains(t, string(told)+s.Reason(), secret.Reveal())
			if p.Handshake != nil {
				p.Handshake(r, nil)
			}
			c := r.Clone()
			if p.Sign != nil && p.Sign(c, secret, noon) == nil && len(r.Header.Values(twilioSettings)) < 2 && len(r.Header.Values(hubspotVersion)) < 2 {
				s = p.Verify(c, []capture.Secret{secret}, noon)
				ambiguous := s.Why == capture.WhyTwice && p.Name == "shopify" // both families of names at once
				require.True(t, ambiguous || s.Status == capture.Valid || s.Status == capture.Authenticated, "%s: %s", p.Name, s.Reason())
			}
		}
		require.Equal(t, before, body)
	})
}

// FuzzEvents looks for a body that makes a reading panic, or a reading that cannot be stored.
func FuzzEvents(f *testing.F) {
	for _, p := range loadPayloads(f, "payloads") {
		f.Add(p.Headers["Content-Type"], p.body)
	}
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		r := &capture.Request{Method: http.MethodPost, URL: "https://h.example/", Body: body, Header: http.Header{
			"Content-Type": {kind}, "X-Github-Event": {"push"}, "Webhook-Id": {"m"}, "Webhook-Timestamp": {"1"},
		}}
		before := bytes.Clone(body)
		for _, p := range All {
			events, err := p.Events(r)
			require.True(t, err != nil || len(events) > 0, p.Name)
			for _, e := range events {
				require.False(t, e.Key.Exact && e.Key.Value == "")
				require.Less(t, len(e.Key.Value), 5*maxText)
				require.GreaterOrEqual(t, e.Try, 0)
				_, err := json.Marshal(e)
				require.NoError(t, err)
			}
		}
		require.Equal(t, before, body)
	})
}

// FuzzPick compares our scanner with the standard library's decoder.
func FuzzPick(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `{"a":[{"b":"}"}],"c":"\"","a":2}`, ` { "\u0061" : null } `, `{}`, `[]`, `{"a`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := value(s).pick("a", "c")
		for range value(s).elements() {
			continue
		}
		if !json.Valid([]byte(s)) || !strings.HasPrefix(strings.TrimSpace(s), "{") {
			return
		}
		var want map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(s), &want))
		require.Equal(t, string(want["a"]), string(got[0]))
		require.Equal(t, string(want["c"]), string(got[1]))
	})
}
