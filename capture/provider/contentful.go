package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

const (
	contentfulSignature = "X-Contentful-Signature"
	contentfulSigned    = "X-Contentful-Signed-Headers"
	contentfulTime      = "X-Contentful-Timestamp"
	contentfulSays      = "HMAC-SHA256 of method, path, signed headers and body"
)

// Contentful signs the method, the path with its query, the headers that it
// lists, and the body. The version of an entry guards the order better than
// the clock. Its own library takes what is younger than thirty seconds.
var contentful = capture.Provider{
	Name:        "contentful",
	Title:       "Contentful",
	Scheme:      contentfulSays + ", hex",
	Header:      contentfulSignature,
	Tolerance:   29 * time.Second,
	Deadline:    30 * time.Second,
	Dedupe:      contentfulFields.dedupe(),
	Order:       contentfulFields.orders(),
	Retry:       capture.Retry{Times: 2, After: []time.Duration{30 * time.Second, 30 * time.Second}},
	Setup:       "Settings → Webhooks → Add webhook; requests are signed once Settings → Webhooks → Settings has a signing secret, of 64 letters.",
	Note:        "The path is part of what is signed: a proxy that rewrites it breaks the signature.",
	Trust:       capture.Trust{Signature: capture.BySDK, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:     []string{"npm @contentful/node-apps-toolkit@3.16.1"},
	Marks:       []string{"X-Contentful-Topic", contentfulSignature},
	Verify:      contentfulVerify,
	Sign:        contentfulSign,
	CheckSecret: contentfulKeys.check,
	Events:      contentfulFields.eventsOf("contentful"),
}

var contentfulKeys = keys{
	want:   "the signing secret of the space's webhooks, of 64 letters, not an access token",
	usable: func(secret string) bool { return len(secret) == 64 },
}

var contentfulFields = fields{
	parts:  []string{"$.sys.id", "$.sys.version", "header:X-Contentful-Topic"},
	typ:    []string{"header:X-Contentful-Topic"},
	object: []string{"$.sys.type", "$.sys.id"},
	at:     "$.sys.updatedAt|$.sys.deletedAt",
	order:  "$.sys.version",
}

func contentfulVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, contentfulSignature, secrets)
	if bad != nil {
		return *bad
	}
	stamp, bad := signature(r, contentfulTime, secrets)
	if bad != nil {
		return *bad
	}
	sig, ok := unhex(header, sha256.Size)
	at, timed := unixTime(stamp, time.Millisecond)
	switch {
	case !ok:
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "64 hex digits")
	case !timed:
		return refuse(secrets, capture.Malformed, capture.WhyBadTime, brief(stamp))
	case !contentfulListed(r):
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, contentfulSigned+": with "+strings.ToLower(contentfulTime))
	}
	return claim{
		ways:  []way{{contentfulSays, contentfulParts(r, contentfulPath(r))}, {contentfulSays, contentfulParts(r, contentfulRaw(r))}},
		clock: clock{at: at, unit: time.Millisecond, window: 30*time.Second - time.Millisecond},
		keys:  contentfulKeys,
		match: anyMAC(sha256.New, sig),
	}.judge(secrets, now)
}

// contentfulListed reports whether the time is among the headers that are
// signed: else anybody could renew it.
func contentfulListed(r *capture.Request) bool {
	for name := range strings.SplitSeq(r.Header.Get(contentfulSigned), ",") {
		if strings.EqualFold(strings.TrimSpace(name), contentfulTime) {
			return true
		}
	}
	return false
}

// contentfulRaw is the path with its query, as it came.
func contentfulRaw(r *capture.Request) string {
	if a, ok := parseAddress(r.URL); ok && a.rest != "" {
		return a.rest
	}
	return "/"
}

// contentfulPath is the path as Contentful's own library writes it: it escapes
// the query, and then the whole of it once more.
func contentfulPath(r *capture.Request) string {
	path, query, _ := strings.Cut(contentfulRaw(r), "?")
	if query != "" {
		path += "?" + encodeComponent(query)
	}
	return encodeURI(path)
}

// encodeURI escapes as ECMAScript's function of the name does.
func encodeURI(s string) string {
	const left = ";,/?:@&=+$-_.!~*'()#"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(left, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// contentfulParts is what is signed.
func contentfulParts(r *capture.Request, path string) [][]byte {
	var headers []string
	for name := range strings.SplitSeq(r.Header.Get(contentfulSigned), ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		headers = append(headers, name+":"+strings.TrimSpace(r.Header.Get(name)))
	}
	slices.Sort(headers)
	return [][]byte{[]byte(r.Method + "\n"), []byte(path + "\n"), []byte(strings.Join(headers, ";") + "\n"), r.Body}
}

func contentfulSign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := contentfulKeys.check(secret); err != nil {
		return err
	}
	r.SetHeader(contentfulTime, inMillis.write(now))
	if !contentfulListed(r) {
		r.SetHeader(contentfulSigned, strings.ToLower(contentfulSigned+","+contentfulTime))
	}
	sum := mac(sha256.New, secret.Reveal(), contentfulParts(r, contentfulPath(r))...)
	r.SetHeader(contentfulSignature, hex.EncodeToString(sum))
	return nil
}
