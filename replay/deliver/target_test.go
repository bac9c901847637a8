package deliver

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestTargetsAsPeopleTypeThem(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"3000": "http://localhost:3000", "3000/hook": "http://localhost:3000/hook", ":3000": "http://localhost:3000",
		"localhost:3000": "http://localhost:3000", "localhost:3000/a?b=c": "http://localhost:3000/a?b=c",
		" http://localhost:3000/webhooks ": "http://localhost:3000/webhooks", "shop.test": "http://shop.test",
		"127.0.0.1:80": "http://127.0.0.1:80", "[::1]:3000": "http://[::1]:3000", "https://localhost/": "https://localhost/",
		"HTTP://Localhost:3000": "HTTP://Localhost:3000", "http://0.0.0.0:3000": "http://0.0.0.0:3000",
		"http://localhost/ä b": "http://localhost/ä b",
	} {
		got, err := ParseTarget(typed)
		require.NoError(t, err, typed)
		require.Equal(t, want, got)
	}
}

func TestTargetsThatAreNoneSayWhy(t *testing.T) {
	t.Parallel()
	for typed, why := range map[string]string{
		"": "empty", "0": "port", "70000": "port", "localhost:99999": "port", "ftp://localhost": "http or https",
		"mailto:a@b": "looks like http://localhost:3000", "javascript:alert(1)": "looks like",
		"http://user:hunter2@localhost:3000": "user name or password", "http://localhost:3000/#top": "fragment", "http://localhost:3000#": "fragment",
		"http://": "no host", "http://:3000": "no host", "http://local host": "is not a URL", "http://lo\ncalhost": "control character",
		"http://[::1": "is not a URL", "http://localhost/%zz": "is not a URL", "file:///etc/passwd": "http or https", "http://a,b": "not a host name",
	} {
		_, err := ParseTarget(typed)
		require.ErrorContains(t, err, why, typed)
		require.NotContains(t, err.Error(), "hunter2")
	}
}

func TestWhichPathAndQueryTheHandlerIsCalledWith(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ target, sent, want string }{
		{"http://h/hook", "/in/stripe", "/hook"},
		{"http://h/hook", "/in/stripe?a=%2f&b", "/hook?a=%2f&b"},
		{"http://h/hook?k=1", "/in?a=b", "/hook?k=1&a=b"},
		{"http://h/hook?k=1", "/in", "/hook?k=1"},
		{"http://h/hook?k=1", "/in?", "/hook?k=1"},
		{"http://h/hook/", "/in", "/hook/"},
		{"http://h/a%2Fb", "/in", "/a%2Fb"},
		{"http://h/ä b?c d", "/in", "/%C3%A4%20b?c%20d"},
		{"http://h", "//in//x/../y?", "//in//x/../y?"},
		{"http://h/", "/in/x?y=z?", "/in/x?y=z?"},
		{"http://h?k=1", "/in?a", "/in?k=1&a"},
		{"http://h", "http://hooks.example.test/in?x", "/in?x"},
		{"http://h", "https://hooks.example.test", "/"},
		{"http://h", "https://hooks.example.test?x", "/?x"},
		{"http://h", "*", "*"},
		{"http://h", "weird", "/"},
	} {
		p, err := parse(c.target)
		require.NoError(t, err)
		require.Equal(t, c.want, p.requestTarget(c.sent), "%s %s", c.target, c.sent)
	}
}

func TestTargetOfAnEndpoint(t *testing.T) {
	t.Parallel()
	ep := capture.Endpoint{Target: "http://localhost:3000", Timeout: time.Minute, KeepHost: true, SelfSigned: true, AwayOK: true}
	require.Equal(t, Target{URL: "http://localhost:3000", Timeout: time.Minute, KeepHost: true, SelfSigned: true, AwayOK: true}, TargetOf(ep))
	require.Zero(t, LiveOrder(nil, ep).Keep)
	ep.Reply = capture.Wait
	require.Equal(t, AwaitedKeep, LiveOrder(nil, ep).Keep)
}

func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{"3000", "localhost:3000/a?b#c", "http://u:p@h", "[::1]:1", "http://[fe80::1%25eth0]:3000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseTarget(s)
		if err != nil {
			return
		}
		again, err := ParseTarget(got)
		require.NoError(t, err)
		require.Equal(t, got, again)
		p, err := parse(got)
		require.NoError(t, err)
		require.True(t, printable(p.requestTarget("/x")), "%q", p.requestTarget("/x"))
		require.True(t, printable(p.hostField()), "%q", p.hostField())
	})
}

func TestATargetIsAwayWhenItIsKnownToBeAnotherMachine(t *testing.T) {
	t.Parallel()
	for target, away := range map[string]bool{
		"http://192.0.2.1:3000":      true,
		"http://[2001:db8::1]/x":     true,
		"http://localhost:3000":      false,
		"http://shop.localhost:3000": false,
		"http://127.0.0.9:3000":      false,
		"http://[::1]:3000":          false,
		"http://0.0.0.0:3000":        false,
		"http://nobody.invalid":      false, // nobody knows
		"ftp://192.0.2.1":            false, // no target at all
	} {
		require.Equal(t, away, Away(t.Context(), target), target)
	}
}

// To join them one by one would take longer than the target has.
func TestAHundredThousandFoldedLinesAreSentAsOne(t *testing.T) {
	t.Parallel()
	h := listen(t, "127.0.0.1:0", nil)
	s, _ := sender()
	raw, want := []byte("POST /p HTTP/1.1\r\nHost: x\r\nA: b\r\n"), []byte("A: b")
	for i := range 120_000 {
		raw, want = fmt.Appendf(raw, "\t%x \r\n", i), fmt.Appendf(want, " %x", i)
	}
	a := send(t, s, Order{Request: request(string(raw) + "\r\n"), Target: Target{URL: h.url("/"), Timeout: 10 * time.Second}})
	require.True(t, a.Outcome.OK(), a.Outcome.Detail)
	_, sent, _ := strings.Cut(h.got()[0], "\r\nA: ")
	sent, _, _ = strings.Cut(sent, "\r\n")
	require.Equal(t, string(want), "A: "+sent)
}
