package ngrok

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"regexp"
	"slices"
	"strings"

	"golang.ngrok.com/ngrok/v2"

	"anyhook.net/desktop/tunnel"
)

// A row says what a trouble means and what to do. The words in the first
// column are known to translations and never change.
type row struct {
	word, what, do string
	codes          []string
	fatal          bool // not worth trying again unchanged
	passes         bool // may go away by itself, even at the first try
}

var rows = []row{
	// ngrok.com/docs/errors
	{word: "token-malformed", fatal: true, codes: []string{"ERR_NGROK_105"}, what: "The ngrok authtoken is not complete.", do: "Copy it again from dashboard.ngrok.com, Your Authtoken, with nothing before or behind it. An API key is something else."},
	{word: "token-invalid", fatal: true, codes: []string{"ERR_NGROK_107"}, what: "ngrok does not know this authtoken: it was revoked, or belongs to another account.", do: "Copy the current one from dashboard.ngrok.com, Your Authtoken."},
	{word: "token-missing", fatal: true, codes: []string{"ERR_NGROK_4018"}, what: "There is no ngrok authtoken.", do: "Sign up at ngrok.com, it is free, and paste the authtoken from the dashboard."},
	{word: "too-many-agents", passes: true, codes: []string{"ERR_NGROK_108"}, what: "This ngrok account runs as many agents as its plan allows.", do: "Stop ngrok in another program or on another machine. AnyHook goes on trying."},
	{word: "too-old", fatal: true, codes: []string{"ERR_NGROK_121"}, what: "ngrok does not serve programs of this age any more.", do: "Update AnyHook."},
	{word: "address-in-use", passes: true, codes: []string{"ERR_NGROK_334"}, what: "This address is still in use by another session, probably this program before the machine slept, or a second copy.", do: "Close the other copy, or wait: ngrok frees the address after a minute or two, and AnyHook goes on trying."},
	{word: "address-bad", fatal: true, codes: []string{"ERR_NGROK_9037"}, what: "ngrok does not take this as an address.", do: "Write the domain as the dashboard shows it, like name.ngrok-free.app, or leave it empty."},
	{word: "address-not-yours", fatal: true, codes: []string{"ERR_NGROK_313", "ERR_NGROK_314", "ERR_NGROK_319", "ERR_NGROK_320", "ERR_NGROK_326"}, what: "This address does not belong to this ngrok account, or its plan has no such addresses.", do: "Leave the domain empty to get the account's own, or reserve it at dashboard.ngrok.com, Domains."},
	{word: "quota", passes: true, codes: []string{"ERR_NGROK_725", "ERR_NGROK_727", "ERR_NGROK_734"}, what: "The ngrok account has used up what its plan allows this month.", do: "Wait for the next month, or change the plan. Senders are answered by ngrok meanwhile, not by AnyHook."},
	{word: "rate", passes: true, codes: []string{"ERR_NGROK_702"}, what: "More requests a minute than the ngrok plan allows.", do: "Wait a minute. The senders were told to try again."},
	{word: "offline-url", passes: true, codes: []string{"ERR_NGROK_3200"}, what: "ngrok says that nobody serves this address.", do: "Open the tunnel again, and compare the address with the one given to the provider."},
	{word: "browser-page", passes: true, codes: []string{"ERR_NGROK_6024"}, what: "ngrok showed its warning page, as it does to browsers on a free plan.", do: "Nothing: providers do not see it. In a browser, press Visit."},

	{word: "dns", what: "The name of ngrok's service could not be found.", do: "Check the network and the DNS server. AnyHook goes on trying, and all but the tunnel works meanwhile."},
	{word: "no-network", what: "ngrok's service could not be reached.", do: "Check the network, the VPN and the firewall: port 443 to connect.ngrok-agent.com has to be open. AnyHook goes on trying."},
	{word: "hung-up", what: "The connection to ngrok was cut.", do: "Usually nothing: AnyHook connects again. If it goes on, something between here and ngrok cuts it, often a proxy or a firewall."},
	{word: "clock", what: "The certificate of ngrok's service is not valid at the time this machine shows.", do: "Set the clock of this machine, then try again."},
	{word: "intercepted", what: "Something in between answered instead of ngrok, such as a proxy, a virus scanner or a login page.", do: "Log in to the network, or ask its administrator to let connect.ngrok-agent.com pass unopened."},
	{word: "proxy", what: "The proxy did not let AnyHook reach ngrok.", do: "Check HTTPS_PROXY, or ask the administrator to allow connect.ngrok-agent.com:443."},
	{word: "proxy-login", what: "The proxy wants a user name and a password, or other ones.", do: "Write them into HTTPS_PROXY: http://name:password@proxy:port."},
	{word: "silent", what: "Nothing was heard of ngrok for almost a minute.", do: "Nothing: AnyHook begins a new session."},
	{word: "ended", what: "The ngrok session ended.", do: "Nothing: AnyHook begins a new one."},
	{word: "refused", what: "ngrok refused.", do: "Look the code up at ngrok.com/docs/errors."},
}

// Words returns every word that tunnel.Advice may return for this backend.
func Words() []string {
	words := make([]string, 0, len(rows))
	for _, r := range rows {
		words = append(words, r.word)
	}
	return words
}

// ByCode explains one of ngrok's codes, as in the Ngrok-Error-Code header of
// an answer that ngrok gave instead of AnyHook.
func ByCode(code string) *tunnel.Error { return byCode(code, "") }

func rowOf(code string) (row, bool) {
	i := slices.IndexFunc(rows, func(r row) bool { return slices.Contains(r.codes, code) })
	if i < 0 {
		return row{}, false
	}
	return rows[i], true
}

func fatal(code string) bool {
	r, _ := rowOf(code)
	return r.fatal
}

func passes(code string) bool {
	r, _ := rowOf(code)
	return r.passes
}

func byCode(code, said string) *tunnel.Error {
	r, ok := rowOf(code)
	if !ok {
		r = wordRow("refused")
	}
	return r.error(code, said)
}

func byWord(word, said string) *tunnel.Error { return wordRow(word).error("", said) }

func wordRow(word string) row {
	return rows[slices.IndexFunc(rows, func(r row) bool { return r.word == word })]
}

func (r row) error(code, said string) *tunnel.Error {
	if said == "" {
		said = r.what
	}
	return &tunnel.Error{Code: code, Msg: said, Fatal: r.fatal, Advice: r.word, What: r.what, Do: r.do}
}

var codeShape = regexp.MustCompile(`ERR_NGROK_\d+`)

// codeOf finds ngrok's code where the SDK left it: in its public error, in the
// chain of an event's error, or, after a refused bind, in the text alone.
func codeOf(err error) string {
	if e, ok := errors.AsType[ngrok.Error](err); ok && e.Code() != "" {
		return e.Code()
	}
	if e, ok := errors.AsType[interface {
		error
		ErrorCode() string
	}](err); ok && e.ErrorCode() != "" {
		return e.ErrorCode()
	}
	return codeShape.FindString(err.Error())
}

// explain makes an error that a user can act on, and in which there is no token.
func explain(err error, hide func(string) string) error {
	said := hide(firstLine(err))
	if code := codeOf(err); code != "" {
		return byCode(code, said)
	}
	return byWord(wordOf(err), said)
}

// firstLine is what the service says, without its code and its links.
func firstLine(err error) string {
	msg := err.Error()
	if e, ok := errors.AsType[interface {
		error
		Msg() string
	}](err); ok {
		msg = e.Msg()
	}
	msg = strings.TrimPrefix(strings.TrimSpace(msg), "authentication failed: ")
	line, _, _ := strings.Cut(msg, "\n")
	line = strings.TrimSpace(codeShape.ReplaceAllString(line, ""))
	const most = 300
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}

// wordOf finds out what is wrong on the way to ngrok. The SDK passes on some
// errors as text only.
func wordOf(err error) string {
	text := err.Error()
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
	}
	var refused *proxyError
	switch {
	case errors.As(err, &refused):
		return refused.word
	case isA[*net.DNSError](err) || has("no such host", "server misbehaving"):
		return "dns"
	case has("certificate has expired or is not yet valid"):
		return "clock"
	case isA[x509.UnknownAuthorityError](err) || has("x509: ", "tls: ", "first record does not look like a TLS handshake"):
		return "intercepted"
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || has("EOF", "reset by peer", "forcibly closed", "session closed", "broken pipe"):
		return "hung-up"
	case isA[*net.OpError](err) || errors.Is(err, context.DeadlineExceeded) || has("failed to dial", "timeout"):
		return "no-network"
	case strings.HasPrefix(text, "authentication failed"):
		return "refused"
	}
	return "hung-up"
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
