package doctor

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"anyhook.net/desktop/capture"
)

// addresses are the ways in which an address differs from the one that the
// provider has on file.
func (e *examination) addresses() []change {
	var out []change
	add := func(c Cause, addresses ...string) {
		for _, a := range addresses {
			if a == "" || a == e.Request.URL {
				continue
			}
			out = append(out, change{cause: c, detail: a, undo: func(r *capture.Request) bool {
				r.URL = a
				return true
			}})
		}
	}
	scheme, rest, ok := strings.Cut(e.Request.URL, "://")
	if !ok {
		return nil
	}
	host, target := rest, ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		host, target = rest[:i], rest[i:]
	}
	path, query, asked := strings.Cut(target, "?")
	build := func(scheme, host, path, query string) string {
		u := scheme + "://" + host + path
		if query != "" {
			u += "?" + query
		}
		return u
	}
	other := map[string]string{"http": "https", "https": "http"}[strings.ToLower(scheme)]
	add(URLScheme, build(other, host, path, query))
	bare, _, ported := strings.Cut(host, ":")
	if ported {
		add(URLPort, build(scheme, bare, path, query), build(other, bare, path, query))
	} else {
		add(URLPort, build(scheme, host+":443", path, query), build(scheme, host+":80", path, query))
	}
	for _, base := range e.Bases {
		if s, h, ok := strings.Cut(strings.TrimRight(base, "/"), "://"); ok {
			add(URLHost, build(s, h, path, query))
		}
	}
	add(URLHost, build(scheme, strings.ToLower(host), path, query))
	if p, ok := strings.CutSuffix(path, "/"); ok {
		add(URLSlash, build(scheme, host, p, query))
	} else {
		add(URLSlash, build(scheme, host, path+"/", query))
	}
	if asked {
		add(URLQuery, queries(build, scheme, host, path, query)...)
	}
	return out
}

// queries are the spellings of a query that something in between makes of it.
func queries(build func(scheme, host, path, query string) string, scheme, host, path, query string) []string {
	var out []string
	for _, q := range orders(strings.Split(query, "&")) {
		out = append(out, build(scheme, host, path, q))
	}
	if v, err := url.QueryUnescape(query); err == nil {
		out = append(out, build(scheme, host, path, v))
	}
	if v, err := url.ParseQuery(query); err == nil {
		out = append(out, build(scheme, host, path, v.Encode()))
	}
	return append(out, build(scheme, host, path, ""))
}

// orders are the orders of up to four parameters; of more, the sorted one alone.
func orders(params []string) []string {
	const most = 4
	if len(params) > most {
		sorted := slices.Sorted(slices.Values(params))
		return []string{strings.Join(sorted, "&")}
	}
	var out []string
	var each func(done, left []string)
	each = func(done, left []string) {
		if len(left) == 0 {
			out = append(out, strings.Join(done, "&"))
		}
		for i := range left {
			each(append(slices.Clone(done), left[i]), slices.Delete(slices.Clone(left), i, i+1))
		}
	}
	each(nil, params)
	return out
}

var stamped = regexp.MustCompile(`\b(t|ts|timestamp)=(\d+)`)

// times are the ways in which the time of a signature is written.
func (e *examination) times() []change {
	var out []change
	for name, values := range e.Request.Header {
		if len(values) != 1 {
			continue
		}
		for _, unit := range []func(string) string{
			func(s string) string { return s + "000" },
			func(s string) string { return strings.TrimSuffix(s, "000") },
			func(s string) string { return s[:max(len(s)-3, 0)] },
		} {
			now := stamped.ReplaceAllStringFunc(values[0], func(s string) string {
				name, digits, _ := strings.Cut(s, "=")
				return name + "=" + unit(digits)
			})
			if digitsOnly(values[0]) && strings.Contains(strings.ToLower(name), "time") {
				now = unit(values[0])
			}
			if now == values[0] || now == "" {
				continue
			}
			out = append(out, change{cause: TimeUnit, undo: func(r *capture.Request) bool {
				r.Header.Set(name, now)
				return true
			}})
		}
	}
	return out
}

func digitsOnly(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// writings are the ways in which the signature itself is written.
func (e *examination) writings() []change {
	name := e.Provider.Header
	value := e.Request.Header.Get(name)
	if name == "" || value == "" || len(value) > 1<<10 {
		return nil
	}
	var out []change
	for _, v := range spellings(value) {
		out = append(out, change{cause: SigEncoding, undo: func(r *capture.Request) bool {
			r.Header.Set(name, v)
			return true
		}})
	}
	return out
}

// spellings are a signature with and without a beginning, in hex and in base64.
func spellings(value string) []string {
	beginnings := []string{"", "sha256=", "sha1=", "v0=", "v1=", "v1,", "hmac-sha256="}
	digits := strings.TrimSpace(value)
	for _, b := range beginnings[1:] {
		digits = strings.TrimPrefix(digits, b)
	}
	texts := []string{digits, strings.ToLower(digits)}
	if b, err := hex.DecodeString(digits); err == nil {
		texts = append(texts, base64.StdEncoding.EncodeToString(b), base64.RawURLEncoding.EncodeToString(b))
	}
	if b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(digits, "=")); err == nil {
		texts = append(texts, hex.EncodeToString(b), base64.StdEncoding.EncodeToString(b))
	}
	var out []string
	for _, t := range texts {
		for _, b := range beginnings {
			if b+t != value {
				out = append(out, b+t)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
