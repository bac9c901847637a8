package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Stripe signs the time and the body. Its secret is used as it is shown, with
// the whsec_ in front. An event has an id of its own; created has a resolution
// of one second, so that two events of one second cannot be put in order by it.
var stripe = capture.Provider{
	Name:      "stripe",
	Title:     "Stripe",
	Scheme:    "HMAC-SHA256 of t.body, hex",
	Header:    "Stripe-Signature",
	Tolerance: 300 * time.Second,
	Dedupe:    "$.id",
	Sources: []string{
		"npm stripe@23.1.0 cjs/Webhooks.js",
		"https://docs.stripe.com/webhooks/process-undelivered-events",
	},
	Match: func(r *capture.Request) bool {
		return has(r, "Stripe-Signature") || agent(r, "Stripe/") || anonymous(r) && isStripe(r.Body)
	},
	Verify: stripeScheme.verify,
	Sign:   stripeScheme.sign,
	Events: stripeEvents,
}

var stripeScheme = stampedScheme{
	header: "Stripe-Signature",
	name:   "HMAC-SHA256 of t.body",
	window: 300 * time.Second,
	keys: keys{
		want:  "a signing secret, which begins with whsec_, not an API key",
		alien: []string{"sk_", "rk_", "pk_", "we_"},
	},
}

func isStripe(body []byte) bool {
	f := value(body).pick("object", "id")
	object, _ := f[0].text()
	id, _ := f[1].text()
	return (object == "event" || object == "v2.core.event") && strings.HasPrefix(id, "evt_")
}

// stripeEvents reads snapshot events, and thin events, which name the object they are about only.
func stripeEvents(r *capture.Request) ([]capture.Event, error) {
	f := reading{name: "stripe"}
	doc := f.document(r.Body, "{")
	if doc == nil {
		return nil, f.err()
	}
	top := doc.pick("id", "type", "created", "data", "related_object")
	e := capture.Event{
		Key:    exact(f.must(top[0], "$.id"), r.Body),
		Type:   f.must(top[1], "$.type"),
		At:     f.when(top[2], "$.created"),
		Object: f.text(top[3].at("object", "id"), "$.data.object.id"),
	}
	if e.Object == "" {
		e.Object = f.text(top[4].at("id"), "$.related_object.id")
	}
	return []capture.Event{e}, f.err()
}

// A stampedScheme is a signature of the form t=…,v1=… over the time and the body.
type stampedScheme struct {
	header string
	name   string
	window time.Duration
	keys   keys
}

func (s stampedScheme) verify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, s.header, secrets)
	if bad != nil {
		return *bad
	}
	p := parseStamped(header, sha256.Size)
	at, ok := unixTime(p.stamp, time.Second)
	switch {
	case p.twice:
		return refuse(secrets, capture.Malformed, capture.WhyTwice, "t=")
	case p.stamp == "" && len(p.sigs) > 0:
		return refuse(secrets, capture.Malformed, capture.WhyNoTimestamp, s.header)
	case len(p.sigs) == 0:
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "t=…,v1=… with 64 hex digits")
	case !ok:
		return refuse(secrets, capture.Malformed, capture.WhyBadTime, brief(p.stamp))
	}
	return claim{
		ways:  []way{{s.name, [][]byte{[]byte(p.stamp), []byte("."), r.Body}, 2}},
		clock: clock{at: at, unit: time.Second, window: s.window},
		keys:  s.keys,
		match: anyMAC(sha256.New, p.sigs...),
	}.judge(secrets, now)
}

func (s stampedScheme) sign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := s.keys.check(secret); err != nil {
		return err
	}
	stamp := strconv.FormatInt(now.Unix(), 10)
	sum := mac(sha256.New, secret.Reveal(), []byte(stamp), []byte("."), r.Body)
	r.SetHeader(s.header, "t="+stamp+",v1="+hex.EncodeToString(sum))
	return nil
}
