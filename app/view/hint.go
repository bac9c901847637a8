package view

import (
	"net"
	"net/url"
	"strings"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// hint says what to try about a failed attempt at a request whose signature
// was worth status, and what a click can do about it.
func hint(a replay.Attempt, status capture.Status, ep capture.Endpoint) (string, Fix) {
	if a.Signing.Wrong() {
		switch o := a.Outcome; {
		case o.OK():
			return text.T("hint.wrong.taken", SigningWord(a.Signing)), Fix{}
		case o.Status >= 400 && o.Status < 500:
			return text.T("hint.wrong.refused"), Fix{}
		}
	}
	word := replay.Hint(a.Outcome)
	if word == "" {
		return "", Fix{}
	}
	if word == replay.HintSignature && status == capture.Valid && a.Signing == replay.AsReceived {
		return text.T("hint.signature.verified"), Fix{}
	}
	return text.Or("hint."+word, ""), hintFix(word, a, ep)
}

// hintFix offers the change that a hint speaks of. A target is only changed
// where the attempt went to the endpoint's own.
func hintFix(word string, a replay.Attempt, ep capture.Endpoint) Fix {
	f := Fix{Endpoint: ep.Name}
	switch word {
	case replay.HintStale:
		f.Do, f.Title = "resign", text.T("fix.resign")
		return f
	case replay.HintSelfSigned:
		f.Do, f.Title = "self-signed", text.T("fix.self-signed")
	case replay.HintUnconfirmed:
		f.Do, f.Title = "edit-endpoint", text.T("fix.confirm-target")
	case replay.HintRedirect:
		f.Value = moved(a.Target, capture.Head(a.Outcome.Head).Header().Get("Location"))
	case replay.HintTLSPort:
		f.Value = withScheme(a.Target, "https")
	case replay.HintPlainPort:
		f.Value = withScheme(a.Target, "http")
	case replay.HintOtherLoopback:
		f.Value = elsewhere(a.Target, a.Outcome.Detail)
	}
	if f.Value != "" {
		f.Do, f.Title = "target", text.T("fix.target", Clean(f.Value, 120))
	}
	if f.Do == "" || ep.Name == "" || a.Target != ep.Target {
		return Fix{}
	}
	return f
}

// moved is where a Location leads to from target; "" if it makes no target.
func moved(target, location string) string {
	from, err := url.Parse(target)
	if err != nil || location == "" {
		return ""
	}
	to, err := from.Parse(location)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" || !loopback(to.Hostname()) {
		return ""
	}
	to.Fragment = ""
	return to.String()
}

func withScheme(target, scheme string) string {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" {
		return ""
	}
	u.Scheme = scheme
	return u.String()
}

// elsewhere is the target at the address that detail says something listens on.
func elsewhere(target, detail string) string {
	_, rest, ok := strings.Cut(detail, replay.SaysListensElse)
	u, err := url.Parse(target)
	if !ok || err != nil {
		return ""
	}
	addr, _, _ := strings.Cut(rest, " ")
	addr = strings.TrimRight(addr, ".,;)")
	host, _, err := net.SplitHostPort(addr)
	if err != nil || !loopback(host) {
		return ""
	}
	u.Host = addr
	return u.String()
}

// loopback reports whether a host name is this machine by its spelling.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") || strings.HasSuffix(strings.ToLower(host), ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}

// local reports whether a URL leads to this machine; "" does.
func local(raw string) bool {
	if raw == "" {
		return true
	}
	u, err := url.Parse(raw)
	return err == nil && loopback(u.Hostname())
}
