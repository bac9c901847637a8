package provider

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// only returns the value of a header that may be there once. n is the number
// of header lines of that name: with more than one nobody can tell which of
// them another reader takes.
func only(r *capture.Request, name string) (value string, n int) {
	values := r.Header.Values(name)
	if len(values) == 0 {
		return "", 0
	}
	return values[0], len(values)
}

// signature returns the header that holds a signature, or the verdict on a
// request that has none or several of it.
func signature(r *capture.Request, name string, secrets []capture.Secret) (string, *capture.Signature) {
	value, n := only(r, name)
	switch n {
	case 1:
		return value, nil
	case 0:
		return "", new(refuse(secrets, capture.Missing, capture.WhyNoHeader, name))
	}
	return "", new(refuse(secrets, capture.Malformed, capture.WhyTwice, name))
}

func unhex(s string, size int) ([]byte, bool) {
	b, err := hex.DecodeString(s)
	return b, err == nil && len(b) == size
}

// lastSecond is the last one of the year 9999, the last that JSON and RFC 3339 can tell.
const lastSecond = 253402300799

// unixTime reads a timestamp of digits alone, in the unit given.
func unixTime(s string, unit time.Duration) (time.Time, bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return time.Time{}, false
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	per := int64(time.Second / unit)
	if err != nil || n/per > lastSecond {
		return time.Time{}, false
	}
	return time.Unix(n/per, n%per*int64(unit)).UTC(), true
}

// brief cuts a value of a header for people.
func brief(s string) string {
	const most = 40
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.QuoteToASCII(s)
}

// isForm reports whether the body says that it is an HTML form.
func isForm(r *capture.Request) bool {
	return mediaType(r) == "application/x-www-form-urlencoded"
}

func mediaType(r *capture.Request) string {
	kind := r.Header.Get("Content-Type")
	t, _, _ := strings.Cut(kind, ";")
	return strings.ToLower(strings.TrimSpace(t))
}
