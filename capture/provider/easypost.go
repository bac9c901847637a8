package provider

import (
	"regexp"
	"time"

	"golang.org/x/text/unicode/norm"

	"anyhook.net/desktop/capture"
)

// EasyPost signs the body with the secret in Unicode's form NFKD. It counts
// with weights as decimals: a whole one is signed as 5.0 though it came as 5.
var easypost = capture.Provider{
	Name:        "easypost",
	Title:       "EasyPost",
	Scheme:      easypostScheme.String(),
	Header:      easypostScheme.header,
	Deadline:    7 * time.Second,
	Dedupe:      easypostFields.dedupe(),
	Order:       easypostFields.orders(),
	Retry:       capture.Retry{Times: 6},
	Setup:       "Account Settings → Webhooks → Add webhook; the webhook secret is chosen there.",
	Note:        "A second signature, X-Hmac-Signature-V2, which covers time and path as well, is not looked at: its own libraries do not either.",
	Trust:       capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByHearsay},
	Sources:     []string{"npm @easypost/api@8.9.0"},
	Marks:       []string{"X-Hmac-Signature"},
	Agent:       "EasyPost",
	Members:     []string{"result"},
	Body:        isEasyPost,
	Verify:      easypostVerify,
	Sign:        easypostSign,
	CheckSecret: easypostScheme.keys.check,
	Events:      easypostFields.eventsOf("easypost"),
}

var easypostScheme = scheme{
	header: "X-Hmac-Signature",
	form:   alone("hmac-sha256-hex=", hexadecimal),
	key:    func(secret string) []byte { return norm.NFKD.Bytes([]byte(secret)) },
	keys:   keys{want: "the secret of the webhook, not an API key", alien: []string{"EZAK", "EZTK"}},
}

var easypostFields = fields{
	key:    "$.id",
	typ:    []string{"$.description"},
	object: []string{"$.result.id"},
	at:     "$.created_at",
}

func isEasyPost(r *capture.Request) bool {
	f := value(r.Body).pick("object", "description", "result")
	object, _ := f[0].text()
	return object == "Event" && f[1] != nil && f[2] != nil
}

var easypostWeight = regexp.MustCompile(`("weight"\s*:\s*)(\d+)(\s*[,}\]])`)

// decimal writes whole weights as decimals.
func decimal(body []byte) []byte { return easypostWeight.ReplaceAll(body, []byte("${1}${2}.0${3}")) }

func easypostVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	s := easypostScheme.verify(r, secrets, now)
	if s.Status != capture.Invalid || !easypostWeight.Match(r.Body) {
		return s
	}
	c := r.Clone()
	c.Body = decimal(r.Body)
	if other := easypostScheme.verify(c, secrets, now); other.Status == capture.Valid {
		return other
	}
	return s
}

// easypostSign signs the body as EasyPost counts, and leaves it as it is.
func easypostSign(r *capture.Request, secret capture.Secret, now time.Time) error {
	body := r.Body
	r.Body = decimal(body)
	err := easypostScheme.sign(r, secret, now)
	r.Body = body
	return err
}
