package replay

import (
	"bytes"
	"net/http"
	"strings"

	"anyhook.net/desktop/capture"
)

// What Detail says in cases that no Failure tells apart. The words are stored,
// and Hint looks for them.
const (
	SaysSelfSigned  = "certificate not trusted (self-signed or from an unknown issuer)"
	SaysTLSPort     = "you used http:// but the port speaks TLS"
	SaysPlainPort   = "you used https:// but the port speaks plain HTTP"
	SaysListensElse = "but something is listening on "
	SaysUnconfirmed = "is not this machine"
	SaysOwnPort     = "is where AnyHook itself captures"
	SaysUnsigned    = "it could not be signed anew"
)

// The hints: what is probably behind an outcome. The words are keys of translations.
const (
	HintCSRF          = "csrf"           // a framework turned the request away before the handler ran: CSRF or login
	HintSignature     = "signature"      // the handler did not take the signature
	HintStale         = "stale"          // the handler found the signature too old: sign it anew
	HintHost          = "host"           // the handler does not serve this Host
	HintRedirect      = "redirect"       // the handler is elsewhere: use Location as the target
	HintNotFound      = "not-found"      // no such path: 404 or 410
	HintMethod        = "method"         // the path does not take the method: 405
	HintTooLarge      = "too-large"      // the body is over the handler's limit: 413
	HintRefused       = "refused"        // nobody listens
	HintOtherLoopback = "other-loopback" // nobody listens here, but somebody does on the other loopback address
	HintDNS           = "dns"            // the name is unknown
	HintSelfSigned    = "self-signed"    // accept the certificate for this target
	HintCertificate   = "certificate"    // the certificate is for another name, or out of date
	HintTLSPort       = "tls-port"       // use https://
	HintPlainPort     = "plain-port"     // use http://
	HintUnconfirmed   = "unconfirmed"    // confirm the target
	HintOwnPort       = "own-port"       // the target would send to AnyHook itself
	HintUnsigned      = "unsigned"       // there is no way to sign it
	HintTimeout       = "timeout"        // nobody knows whether the handler did its work
	HintUnfinished    = "unfinished"     // the answer's status came, its body did not end
	HintReset         = "reset"          // the handler's connection broke: it may have crashed
	HintUpgrade       = "upgrade"        // a 101 that nobody asked for
	HintNotHTTP       = "not-http"       // something else than HTTP/1 listens there
	HintLost          = "lost"           // AnyHook ended first
)

// Hint guesses what is behind o, as a word that translations know; "" when
// there is nothing to add to what o says by itself.
func Hint(o Outcome) string {
	if h := failureHint(o); h != "" {
		return h
	}
	if o.OK() || o.Status == 0 {
		return ""
	}
	return statusHint(o)
}

// saying pairs what Detail says with what it hints at.
var saying = []struct{ text, hint string }{
	{SaysListensElse, HintOtherLoopback},
	{SaysSelfSigned, HintSelfSigned},
	{SaysTLSPort, HintTLSPort},
	{SaysPlainPort, HintPlainPort},
	{SaysUnconfirmed, HintUnconfirmed},
	{SaysOwnPort, HintOwnPort},
	{SaysUnsigned, HintUnsigned},
}

func failureHint(o Outcome) string {
	if o.Failure == "" {
		return ""
	}
	for _, s := range saying {
		if strings.Contains(o.Detail, s.text) {
			return s.hint
		}
	}
	switch o.Failure {
	case Refused:
		return HintRefused
	case DNS:
		return HintDNS
	case TLS:
		return HintCertificate
	case Timeout, Cut, Reset:
		return brokenHint(o)
	case Protocol:
		if o.Status == http.StatusSwitchingProtocols {
			return HintUpgrade
		}
		return HintNotHTTP
	case Lost:
		return HintLost
	case Canceled, Blocked, HungUp, Killed:
	}
	return ""
}

func brokenHint(o Outcome) string {
	switch {
	case o.OK():
		return HintUnfinished
	case o.Status != 0:
		return "" // the status says more
	case o.Failure == Timeout:
		return HintTimeout
	}
	return HintReset
}

func statusHint(o Outcome) string {
	head := capture.Head(o.Head).Header()
	switch s := o.Status; {
	case s >= 300 && s < 400 && head.Get("Location") != "":
		if login(head.Get("Location")) {
			return HintCSRF
		}
		return HintRedirect
	case s == http.StatusNotFound, s == http.StatusGone:
		return HintNotFound
	case s == http.StatusMethodNotAllowed:
		return HintMethod
	case s == http.StatusRequestEntityTooLarge:
		return HintTooLarge
	case s == 419: // Laravel: page expired
		return HintCSRF
	case s >= 400 && s < 500:
		return wordHint(o)
	}
	return ""
}

// login reports whether a Location looks like a login page.
func login(location string) bool {
	l := strings.ToLower(location)
	for _, w := range []string{"login", "log-in", "log_in", "signin", "sign-in", "sign_in", "/auth", "sso"} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}

// phrases pairs words of an error page with what they hint at. First match wins.
var phrases = []struct{ text, hint string }{
	{"csrf", HintCSRF},
	{"xsrf", HintCSRF},
	{"invalidauthenticitytoken", HintCSRF}, // Rails
	{"authenticity token", HintCSRF},
	{"antiforgery", HintCSRF}, // ASP.NET
	{"blocked host", HintHost},
	{"blocked request. this host", HintHost}, // Vite
	{"invalid host", HintHost},               // webpack, IIS Express
	{"disallowedhost", HintHost},             // Django
	{"allowed_hosts", HintHost},
	{"invalid http_host", HintHost},
	{"tolerance", HintStale}, // stripe-node: "Timestamp outside the tolerance zone"
	{"timestamp", HintStale},
	{"signature", HintSignature},
	{"hmac", HintSignature},
	{"webhook secret", HintSignature},
}

func wordHint(o Outcome) string {
	page := string(bytes.ToLower(o.Body[:min(len(o.Body), MaxKept)]))
	for _, p := range phrases {
		if strings.Contains(page, p.text) {
			return p.hint
		}
	}
	return ""
}
