package provider

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestTheAttemptNumberIsWhatTheProviderWouldSend(t *testing.T) {
	t.Parallel()
	for _, p := range All {
		if p.Mark == nil {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			for _, r := range requestsOf(t, p) {
				before, head := string(r.Body), string(r.Head)
				for _, n := range []int{1, 2, 3, 11} {
					c := r.Clone()
					require.NoError(t, p.Mark(c, n))
					events, err := p.Events(c)
					require.NoError(t, err)
					for _, e := range events {
						require.Equal(t, counted(p, n, e.Try), e.Try)
					}
					require.Equal(t, c.Head.Header(), c.Header)
					require.NoError(t, p.Mark(c, 1))
					first := r.Clone()
					require.NoError(t, p.Mark(first, 1))
					if strings.HasPrefix(p.Attempt, "header:") {
						require.Equal(t, before, string(c.Body), "nothing of the body is touched")
					} else {
						require.Equal(t, head, string(c.Head))
						require.Equal(t, string(first.Body), string(c.Body), "the number alone is another")
					}
				}
				require.Equal(t, before, string(r.Body), "the original stays")
				require.Equal(t, head, string(r.Head))
			}
			for _, n := range []int{-1, 0, 1000} {
				require.Error(t, p.Mark(requestsOf(t, p)[0].Clone(), n))
			}
		})
	}
}

// counted is what the events of a row say when they come for the n-th time: LINE tells a
// redelivery from a first delivery only, and of a first one some say nothing.
func counted(p capture.Provider, n, got int) int {
	switch {
	case p.Name == "line":
		return min(n, 2)
	case n == 1 && got == 0 && strings.HasPrefix(p.Attempt, "header:"):
		return 0
	}
	return n
}

func TestAMarkedRequestIsSignedAnew(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, s specimen, r *capture.Request) {
		if p.Mark == nil || p.Mark(r, 3) != nil {
			return
		}
		require.NoError(t, p.Sign(r, s.secret, noon))
		require.Equal(t, s.good(), p.Verify(r, []capture.Secret{s.secret}, noon).Status)
	})
}

func TestTheRestOfTheBytesStays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ provider, body, want string }{
		{"hubspot", `[{"a":1.0, "attemptNumber" : 0 },{"attemptNumber":10}] `, `[{"a":1.0, "attemptNumber" : 2 },{"attemptNumber":2}] `},
		{"hubspot", "[ {} , {\"b\" :\"}\"\n} ]", "[ {\"attemptNumber\":2} , {\"b\" :\"}\",\"attemptNumber\":2\n} ]"},
		{"hubspot", `{"attemptNumber":null}`, `{"attemptNumber":2}`},
		{"docusign", "{\n  \"event\": \"x\"\n}\n", "{\n  \"event\": \"x\",\"retryCount\":2\n}\n"},
		{"docusign", ` {"retryCount":"0","z":0}`, ` {"retryCount":"2","z":0}`},
		{"notion", `{"attempt_number":1,"n":{"attempt_number":1}}`, `{"attempt_number":3,"n":{"attempt_number":1}}`},
		{"line", `{"events":[{"deliveryContext":{"isRedelivery":false},"x":1},{}]}`, `{"events":[{"deliveryContext":{"isRedelivery":true},"x":1},{"deliveryContext":{"isRedelivery":true}}]}`},
		{"mux", `{"attempts":[{"response_status_code":500}],"id":"e"}`, `{"attempts":[{"response_status_code":500},{"response_status_code":500}],"id":"e"}`},
		{"mux", `{"id":"e"}`, `{"id":"e","attempts":[{"response_status_code":504},{"response_status_code":504}]}`},
	} {
		r := &capture.Request{Body: []byte(test.body)}
		require.NoError(t, row(t, test.provider).Mark(r, 3))
		require.Equal(t, test.want, string(r.Body))
	}
	for _, body := range []string{``, `[`, `1`, `[1]`, `{"events":[]}x`, `"{}"`} {
		for _, name := range []string{"hubspot", "line", "mux", "notion"} {
			r := &capture.Request{Body: []byte(body)}
			require.Error(t, row(t, name).Mark(r, 3), "%s: %s", name, body)
			require.Equal(t, body, string(r.Body))
		}
	}
}

func TestARetryOfSlackAndSquareSaysWhy(t *testing.T) {
	t.Parallel()
	r := &capture.Request{At: noon, Head: capture.NewHead("POST", "/"), Header: map[string][]string{}}
	require.NoError(t, slack.Mark(r, 3))
	require.NoError(t, square.Mark(r, 3))
	require.Equal(t, "POST / HTTP/1.1\r\nX-Slack-Retry-Num: 2\r\nX-Slack-Retry-Reason: http_timeout\r\n"+
		"Square-Retry-Number: 2\r\nSquare-Retry-Reason: HTTP_TIMEOUT\r\nSquare-Initial-Delivery-Timestamp: 2026-11-30T12:00:00Z\r\n\r\n", string(r.Head))
	require.NoError(t, slack.Mark(r, 1))
	require.NotContains(t, string(r.Head), "Slack")
}
