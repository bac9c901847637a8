package provider

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Standard Webhooks is the open standard that many senders follow. A signature
// header lists signatures of two kinds: v1 with a shared secret (whsec_, and
// base64), v1a with a key pair (whpk_ is the public half, whsk_ the private).
var standardWebhooks = capture.Provider{
	Name:      "standardwebhooks",
	Title:     "Standard Webhooks",
	Scheme:    "v1: HMAC-SHA256 of id.time.body, base64; v1a: Ed25519 of the same",
	Header:    "webhook-signature",
	Tolerance: 300 * time.Second,
	Dedupe:    "webhook-id",
	Sources: []string{
		"https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md",
		"npm standardwebhooks@1.1.1",
	},
	Match: func(r *capture.Request) bool {
		return !has(r, "X-Gitlab-Event") && !svix.Match(r) && isStandard(r, standardNames)
	},
	Verify: func(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
		return standardNames.verify(r, secrets, now)
	},
	Sign: func(r *capture.Request, secret capture.Secret, now time.Time) error {
		return standardNames.sign(r, secret, now)
	},
	Events: func(r *capture.Request) ([]capture.Event, error) {
		return standardNames.events("standardwebhooks", r)
	},
}

// standardNames is the beginning of the names of the three headers.
const standardNames family = "webhook-"

type family string

func (n family) id() string        { return string(n) + "id" }
func (n family) time() string      { return string(n) + "timestamp" }
func (n family) signature() string { return string(n) + "signature" }

func isStandard(r *capture.Request, n family) bool {
	return has(r, n.id()) && has(r, n.time(), n.signature())
}

var standardKeys = keys{
	want:   "base64, mostly after whsec_; whpk_ or whsk_ for v1a",
	usable: func(secret string) bool { return parseStandardKey(secret).usable() },
}

// A standardKey is what a secret says: a shared key, or one or both halves of a pair.
type standardKey struct {
	shared  []byte
	public  ed25519.PublicKey
	private ed25519.PrivateKey
}

func (k standardKey) usable() bool { return len(k.shared) > 0 || k.public != nil }

func parseStandardKey(secret string) standardKey {
	if s, ok := strings.CutPrefix(secret, "whpk_"); ok {
		if b := unbase64(s); len(b) == ed25519.PublicKeySize {
			return standardKey{public: b}
		}
		return standardKey{}
	}
	if s, ok := strings.CutPrefix(secret, "whsk_"); ok {
		b := unbase64(s)
		if len(b) != ed25519.SeedSize && len(b) != ed25519.PrivateKeySize {
			return standardKey{}
		}
		private := ed25519.NewKeyFromSeed(b[:ed25519.SeedSize])
		if len(b) == ed25519.PrivateKeySize && !bytes.Equal(b, private) {
			return standardKey{} // its halves do not belong together
		}
		return standardKey{private: private, public: private.Public().(ed25519.PublicKey)}
	}
	return standardKey{shared: unbase64(strings.TrimPrefix(secret, "whsec_"))}
}

// unbase64 decodes with or without padding; nil if it is no base64.
func unbase64(s string) []byte {
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	if err != nil {
		return nil
	}
	return b
}

// standardList is a parsed signature header.
type standardList struct {
	v1, v1a [][]byte
	known   bool // there was an entry of a version we know
}

func parseStandardList(header string) standardList {
	var l standardList
	for entry := range strings.SplitSeq(header, " ") {
		version, text, ok := strings.Cut(entry, ",")
		if !ok || version != "v1" && version != "v1a" {
			continue
		}
		l.known = true
		sig, err := base64.StdEncoding.Strict().DecodeString(text)
		switch {
		case err != nil:
		case version == "v1" && len(sig) == sha256.Size:
			l.v1 = append(l.v1, sig)
		case version == "v1a" && len(sig) == ed25519.SignatureSize:
			l.v1a = append(l.v1a, sig)
		}
	}
	return l
}

// match reports whether the secret made any of the signatures. Ed25519 signs a
// message in one piece, which is put together only if there is one to check.
func (l standardList) match(secret string, parts [][]byte) bool {
	key := parseStandardKey(secret)
	if len(key.shared) > 0 {
		return anyMAC(sha256.New, l.v1...)(string(key.shared), parts)
	}
	if key.public == nil || len(l.v1a) == 0 {
		return false
	}
	message := bytes.Join(parts, nil)
	for _, sig := range l.v1a {
		if ed25519.Verify(key.public, message, sig) {
			return true
		}
	}
	return false
}

func (n family) verify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, n.signature(), secrets)
	if bad != nil {
		return *bad
	}
	id, bad := signature(r, n.id(), secrets)
	if bad != nil {
		return *bad
	}
	stamp, bad := signature(r, n.time(), secrets)
	if bad != nil {
		return *bad
	}
	list := parseStandardList(header)
	at, ok := unixTime(stamp, time.Second)
	switch {
	case id == "":
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, n.id()+": an id")
	case !list.known:
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "v1,… or v1a,… with base64, parted by spaces")
	case !ok:
		return refuse(secrets, capture.Malformed, capture.WhyBadTime, brief(stamp))
	}
	scheme := "HMAC-SHA256 of id.time.body (v1)"
	if len(list.v1) == 0 && len(list.v1a) > 0 {
		scheme = "Ed25519 of id.time.body (v1a)"
	}
	c := claim{
		ways:  []way{{scheme, standardParts(id, stamp, r.Body), 4}},
		clock: clock{at: at, unit: time.Second, window: 300 * time.Second, both: true},
		keys:  standardKeys,
		match: list.match,
	}
	s := c.judge(secrets, now)
	if s.Secret > 0 {
		s.Scheme = "HMAC-SHA256 of id.time.body (v1)"
		if key := parseStandardKey(secrets[s.Secret-1].Reveal()); key.public != nil {
			s.Scheme = "Ed25519 of id.time.body (v1a)"
		}
	}
	return s
}

func standardParts(id, stamp string, body []byte) [][]byte {
	return [][]byte{[]byte(id), []byte("."), []byte(stamp), []byte("."), body}
}

// sign keeps the id of the message and renews its time. A request that has no
// id yet is not one that the sender could have sent.
func (n family) sign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := standardKeys.check(secret); err != nil {
		return err
	}
	key := parseStandardKey(secret.Reveal())
	if len(key.shared) == 0 && key.private == nil {
		return errors.New("whpk_ is the public half of a key: signing takes the private one, whsk_")
	}
	id := r.Header.Get(n.id())
	if id == "" {
		return errors.New("no " + n.id() + " header, which is signed")
	}
	stamp := strconv.FormatInt(now.Unix(), 10)
	parts := standardParts(id, stamp, r.Body)
	entry := "v1," + base64.StdEncoding.EncodeToString(mac(sha256.New, string(key.shared), parts...))
	if key.private != nil {
		entry = "v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(key.private, bytes.Join(parts, nil)))
	}
	r.SetHeader(n.id(), id)
	r.SetHeader(n.time(), stamp)
	r.SetHeader(n.signature(), entry)
	return nil
}

func (n family) events(name string, r *capture.Request) ([]capture.Event, error) {
	f := reading{name: name}
	id := f.header(r, n.id())
	if id == "" {
		f.fail("no %s header", n.id())
	}
	e := capture.Event{Key: exact(id, r.Body)}
	doc := f.document(r.Body, "{")
	top := doc.pick("type", "timestamp", "data")
	e.Type = f.text(top[0], "$.type")
	e.At = f.when(top[1], "$.timestamp")
	e.Object = f.text(top[2].at("id"), "$.data.id")
	return []capture.Event{e}, f.err()
}
