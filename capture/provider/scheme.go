package provider

import (
	"errors"
	"time"

	"anyhook.net/desktop/capture"
)

// A scheme is how most senders sign: a header holds the HMAC of some parts of
// the request. What a row does not say is the most common: SHA-256 with the
// bytes of the secret as key, over the body, and no time.
type scheme struct {
	header string   // where the signature is
	also   []string // headers whose signature is as good: other keys of the same sender
	many   bool     // a header may come several times
	hash   algorithm
	form   form // how a signature is written
	stamp  stamp
	signs  []piece
	key    func(secret string) []byte // nil for a secret that cannot be a key
	keys   keys
}

// String says how it signs, for people: "HMAC-SHA256 of time.body, hex".
func (s scheme) String() string { return s.says() + ", " + s.form.String() }

func (s scheme) says() string { return "HMAC-" + s.algorithm().name + " of " + prose(s.pieces()) }

func (s scheme) algorithm() algorithm {
	if s.hash.new == nil {
		return usingSHA256
	}
	return s.hash
}

func (s scheme) size() int { return s.algorithm().new().Size() }

func (s scheme) pieces() []piece {
	if s.signs == nil {
		return []piece{theBody}
	}
	return s.signs
}

func (s scheme) verify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	m, bad := s.find(r, secrets)
	if bad != nil {
		return *bad
	}
	c := claim{ways: []way{s.way(r, m.stamp, r.URL)}, keys: s.keys, match: s.match(m.sigs)}
	if !s.stamp.none() {
		at, ok := s.stamp.unit.read(m.stamp)
		if !ok && s.stamp.place == "" {
			return refuse(secrets, capture.Malformed, capture.WhyBadTime, brief(m.stamp))
		}
		c.clock = clock{at: at, unit: s.stamp.unit.step, window: s.stamp.window, both: s.stamp.both}
	}
	got := c.judge(secrets, now)
	if got.Status == capture.Valid && s.stamp.place != "" && got.At.IsZero() {
		return refuse(secrets, capture.Malformed, capture.WhyNoTimestamp, s.stamp.place)
	}
	return got
}

// find reads the signatures and the time of a request, or says what is wrong with them.
func (s scheme) find(r *capture.Request, secrets []capture.Secret) (marks, *capture.Signature) {
	var m marks
	malformed := func(why capture.Why, detail string) (marks, *capture.Signature) {
		return m, new(refuse(secrets, capture.Malformed, why, detail))
	}
	present := false
	for _, name := range append([]string{s.header}, s.also...) {
		values := r.Header.Values(name)
		if len(values) > 1 && !s.many {
			return malformed(capture.WhyTwice, name)
		}
		for _, v := range values {
			one := s.form.read(v, s.size())
			m.sigs = append(m.sigs, one.sigs...)
			m.stamp, m.times, present = one.stamp, max(m.times, one.times), true
		}
	}
	where := s.header
	switch {
	case s.stamp.header != "":
		where = s.stamp.header
		m.stamp, m.times = only(r, where)
	case s.stamp.place != "":
		where = s.stamp.place
		m.stamp, _ = s.stamp.in(r).text()
	}
	switch {
	case !present:
		return m, new(refuse(secrets, capture.Missing, capture.WhyNoHeader, s.header))
	case m.times > 1 && s.stamp.header == "":
		return malformed(capture.WhyTwice, s.form.time+"=")
	case m.times > 1:
		return malformed(capture.WhyTwice, where)
	case s.stamp.header != "" && m.times == 0:
		return m, new(refuse(secrets, capture.Missing, capture.WhyNoHeader, where))
	case len(m.sigs) == 0:
		return malformed(capture.WhyBadShape, s.form.shape(s.size()))
	case !s.stamp.none() && s.stamp.place == "" && m.stamp == "":
		return malformed(capture.WhyNoTimestamp, where)
	}
	return m, s.incomplete(r, secrets)
}

// incomplete refuses a request without a header that is signed, or with several of it.
func (s scheme) incomplete(r *capture.Request, secrets []capture.Secret) *capture.Signature {
	for _, p := range s.pieces() {
		if p.kind == formPiece && crowded(r.Body) {
			return new(refuse(secrets, capture.Malformed, capture.WhyBadShape, crowdedForm))
		}
		if p.kind != headerPiece {
			continue
		}
		switch _, n := only(r, p.text); {
		case n == 0:
			return new(refuse(secrets, capture.Malformed, capture.WhyNoHeader, p.text))
		case n > 1:
			return new(refuse(secrets, capture.Malformed, capture.WhyTwice, p.text))
		}
	}
	return nil
}

// way is what is signed at stamp for the address u.
func (s scheme) way(r *capture.Request, stamp, u string) way {
	w := way{scheme: s.says()}
	for _, p := range s.pieces() {
		w.parts = append(w.parts, p.bytes(r, stamp, u))
	}
	return w
}

func (s scheme) match(sigs [][]byte) func(string, [][]byte) bool {
	return func(secret string, parts [][]byte) bool {
		key := s.keyOf(secret)
		return len(key) > 0 && anyMAC(s.algorithm().new, sigs...)(string(key), parts)
	}
}

func (s scheme) keyOf(secret string) []byte {
	if s.key == nil {
		return []byte(secret)
	}
	return s.key(secret)
}

// sign renews the time and the signature. Signatures of other keys go: they
// would be those of the time before.
func (s scheme) sign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := s.keys.check(secret); err != nil {
		return err
	}
	key := s.keyOf(secret.Reveal())
	if len(key) == 0 {
		return errors.New("the secret cannot be a key: expected " + s.keys.want)
	}
	if bad := s.incomplete(r, []capture.Secret{secret}); bad != nil {
		return errors.New(bad.Reason())
	}
	stamp := ""
	if !s.stamp.none() {
		stamp = s.stamp.unit.write(now)
	}
	if s.stamp.header != "" {
		r.SetHeader(s.stamp.header, stamp)
	}
	if s.stamp.place != "" {
		at := s.stamp.in(r)
		if _, ok := at.text(); !ok {
			return errors.New("no " + s.stamp.place + ", which is the time of the signature")
		}
		r.Body = rewrite(r.Body, at, stamp)
	}
	for _, name := range s.also {
		r.RemoveHeader(name)
	}
	sum := mac(s.algorithm().new, string(key), s.way(r, stamp, r.URL).parts...)
	r.SetHeader(s.header, s.form.write(stamp, sum))
	return nil
}
