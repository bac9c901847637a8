package provider

import (
	"bytes"
	"cmp"
	"crypto"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// SNS signs names and values of some fields, with a certificate whose address
// is in the message: only Amazon's own address may be believed. The body is
// JSON, whatever the content type says.
var awsSNS = capture.Provider{
	Name:     "aws-sns",
	Title:    "Amazon SNS",
	Scheme:   "RSA of " + snsSays + ", base64 in $.Signature",
	Deadline: 15 * time.Second,
	Dedupe:   snsFields.dedupe(),
	Order:    snsFields.orders(),
	Retry:    capture.Retry{Times: 50, Within: time.Hour},
	Setup:    "SNS → your topic → Create subscription → HTTPS: the address. No secret is needed: the certificate is fetched from Amazon.",
	Note:     "A good signature says that SNS sent the message, and not that the topic is yours: compare $.TopicArn. A subscription begins when its $.SubscribeURL is opened: AnyHook does not open it; do so yourself, or let the handler answer. Raw message delivery has no signature.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByHearsay},
	Sources:  []string{"npm sns-validator@0.3.5"},
	Marks:    []string{"X-Amz-Sns-Message-Type"},
	Agent:    "Amazon Simple Notification Service",
	Members:  []string{"TopicArn"},
	Body: func(r *capture.Request) bool {
		m := readSNS(r.Body)
		return m.Type != "" && strings.HasPrefix(m.TopicArn, "arn:aws")
	},
	Verify:      snsVerify,
	CheckSecret: snsKeys.check,
	Certificate: func(r *capture.Request) (string, bool) { return snsAddress(readSNS(r.Body).SigningCertURL) },
	Unchained:   true,
	Events:      snsFields.eventsOf("aws-sns"),
	Handshake:   snsHandshake,
}

const snsSays = "names and values of the signed fields"

var snsKeys = keys{
	want:   "a certificate in PEM; none is needed, it is fetched from Amazon",
	usable: func(s string) bool { return rsaKey(s) != nil },
}

var snsFields = fields{
	key:    "$.MessageId",
	typ:    []string{"$.Type"},
	object: []string{"$.TopicArn"},
	at:     "$.Timestamp",
}

// An snsMessage is what is signed of a message, and what goes with it.
type snsMessage struct {
	Type, MessageID, TopicArn, Message, Timestamp, Token, SubscribeURL string

	Subject                                     *string // signed only if it is there
	Signature, SignatureVersion, SigningCertURL string
}

// readSNS reads a message; names are compared exactly.
func readSNS(body []byte) snsMessage {
	var m snsMessage
	names := []string{
		"Type", "MessageId", "TopicArn", "Message", "Timestamp", "Token", "SubscribeURL", "Signature", "SignatureVersion", "SigningCertURL",
	}
	texts := []*string{
		&m.Type, &m.MessageID, &m.TopicArn, &m.Message, &m.Timestamp, &m.Token, &m.SubscribeURL, &m.Signature, &m.SignatureVersion, &m.SigningCertURL,
	}
	for i, v := range value(body).pick(names...) {
		if v.kind() == '"' && json.Unmarshal(v, texts[i]) != nil {
			*texts[i] = ""
		}
	}
	if v := value(body).at("Subject"); v.kind() == '"' {
		m.Subject = new(string)
		_ = json.Unmarshal(v, m.Subject) // what is no text gives no signature
	}
	return m
}

// signed is the text that is signed.
func (m snsMessage) signed() []byte {
	var b bytes.Buffer
	add := func(name, text string) { b.WriteString(name + "\n" + text + "\n") }
	add("Message", m.Message)
	add("MessageId", m.MessageID)
	switch {
	case m.Type != "Notification": // of a subscription
		add("SubscribeURL", m.SubscribeURL)
		add("Timestamp", m.Timestamp)
		add("Token", m.Token)
	case m.Subject != nil:
		add("Subject", *m.Subject)
		fallthrough
	default:
		add("Timestamp", m.Timestamp)
	}
	add("TopicArn", m.TopicArn)
	add("Type", m.Type)
	return b.Bytes()
}

// snsHost is SNS in a region. What else is called sns. there is not Amazon's
// word: sns.s3-us-west-2.amazonaws.com is whatever the owner of a bucket put there.
var snsHost = regexp.MustCompile(`^sns\.[a-z]{2,4}(-[a-z]+)+-[0-9]{1,2}\.amazonaws\.com(\.cn)?$`)

// snsAddress returns the address of a certificate if it is one of Amazon's.
func snsAddress(address string) (string, bool) {
	u, err := url.Parse(address)
	ok := err == nil && u.Scheme == "https" && u.User == nil && snsHost.MatchString(u.Host) &&
		strings.HasSuffix(u.Path, ".pem") && u.RawQuery == "" && u.Fragment == ""
	return address, ok
}

func snsVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	m := readSNS(r.Body)
	hash := map[string]crypto.Hash{"1": crypto.SHA1, "2": crypto.SHA256}[m.SignatureVersion]
	sig, err := base64.StdEncoding.Strict().DecodeString(m.Signature)
	address, own := snsAddress(m.SigningCertURL)
	switch {
	case m.Signature == "":
		return capture.Signature{Status: capture.Missing, Why: capture.WhyNoHeader, Detail: "$.Signature"}
	case hash == 0:
		return capture.Signature{Status: capture.Malformed, Why: capture.WhyBadShape, Detail: "SignatureVersion 1 or 2"}
	case err != nil:
		return capture.Signature{Status: capture.Malformed, Why: capture.WhyBadShape, Detail: "base64 in $.Signature"}
	case !own:
		return capture.Signature{Status: capture.Invalid, Why: capture.WhyForeignCert, Detail: brief(address)}
	}
	s := claim{
		ways: []way{{scheme: "RSA-" + strings.ReplaceAll(hash.String(), "-", "") + " of " + snsSays, parts: [][]byte{m.signed()}}},
		keys: snsKeys,
		match: func(secret string, parts [][]byte) bool {
			return rsaFits(rsaKey(secret), hash, parts[0], sig)
		},
	}.judge(secrets, now)
	if s.Why == capture.WhyNoSecret || s.Why == capture.WhyBadSecret {
		s.Status, s.Why, s.Detail = capture.Unchecked, capture.WhyNoCert, address
	}
	return s
}

// snsHandshake takes what begins or ends a subscription: to be told is all that SNS wants.
func snsHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	m := readSNS(r.Body)
	kind := cmp.Or(m.Type, r.Header.Get("X-Amz-Sns-Message-Type"))
	return capture.Answer{Status: http.StatusOK}, r.Method == http.MethodPost && (kind == "SubscriptionConfirmation" || kind == "UnsubscribeConfirmation")
}
