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

// A family is the beginning of the names of the three headers of a standard.
type family string

const (
	standardNames family = "webhook-"
	svixNames     family = "svix-"
)

func (n family) id() string        { return string(n) + "id" }
func (n family) time() string      { return string(n) + "timestamp" }
func (n family) signature() string { return string(n) + "signature" }
func (n family) all() []string     { return []string{n.id(), n.time(), n.signature()} }

func isStandard(r *capture.Request, n family) bool {
	names := standardHeaders[n]
	return has(r, names[0]) && has(r, names[1:]...)
}

// standardHeaders are the names of each family as look-ups have them.
var standardHeaders = map[family][]string{
	standardNames: {"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"},
	svixNames:     {"Svix-Id", "Svix-Timestamp", "Svix-Signature"},
}

// A standard is Standard Webhooks as one sender speaks it.
type standard struct {
	names family
	raw   func(secret string) bool // whether the bytes of a secret are the key as they are; nil: never
	keys  *keys                    // what its secrets look like; nil: as the standard says
	old   bool                     // no age is named that is too old
}

var standardKeys = keys{
	want:   "base64, mostly after whsec_; whpk_ or whsk_ for v1a",
	usable: func(secret string) bool { return parseStandardKey(secret).usable() },
}

func (n standard) expected() keys {
	if n.keys != nil {
		return *n.keys
	}
	return standardKeys
}

func (n standard) key(secret string) standardKey {
	if n.raw != nil && n.raw(secret) {
		return standardKey{shared: []byte(secret)}
	}
	return parseStandardKey(secret)
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

// match reports whether the key made any of the signatures. Ed25519 signs a
// message in one piece, which is put together only if there is one to check.
func (l standardList) match(key standardKey, parts [][]byte) bool {
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

func (n standard) verify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, n.names.signature(), secrets)
	if bad != nil {
		return *bad
	}
	id, bad := signature(r, n.names.id(), secrets)
	if bad != nil {
		return *bad
	}
	stamp, bad := signature(r, n.names.time(), secrets)
	if bad != nil {
		return *bad
	}
	list := parseStandardList(header)
	at, ok := unixTime(stamp, time.Second)
	switch {
	case id == "":
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, n.names.id()+": an id")
	case !list.known:
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "v1,… or v1a,… with base64, parted by spaces")
	case !ok:
		return refuse(secrets, capture.Malformed, capture.WhyBadTime, brief(stamp))
	}
	scheme := "HMAC-SHA256 of id.time.body (v1)"
	if len(list.v1) == 0 && len(list.v1a) > 0 {
		scheme = "Ed25519 of id.time.body (v1a)"
	}
	window := 300 * time.Second
	if n.old {
		window = 0
	}
	c := claim{
		ways:  []way{{scheme, standardParts(id, stamp, r.Body)}},
		clock: clock{at: at, unit: time.Second, window: window, both: true},
		keys:  n.expected(),
		match: func(secret string, parts [][]byte) bool { return list.match(n.key(secret), parts) },
	}
	s := c.judge(secrets, now)
	if s.Secret > 0 {
		s.Scheme = "HMAC-SHA256 of id.time.body (v1)"
		if key := n.key(secrets[s.Secret-1].Reveal()); key.public != nil {
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
func (n standard) sign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := n.expected().check(secret); err != nil {
		return err
	}
	key := n.key(secret.Reveal())
	if len(key.shared) == 0 && key.private == nil {
		return errors.New("whpk_ is the public half of a key: signing takes the private one, whsk_")
	}
	id := r.Header.Get(n.names.id())
	if id == "" {
		return errors.New("no " + n.names.id() + " header, which is signed")
	}
	stamp := strconv.FormatInt(now.Unix(), 10)
	parts := standardParts(id, stamp, r.Body)
	entry := "v1," + base64.StdEncoding.EncodeToString(mac(sha256.New, string(key.shared), parts...))
	if key.private != nil {
		entry = "v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(key.private, bytes.Join(parts, nil)))
	}
	r.SetHeader(n.names.id(), id)
	r.SetHeader(n.names.time(), stamp)
	r.SetHeader(n.names.signature(), entry)
	return nil
}

func (n family) events(name string, r *capture.Request) ([]capture.Event, error) {
	f := reading{name: name}
	id := f.header(r, n.id())
	if id == "" {
		f.fail("no %s header", n.id())
	}
	e := capture.Event{Key: exact(id)}
	doc := f.document(r.Body, "{")
	top := doc.pick("type", "timestamp", "data")
	e.Type = f.text(top[0], "$.type")
	e.At = f.when(top[1], "$.timestamp")
	e.Object = f.text(top[2].at("id"), "$.data.id")
	return []capture.Event{e}, f.err()
}
