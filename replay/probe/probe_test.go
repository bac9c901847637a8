package probe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/replay"
)

// anywhere goes where it is told.
var anywhere = &Prober{Dial: func(ctx context.Context, address string) (net.Conn, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return new(net.Dialer).DialContext(ctx, "tcp", u.Host)
}}

// shop answers by path.
func shop(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/state":
		fmt.Fprint(w, `{"charges":1,"big":12345678901234567890,"plan":"active","gone":null}`)
	case "/moved":
		http.Redirect(w, r, "/state", http.StatusFound)
	case "/broken":
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, "out of order")
	case "/large":
		_, _ = w.Write(make([]byte, largest+1))
	case "/head":
		w.Header().Set("X-Long", strings.Repeat("x", mostHead+4096))
	case "/asked":
		fmt.Fprint(w, r.Method, r.UserAgent(), r.Header["Accept-Encoding"], r.URL.RawQuery)
	case "/wide":
		fmt.Fprint(w, strings.Repeat("夜", 100))
	}
}

func TestALookSaysWhatIsThereAndWhyThatIsNotAsItShouldBe(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.HandlerFunc(shop))
	t.Cleanup(plain.Close)
	secure := httptest.NewTLSServer(http.HandlerFunc(shop))
	t.Cleanup(secure.Close)
	state := `{"charges":1,"big":12345678901234567890,"plan":"active","gone":null}`
	for _, base := range []string{plain.URL, secure.URL} {
		for _, c := range []struct {
			path, jq, text string
			want           replay.Held
		}{
			{"/state", "", "", replay.Held{Got: state}},
			{"/state", `.plan == "active"`, "", replay.Held{Got: "true"}},
			{"/state", ".charges", "", replay.Held{Got: "1"}},
			{"/state", ".big == 12345678901234567890", "", replay.Held{Got: "true"}},
			{"/state", ".charges, .gone", "", replay.Held{Got: "1"}},
			{"/state", ".charges == 2", "", replay.Held{Got: state, Why: ".charges == 2 is false"}},
			{"/state", ".gone", "", replay.Held{Got: state, Why: ".gone is null"}},
			{"/state", "empty", "", replay.Held{Why: "empty gives nothing"}},
			{"/state", ".charges.x", "", replay.Held{Got: state, Why: "jq: expected an object but got: number (1)"}},
			{"/state", "$ENV.PATH", "", replay.Held{Got: state, Why: "$ENV.PATH is null"}},
			{"/state", "def f: f; f", "", replay.Held{Why: "def f: f; f takes longer than 1s"}},
			{"/state", "", `"plan":"active"`, replay.Held{Got: state}},
			{"/state", ".charges", "active", replay.Held{Got: "1"}},
			{"/state", ".charges", "canceled", replay.Held{Got: state, Why: `the body does not contain "canceled"`}},
			{"/moved", "", "", replay.Held{Got: "<a href=\"/state\">Found</a>.\n\n", Why: "answered 302: no redirect is followed"}},
			{"/broken", "", "out of order", replay.Held{Got: "out of order", Why: "answered 500"}},
			{"/broken", ".", "", replay.Held{Got: "out of order", Why: "answered 500"}},
			{"/wide", ".", "", replay.Held{Got: strings.Repeat("夜", 66) + "…", Why: "the body is not JSON"}},
			{"/asked?a=b%20c", "", "GETAnyHook[]a=b%20c", replay.Held{Got: "GETAnyHook[]a=b%20c"}},
			{"/large", "", "", replay.Held{Why: "the body is larger than 4194304 bytes"}},
		} {
			require.Equal(t, c.want, anywhere.Look(t.Context(), replay.Expect{URL: base + c.path, JQ: c.jq, Text: c.text}), c.path+c.jq)
		}
		require.Contains(t, anywhere.Look(t.Context(), replay.Expect{URL: base + "/head"}).Why, "exceeded")
	}
}

func TestALookThatCannotBeHadSaysWhy(t *testing.T) {
	t.Parallel()
	for _, bad := range []replay.Expect{
		{URL: ""}, {URL: "localhost:3000/state"}, {URL: "ftp://localhost/"}, {URL: "http://"}, {URL: "http://a:b@localhost/"}, {URL: "http://x/%zz"},
	} {
		require.Contains(t, anywhere.Look(t.Context(), bad).Why, "URL", bad.URL)
	}
	for _, jq := range []string{".a |", "nosuch", "$nosuch", `include "x"; .`, "input_filename | import"} {
		require.ErrorContains(t, Check(replay.Expect{URL: "http://localhost/", JQ: jq}), "jq: ", jq)
	}
	no := errors.New("192.0.2.1 is not this machine")
	p := &Prober{Dial: func(context.Context, string) (net.Conn, error) { return nil, no }}
	for _, url := range []string{"http://192.0.2.1/", "https://192.0.2.1/"} {
		require.Contains(t, p.Look(t.Context(), replay.Expect{URL: url}).Why, no.Error())
	}
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(silent.Close)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NotEmpty(t, anywhere.Look(ctx, replay.Expect{URL: silent.URL}).Why)
}
