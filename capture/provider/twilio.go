package provider

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // what Twilio signs with, unless a shared key says otherwise
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

const (
	twilioSignature = "X-Twilio-Signature"
	twilioSettings  = "X-Twilio-Webhooks-Signature-Settings"
	twilioBodyHash  = "bodySHA256"
)

// Twilio signs the address as it has it on file, with the fields of a form
// sorted behind it. Of any other body it signs a hash that it puts into the
// query of the address.
var twilio = capture.Provider{
	Name:     "twilio",
	Title:    "Twilio",
	Scheme:   "HMAC-SHA1 of the url and the sorted form, base64; of the url with bodySHA256 for JSON; HMAC-SHA256 with a shared key",
	Header:   twilioSignature,
	Deadline: 15 * time.Second,
	Dedupe:   "MessageSid + MessageStatus; CallSid + SequenceNumber or CallStatus",
	Order:    "SequenceNumber of calls; else the rank of MessageStatus or CallStatus",
	Retry:    capture.Retry{Never: true},
	Setup:    "Console → Phone Numbers → your number, or your messaging service; the auth token is on the start page of the Console.",
	Note:     "Twilio does not send again by itself but asks the fallback URL; up to five retries can be asked for with #rc= behind the address. The answer to a call or a message is read as TwiML.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources: []string{
		"npm twilio@6.3.1 lib/webhooks/webhooks.js",
		"https://www.twilio.com/docs/usage/webhooks/webhooks-security",
		"https://www.twilio.com/docs/api/errors/57012.md",
	},
	Marks:   []string{twilioSignature, twilioSettings, "I-Twilio-Idempotency-Token"},
	Agent:   "TwilioProxy",
	Members: []string{"AccountSid"},
	Body: func(r *capture.Request) bool {
		return isForm(r) && strings.HasPrefix(formValue(string(r.Body), "AccountSid"), "AC")
	},
	Verify:      twilioVerify,
	Sign:        twilioSign,
	CheckSecret: twilioKeys.check,
	Events:      twilioEvents,
	Batch:       twilioBatch.parts,
	Join:        twilioBatch.join,
}

var twilioKeys = keys{
	want:  "the auth token of the account, or the secret of the shared key",
	alien: []string{"AC", "SK"},
}

// twilioHash returns the hash that the request names; false for one that is not known.
func twilioHash(r *capture.Request) (func() hash.Hash, string, bool) {
	for part := range strings.SplitSeq(r.Header.Get(twilioSettings), ",") {
		name, algorithm, _ := strings.Cut(part, "=")
		if strings.TrimSpace(name) != "algorithm" {
			continue
		}
		switch strings.ToUpper(strings.TrimSpace(algorithm)) {
		case "HMAC_SHA256":
			return sha256.New, "HMAC-SHA256", true
		case "HMAC_SHA1", "":
			return sha1.New, "HMAC-SHA1", true
		}
		return nil, "", false
	}
	return sha1.New, "HMAC-SHA1", true
}

func twilioVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, twilioSignature, secrets)
	if bad != nil {
		return *bad
	}
	if _, n := only(r, twilioSettings); n > 1 {
		return refuse(secrets, capture.Malformed, capture.WhyTwice, twilioSettings)
	}
	newHash, algorithm, known := twilioHash(r)
	if !known {
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, twilioSettings+": algorithm=HMAC_SHA1 or HMAC_SHA256")
	}
	sig, err := base64.StdEncoding.Strict().DecodeString(header)
	if size := newHash().Size(); err != nil || len(sig) != size {
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, fmt.Sprintf("base64 of %d bytes", size))
	}
	content := twilioContent(r)
	if content.form == nil && isForm(r) && crowded(r.Body) {
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, crowdedForm)
	}
	s := claim{
		ways:  twilioWays(r.URL, algorithm, content),
		keys:  twilioKeys,
		match: anyMAC(newHash, sig),
	}.judge(secrets, now)
	if s.Status == capture.Valid && !content.whole {
		s.Status, s.Why, s.Detail = capture.Invalid, capture.WhyBodyChanged, twilioBodyHash
	}
	return s
}

// A twilioBody is how the body takes part in the signature.
type twilioBody struct {
	form  []byte // the sorted fields, hashed behind the address
	what  string // for people
	whole bool   // the body is covered: by form, by a hash that fits, or because there is none
}

// twilioContent reads a body as a form, unless its hash is in the address. A
// body of neither kind is covered by nothing, and a signature of the address
// alone must not vouch for it.
func twilioContent(r *capture.Request) twilioBody {
	hashes := twilioHashes(r.URL)
	switch {
	case len(hashes) > 0:
		sum := sha256.Sum256(r.Body)
		want, err := hex.DecodeString(hashes[0])
		return twilioBody{what: "url with " + twilioBodyHash, whole: err == nil && hmac.Equal(want, sum[:])}
	case isForm(r) && !crowded(r.Body):
		return twilioBody{form: sortedForm(r.Body), what: "url and form", whole: true}
	}
	return twilioBody{what: "url", whole: len(r.Body) == 0}
}

// twilioHashes returns the values of bodySHA256 in the query.
func twilioHashes(u string) []string {
	a, ok := parseAddress(u)
	if !ok || !strings.Contains(a.query(), twilioBodyHash) {
		return nil
	}
	var out []string
	for name, value := range formFields(a.query()) {
		if name == twilioBodyHash {
			out = append(out, value)
		}
	}
	return out
}

// twilioWays returns the spellings of the address that Twilio's own library
// tries: as it came without and with a port, then with what older back ends
// escape.
func twilioWays(u, algorithm string, content twilioBody) []way {
	var out []way
	add := func(address, note string) {
		if slices.ContainsFunc(out, func(w way) bool { return string(w.parts[0]) == address }) {
			return
		}
		scheme := algorithm + " of " + content.what + note
		out = append(out, way{scheme, [][]byte{[]byte(address), content.form}})
	}
	add(u, "")
	a, ok := parseAddress(u)
	if !ok {
		return out
	}
	bare, full := a, a
	bare.port = ""
	if full.port == "" {
		full.port = a.defaultPort()
	}
	add(bare.String(), " (address without port)")
	add(full.String(), " (address with port "+strings.TrimPrefix(full.port, ":")+")")
	if a.query() == "" {
		return out
	}
	for _, b := range []address{bare, full} {
		add(b.withQuery(strings.ReplaceAll(b.query(), "'", "%27")).String(), " (query escaped)")
		add(b.withQuery(reencoded(b.query())).String(), " (query encoded again)")
	}
	return out
}

// twilioSign signs the address in r.URL. The hash of a body that is no form is
// put into it, where there is none that fits.
func twilioSign(r *capture.Request, secret capture.Secret, _ time.Time) error {
	if err := twilioKeys.check(secret); err != nil {
		return err
	}
	newHash, _, known := twilioHash(r)
	if !known {
		return fmt.Errorf("%s names an algorithm that is not known", twilioSettings)
	}
	content := twilioContent(r)
	if !content.whole {
		a, ok := parseAddress(r.URL)
		if !ok {
			return errors.New("the address is not a URL, and is what is signed")
		}
		r.SetQuery(twilioRehash(a, r.Body))
	}
	sum := mac(newHash, secret.Reveal(), []byte(r.URL), content.form)
	r.SetHeader(twilioSignature, base64.StdEncoding.EncodeToString(sum))
	return nil
}

// twilioRehash returns the query of the address with the hash of the body in
// it, everything else in its place.
func twilioRehash(a address, body []byte) string {
	sum := sha256.Sum256(body)
	field := twilioBodyHash + "=" + hex.EncodeToString(sum[:])
	var out []string
	done := false
	for param := range strings.SplitSeq(a.query(), "&") {
		switch name, _, _ := strings.Cut(param, "="); {
		case param == "":
		case unescape(name) != twilioBodyHash:
			out = append(out, param)
		case !done:
			out, done = append(out, field), true
		}
	}
	if !done {
		out = append(out, field)
	}
	return strings.Join(out, "&")
}
