package provider

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/go-jose/go-jose/v4"

	"anyhook.net/desktop/capture"
)

// monday.com shows a JSON web token that tells which account calls, and until
// when that is true; nothing of the body is covered. Webhooks of a board that
// no app has made show nothing at all.
var monday = capture.Provider{
	Name:        "monday",
	Title:       "monday.com",
	Scheme:      mondaySays + "; nothing of the body is signed",
	Header:      mondayHeader,
	Dedupe:      mondayFields.dedupe(),
	Order:       mondayFields.orders(),
	Retry:       capture.Retry{Within: 30 * time.Minute},
	Setup:       "Board → Integrate → Webhooks, or the create_webhook mutation: the address; the signing secret is that of the app, in the Developer Center under Basic information.",
	Note:        "Webhooks that a person adds to a board carry no token: leave the endpoint without a secret for them. The token tells by itself when it ends.",
	Trust:       capture.Trust{Signature: capture.ByHearsay, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:     []string{"common knowledge, not checked"},
	Members:     []string{"event", "challenge"},
	Body:        isMonday,
	Verify:      mondayVerify,
	Sign:        mondaySign,
	CheckSecret: mondayKeys.check,
	Events:      mondayFields.eventsOf("monday"),
	Handshake:   mondayHandshake,
}

const (
	mondayHeader = "Authorization"
	mondaySays   = "JSON web token (HS256) in " + mondayHeader
	mondayLife   = 5 * time.Minute // of the tokens that we make
)

var mondayKeys = keys{
	want:   "the signing secret of the app, 32 characters or more, not an API token",
	alien:  []string{"eyJ"},
	usable: func(s string) bool { return len(s) >= 32 }, // RFC 7518 section 3.2
}

var mondayFields = fields{
	key:    "$.event.triggerUuid",
	typ:    []string{"$.event.type"},
	object: []string{"$.event.pulseId|$.event.itemId|$.event.boardId"},
	at:     "$.event.triggerTime",
}

func isMonday(r *capture.Request) bool {
	f := value(r.Body).at("event").pick("boardId", "triggerUuid")
	return f[0] != nil && f[1] != nil || lone(r, "challenge") != ""
}

// mondayHandshake answers the challenge with itself.
func mondayHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	challenge := lone(r, "challenge")
	return inJSON(map[string]string{"challenge": challenge}), challenge != ""
}

// mondayVerify reads the token. One that has ended is stale, and not forged.
func mondayVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	text, bad := signature(r, mondayHeader, secrets)
	if bad != nil {
		return *bad
	}
	token, ok := parseJWT(text, jose.HS256)
	if !ok {
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "a JWT signed by HS256")
	}
	f := token.unverified().pick("iat", "exp")
	made, from := mondayTime(f[0])
	ends, until := mondayTime(f[1])
	if !from || !until {
		return refuse(secrets, capture.Malformed, capture.WhyBadTime, "iat, exp")
	}
	s := claim{
		ways:  []way{{scheme: mondaySays, parts: [][]byte{nil}}},
		clock: clock{at: made},
		keys:  mondayKeys,
		match: func(secret string, _ [][]byte) bool { return token.fits([]byte(secret)) },
	}.judge(secrets, now)
	s.Content = nil
	if s.Status != capture.Valid {
		return s
	}
	s.Status = capture.Authenticated
	if !ends.IsZero() && !now.Before(ends) {
		since := ends
		if !made.IsZero() {
			since = made
		}
		s.Status, s.Why, s.Detail = capture.Stale, capture.WhyTooOld, seconds(now.Truncate(time.Second).Sub(since))
	}
	return s
}

// mondayTime reads a time that a token need not have.
func mondayTime(v value) (time.Time, bool) {
	if v == nil {
		return time.Time{}, true
	}
	text, _ := v.text()
	return unixTime(text, time.Second)
}

// mondaySign makes a token that claims the same and begins now.
func mondaySign(r *capture.Request, secret capture.Secret, now time.Time) error {
	if err := mondayKeys.check(secret); err != nil {
		return err
	}
	claims := map[string]json.RawMessage{}
	if text, n := only(r, mondayHeader); n == 1 {
		if token, ok := parseJWT(text, jose.HS256); ok && json.Unmarshal(token.unverified(), &claims) != nil {
			clear(claims)
		}
	}
	if claims == nil { // the token was null
		claims = map[string]json.RawMessage{}
	}
	claims["iat"] = json.RawMessage(inSeconds.write(now))
	claims["exp"] = json.RawMessage(inSeconds.write(now.Add(mondayLife)))
	payload, err := json.Marshal(claims)
	if err != nil {
		return errors.New("the claims cannot be written")
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(secret.Reveal())}, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return errors.New("the secret cannot be a key of HS256")
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		return errors.New("the token cannot be signed")
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		return errors.New("the token cannot be written")
	}
	r.SetHeader(mondayHeader, text)
	return nil
}
