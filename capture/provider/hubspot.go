package provider

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

const (
	hubspotV3      = "X-HubSpot-Signature-v3"
	hubspotTime    = "X-HubSpot-Request-Timestamp"
	hubspotOld     = "X-HubSpot-Signature"
	hubspotVersion = "X-HubSpot-Signature-Version"
)

// HubSpot sends up to a hundred events a request, in no order. Its third
// signature scheme covers method, address, body and time (in milliseconds);
// the first two are a plain hash of the secret and what it covers. Where the
// third is there, the others are not looked at: they are weaker.
var hubspot = capture.Provider{
	Name:      "hubspot",
	Title:     "HubSpot",
	Scheme:    "v3: HMAC-SHA256 of method, url, body and time, base64; v2, v1: SHA-256 of the secret and what is signed, hex",
	Header:    hubspotV3,
	Tolerance: 300 * time.Second,
	Deadline:  5 * time.Second,
	Dedupe:    "$[*].objectId + subscriptionType + occurredAt + propertyName",
	Order:     "$[*].occurredAt",
	Attempt:   "$[*].attemptNumber, from 0",
	Retry:     capture.Retry{Times: 10, Within: 24 * time.Hour},
	Setup:     "Developer account → your app → Webhooks → Target URL; the client secret is under Auth.",
	Note:      "Up to 100 events come in one request, in no order and with one deadline for all. eventId is not unique. Any answer of 4xx or 5xx is sent again, at random times.",
	Trust:     capture.Trust{Signature: capture.BySDK, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"npm @hubspot/api-client@13.5.0 utils/signature.js",
		"https://developers.hubspot.com/docs/api/webhooks",
		"https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation",
		"https://developers.hubspot.com/docs/faq/v1-request-validation",
	},
	Marks:       []string{hubspotV3, hubspotOld},
	Agent:       "HubSpot",
	Members:     []string{"portalId"},
	Body:        isHubSpot,
	Verify:      hubspotVerify,
	Sign:        hubspotSign,
	CheckSecret: hubspotKeys.check,
	Events:      hubspotEvents,
	Mark:        hubspotMark,
	Batch:       hubspotBatch.parts,
	Join:        hubspotBatch.join,
}

var hubspotKeys = keys{
	want:  "the client secret of the app, not an access token",
	alien: []string{"pat-", "CiR", "eyJ"},
}

func hubspotVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	switch {
	case has(r, hubspotV3):
		return hubspotVerifyV3(r, secrets, now)
	case has(r, hubspotOld):
		return hubspotVerifyOld(r, secrets, now)
	}
	return refuse(secrets, capture.Missing, capture.WhyNoHeader, hubspotV3)
}

func hubspotVerifyV3(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, hubspotV3, secrets)
	if bad != nil {
		return *bad
	}
	stamp, n := only(r, hubspotTime)
	at, ok := unixTime(stamp, time.Millisecond)
	sig, err := base64.StdEncoding.Strict().DecodeString(header)
	switch {
	case n == 0:
		return refuse(secrets, capture.Malformed, capture.WhyNoTimestamp, hubspotTime)
	case n > 1:
		return refuse(secrets, capture.Malformed, capture.WhyTwice, hubspotTime)
	case err != nil || len(sig) != sha256.Size:
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "44 characters of base64")
	case !ok:
		return refuse(secrets, capture.Malformed, capture.WhyBadTime, brief(stamp))
	}
	over := func(scheme, url string) way {
		return way{scheme, [][]byte{[]byte(r.Method), []byte(url), r.Body, []byte(stamp)}}
	}
	c := claim{
		ways:  []way{over("HMAC-SHA256 of method, url, body and time (v3)", r.URL)},
		clock: clock{at: at, unit: time.Millisecond, window: 300 * time.Second},
		keys:  hubspotKeys,
		match: anyMAC(sha256.New, sig),
	}
	if decoded := hubspotDecode(r.URL); decoded != r.URL {
		c.ways = append(c.ways, over("HMAC-SHA256 of method, decoded url, body and time (v3)", decoded))
	}
	return c.judge(secrets, now)
}

// hubspotVerifyOld checks v1 and v2. What is told as hashed leaves the secret out.
func hubspotVerifyOld(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, hubspotOld, secrets)
	if bad != nil {
		return *bad
	}
	version, n := only(r, hubspotVersion)
	sig, ok := unhex(header, sha256.Size)
	switch {
	case n > 1:
		return refuse(secrets, capture.Malformed, capture.WhyTwice, hubspotVersion)
	case n == 1 && version != "v1" && version != "v2":
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, hubspotVersion+": v1 or v2")
	case !ok:
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "64 hex digits")
	}
	c := claim{
		ways: []way{{"SHA-256 of secret and body (v1)", [][]byte{r.Body}}},
		keys: hubspotKeys,
		match: func(secret string, parts [][]byte) bool {
			return hmac.Equal(sig, hubspotDigest(secret, parts...))
		},
	}
	if version == "v2" {
		over := func(scheme, url string) way {
			return way{scheme, [][]byte{[]byte(r.Method), []byte(url), r.Body}}
		}
		c.ways = []way{over("SHA-256 of secret, method, url and body (v2)", r.URL)}
	}
	return c.judge(secrets, now)
}

func hubspotDigest(secret string, parts ...[]byte) []byte {
	h := sha256.New()
	h.Write([]byte(secret))
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// hubspotDecode undoes the escapes that the manual wants undone in the query
// before it is hashed. HubSpot's own library leaves them, so that both are tried.
func hubspotDecode(u string) string {
	path, query, ok := strings.Cut(u, "?")
	if !ok {
		return u
	}
	return path + "?" + hubspotEscapes.Replace(query)
}

var hubspotEscapes = strings.NewReplacer(
	"%3A", ":", "%2F", "/", "%3F", "?", "%40", "@", "%21", "!", "%24", "$",
	"%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%2C", ",", "%3B", ";",
)

func hubspotSign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := hubspotKeys.check(secret); err != nil {
		return err
	}
	key, method, url := secret.Reveal(), []byte(r.Method), []byte(r.URL)
	stamp := strconv.FormatInt(now.UnixMilli(), 10)
	sum := mac(sha256.New, key, method, url, r.Body, []byte(stamp))
	r.SetHeader(hubspotV3, base64.StdEncoding.EncodeToString(sum))
	r.SetHeader(hubspotTime, stamp)
	if !has(r, hubspotOld) {
		return nil
	}
	old := hubspotDigest(key, r.Body)
	if r.Header.Get(hubspotVersion) == "v2" {
		old = hubspotDigest(key, method, url, r.Body)
	}
	r.SetHeader(hubspotOld, hex.EncodeToString(old))
	return nil
}
