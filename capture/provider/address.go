package provider

import (
	"net/url"
	"strings"
)

// An address is a URL cut into parts that are kept as they came: net/url
// would lower the scheme and rewrite escapes, and the signature is over bytes.
type address struct {
	scheme string // "https://"
	user   string // with its @
	host   string
	port   string // with its colon
	rest   string // path and query
}

func parseAddress(s string) (address, bool) {
	i := strings.Index(s, "://")
	if i < 1 {
		return address{}, false
	}
	a := address{scheme: s[:i+3]}
	authority := s[i+3:]
	if j := strings.IndexAny(authority, "/?#"); j >= 0 {
		authority, a.rest = authority[:j], authority[j:]
	}
	if j := strings.LastIndexByte(authority, '@'); j >= 0 {
		a.user, authority = authority[:j+1], authority[j+1:]
	}
	a.host = authority
	if j := strings.LastIndexByte(authority, ':'); j > strings.LastIndexByte(authority, ']') {
		a.host, a.port = authority[:j], authority[j:]
	}
	return a, true
}

func (a address) String() string { return a.scheme + a.user + a.host + a.port + a.rest }

// defaultPort returns the port that the scheme means when it names none.
func (a address) defaultPort() string {
	if strings.EqualFold(a.scheme, "https://") {
		return ":443"
	}
	return ":80"
}

// query returns the query without its question mark; "" if there is none.
func (a address) query() string {
	_, q, _ := strings.Cut(a.rest, "?")
	return q
}

// withQuery returns the address with another query.
func (a address) withQuery(q string) address {
	path, _, _ := strings.Cut(a.rest, "?")
	a.rest = path + "?" + q
	return a
}

// reencoded returns a query decoded and encoded again, with the escapes of
// ECMAScript's encodeURIComponent, which twilio-node's older back ends use.
func reencoded(query string) string {
	var b strings.Builder
	for name, value := range formFields(query) {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(encodeComponent(name) + "=" + encodeComponent(value))
	}
	return b.String()
}

var componentEscapes = strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%7E", "~")

func encodeComponent(s string) string { return componentEscapes.Replace(url.QueryEscape(s)) }
