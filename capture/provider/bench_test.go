package provider

import (
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// measured are the schemes of which each is measured by one provider.
var measured = []struct{ provider, specimen string }{
	{"github", "json"},         // the body alone
	{"stripe", "snapshot"},     // time and body, in a list
	{"hubspot", "v3"},          // method, address, body and time
	{"contentful", "entry"},    // headers that the request lists
	{"standardwebhooks", "v1"}, // id, time and body
	{"standardwebhooks", "v1a"},
	{"terraform-cloud", "run"}, // SHA-512
	{"gitlab", "token"},        // nothing is signed
}

// filled is the specimen of a provider with a body of about so many bytes, signed.
func filled(b *testing.B, provider, name string, size int) (capture.Provider, specimen, *capture.Request) {
	b.Helper()
	all := specimens()
	i := slices.IndexFunc(all, func(s specimen) bool { return s.provider == provider && s.name == name })
	require.GreaterOrEqual(b, i, 0, "%s %s", provider, name)
	s, p := all[i], row(b, provider)
	const member = `{"name":"Zoë Müller","paid":true,"cents":1200},`
	s.body = `{"type":"a.b","id":"evt_1","items":[` + strings.Repeat(member, size/len(member)) + `null]}`
	r := s.request(b)
	for _, f := range []capture.Field{
		{Name: "Accept", Value: "*/*"},
		{Name: "Accept-Encoding", Value: "gzip"},
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Content-Length", Value: "2048"},
		{Name: "User-Agent", Value: "acme/1.0"},
		{Name: "X-Forwarded-For", Value: "198.51.100.7"},
		{Name: "X-Forwarded-Proto", Value: "https"},
	} {
		if r.Header.Get(f.Name) == "" {
			r.SetHeader(f.Name, f.Value)
		}
	}
	require.NoError(b, p.Sign(r, s.secret, noon))
	return p, s, r
}

// BenchmarkRequest is the time to verify a request, and the time to read its events.
func BenchmarkRequest(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"2KB", 2 << 10}, {"1MB", 1 << 20}} {
		for _, m := range measured {
			p, s, r := filled(b, m.provider, m.specimen, size.bytes)
			run := func(what string, once func()) {
				b.Run(what+"/"+size.name+"/"+m.provider+" "+m.specimen, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						once()
					}
					b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "µs/request")
				})
			}
			run("verify", func() {
				if got := p.Verify(r, []capture.Secret{s.secret}, noon); got.Status != s.good() {
					b.Fatal(got.Reason())
				}
			})
			run("read", func() { _, _ = p.Events(r) })
		}
	}
}

// BenchmarkRecognise is the time to find whose of all a request of 2 KB is, as
// a ratio to SHA-256 over its body, which whoever checks its signature has to
// make anyway: what headers tell has to take less. The two are measured in
// turns, so that whatever else the machine does slows both, and the fastest count.
func BenchmarkRecognise(b *testing.B) {
	for how, all := range recognisable(b) {
		b.Run(how, func(b *testing.B) {
			const inARow = 16
			best := make([][2]time.Duration, len(all))
			for i := range best {
				best[i] = [2]time.Duration{time.Hour, time.Hour}
			}
			for b.Loop() {
				for i, r := range all {
					best[i][0] = min(best[i][0], took(inARow, func() { Known.Of(r) }))
					best[i][1] = min(best[i][1], took(inARow, func() { sha256.Sum256(r.Body) }))
				}
			}
			var sum [2]time.Duration
			var allocs float64
			for i, r := range all {
				sum[0], sum[1] = sum[0]+best[i][0], sum[1]+best[i][1]
				allocs = max(allocs, testing.AllocsPerRun(inARow, func() { Known.Of(r) }))
			}
			ratio := float64(sum[0]) / float64(sum[1])
			b.ReportMetric(float64(sum[0].Nanoseconds())/float64(inARow*len(all)), "ns/request")
			b.ReportMetric(ratio, "sha256s")
			b.ReportMetric(allocs, "allocs/request")
			b.ReportMetric(0, "ns/op") // of both, which nobody wants to know
			if told := how != "by-the-body" && how != "by-nothing"; told && (ratio >= 1 || allocs > 0) {
				b.Errorf("%s: as much as %.2f times SHA-256, %.0f allocations", how, ratio, allocs)
			}
		})
	}
}

// took is the time of n calls.
func took(n int, f func()) time.Duration {
	start := time.Now()
	for range n {
		f()
	}
	return time.Since(start)
}

// recognisable are requests of 2 KB by what they are known by. The first are
// those of all who can be signed for.
func recognisable(b *testing.B) map[string][]*capture.Request {
	b.Helper()
	out := map[string][]*capture.Request{}
	for _, s := range specimens() {
		if s.extra.stamped || row(b, s.provider).Header == "" {
			continue // its body has to be its own
		}
		_, _, r := filled(b, s.provider, s.name, 2<<10)
		if p := Known.Of(r); p != nil && p.Name == s.provider {
			out["of-everybody"] = append(out["of-everybody"], r)
		}
	}
	for how, names := range map[string][][2]string{
		"by-its-own-header":    {{"stripe", "snapshot"}, {"github", "json"}, {"shopify", "classic"}, {"gitlab", "token"}, {"contentful", "entry"}},
		"by-a-shared-header":   {{"bitbucket", "push"}, {"jira", "issue"}, {"gitlab", "signed"}},
		"of-standard-webhooks": {{"standardwebhooks", "v1"}},
	} {
		for _, name := range names {
			_, _, r := filled(b, name[0], name[1], 2<<10)
			require.Equal(b, name[0], Known.Of(r).Name)
			out[how] = append(out[how], r)
		}
	}
	_, _, nobody := filled(b, "stripe", "snapshot", 2<<10)
	nobody.RemoveHeader("Stripe-Signature")
	require.Nil(b, Known.Of(nobody))
	out["by-nothing"] = []*capture.Request{nobody}
	for want, member := range map[string]string{"stripe": `"object":"event"`, "square": `"merchant_id":"M","event_id":"e","data":{}`, "jira": `"webhookEvent":"e","timestamp":1`} {
		r := nobody.Clone()
		r.Body = append([]byte("{"+member+","), nobody.Body[1:]...)
		require.Equal(b, want, Known.Of(r).Name)
		out["by-the-body"] = append(out["by-the-body"], r)
	}
	return out
}
