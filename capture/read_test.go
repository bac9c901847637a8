package capture

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func yes(*Request) bool { return true }

func row(name string, match func(*Request) bool) Provider {
	return Provider{
		Name: name, Match: match,
		Events: func(*Request) ([]Event, error) { return []Event{{Type: name}}, nil },
		Verify: func(r *Request, _ []Secret, now time.Time) Signature {
			return Signature{Status: Valid, At: now, Scheme: r.Method + r.Header.Get("X-A")}
		},
	}
}

func TestProviderIsTheEndpointsOrTheFirstThatMatches(t *testing.T) {
	t.Parallel()
	rows := NewProviders(
		row("none", nil),
		row("breaks", func(*Request) bool { panic("match") }),
		row("no", func(*Request) bool { return false }),
		row("first", yes),
		row("second", yes),
	)
	for named, want := range map[string]string{"": "first", "second": "second", "none": "none", "no": "no", "unknown": ""} {
		r := &Request{Head: NewHead("POST", "/", Field{"x-a", "1"}), At: time.Unix(7, 0)}
		p := Verify(r, rows, Endpoint{Provider: named})
		require.Equal(t, want, r.Provider)
		if want == "" {
			require.Nil(t, p)
			require.Equal(t, Signature{Status: Unchecked, Why: WhyNoProvider}, r.Signature)
		} else {
			require.Equal(t, want, p.Name)
			require.Equal(t, Signature{Status: Valid, At: time.Unix(7, 0), Scheme: "POST1"}, r.Signature, "of Head, as of the arrival")
		}
		Read(r, rows, Endpoint{Provider: named})
		require.Equal(t, want, r.Provider)
		if want != "" {
			require.Equal(t, []Event{{Type: want}}, r.Events)
		}
	}
}

func TestWhatTellsOfEvents(t *testing.T) {
	t.Parallel()
	rows := NewProviders(row("acme", yes))
	for kind, want := range map[Kind]struct {
		provider string
		events   int
	}{
		Delivery: {"acme", 1}, "": {"acme", 1}, Handshake: {"acme", 0}, Other: {"", 0}, Stray: {"", 0}, Oversize: {"acme", 0}, Incomplete: {"acme", 0},
	} {
		r := &Request{Kind: kind, Head: NewHead("POST", "/"), Provider: "before", Events: []Event{{}, {}}}
		Read(r, rows, Endpoint{})
		require.Equal(t, want.provider, r.Provider, kind)
		require.Len(t, r.Events, want.events, kind)
	}
}

func TestRowsMayLackAnythingAndBreak(t *testing.T) {
	t.Parallel()
	r := &Request{Kind: Delivery, Head: NewHead("POST", "/")}
	bare := NewProviders(Provider{Name: "bare"})
	p := Verify(r, bare, Endpoint{Provider: "bare"})
	require.Equal(t, Signature{Status: Unchecked, Why: WhyNoProvider}, r.Signature)
	_, ok := p.handshake(r, nil)
	require.False(t, ok)
	Read(r, bare, Endpoint{Provider: "bare"})
	require.Nil(t, r.Events)

	broken := NewProviders(Provider{
		Name:      "broken",
		Verify:    func(*Request, []Secret, time.Time) Signature { panic("verify") },
		Events:    func(*Request) ([]Event, error) { panic("events") },
		Handshake: func(*Request, []Secret) (Answer, bool) { panic("handshake") },
	})
	p = Verify(r, broken, Endpoint{Provider: "broken"})
	require.True(t, r.Signature.Status.Refused(), "a bug never lets anything through")
	r.Signature.Status = Valid
	_, ok = p.handshake(r, nil)
	require.False(t, ok)
	Read(r, broken, Endpoint{Provider: "broken"})
	require.Nil(t, r.Events)
	require.Equal(t, "broken", r.Provider)
}

func TestHandshakesAreAnsweredToThoseWhoMayAsk(t *testing.T) {
	t.Parallel()
	p := &Provider{Handshake: func(*Request, []Secret) (Answer, bool) { return Answer{Status: 200}, true }}
	secrets := []Secret{"s"}
	for _, tt := range []struct {
		status  Status
		body    string
		secrets []Secret
		ok      bool
	}{
		{Valid, "b", secrets, true},
		{Authenticated, "b", secrets, true},
		{Unchecked, "b", nil, true},
		{Missing, "", secrets, true},
		{Missing, "b", nil, true},
		{Missing, "b", secrets, false},
		{Invalid, "", secrets, false},
		{Stale, "b", secrets, false},
		{Malformed, "", secrets, false},
	} {
		_, ok := p.handshake(&Request{Body: []byte(tt.body), Signature: Signature{Status: tt.status}}, tt.secrets)
		require.Equal(t, tt.ok, ok, "%+v", tt)
	}
}
