package provider

import (
	"crypto"
	"encoding/base64"
	"hash/crc32"
	"net/url"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

const (
	paypalSignature = "Paypal-Transmission-Sig"
	paypalID        = "Paypal-Transmission-Id"
	paypalTime      = "Paypal-Transmission-Time"
	paypalCert      = "Paypal-Cert-Url"
	paypalAlgorithm = "Paypal-Auth-Algo"
	paypalSays      = "RSA-SHA256 of id|time|webhook id|CRC-32 of body"
)

// PayPal signs ids, a time and a checksum of the body, with a key whose
// certificate is at an address that the request names: it counts only if that
// is PayPal's own. The id of the webhook is part of what is signed.
var paypal = capture.Provider{
	Name:    "paypal",
	Title:   "PayPal",
	Scheme:  paypalSays + ", base64",
	Header:  paypalSignature,
	Dedupe:  paypalFields.dedupe(),
	Order:   paypalFields.orders(),
	Retry:   capture.Retry{Times: 25, Within: 3 * 24 * time.Hour},
	Setup:   "Developer Dashboard → Apps & Credentials → your app → Webhooks → Add webhook. The webhook ID shown there is the secret to keep here.",
	Note:    "Checking takes PayPal's certificate, from the address that the request names; without it the signature is not checked.",
	Trust:   capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByOthers},
	Sources: []string{"https://developer.paypal.com/api/rest/webhooks/rest/, as quoted by others"},
	Marks:   []string{paypalID, paypalSignature},
	Agent:   "PayPal/",
	Members: []string{"resource"},
	Body:    isPayPal,
	Verify:  paypalVerify,
	Certificate: func(r *capture.Request) (string, bool) {
		address := r.Header.Get(paypalCert)
		return address, paypalHost(address)
	},
	CheckSecret: paypalKeys.check,
	Events:      paypalFields.eventsOf("paypal"),
}

var paypalKeys = keys{
	want:  "the webhook ID of the app's webhook, not a client ID or secret",
	alien: []string{"WH-", "A21AA"},
}

var paypalFields = fields{
	key:    "$.id",
	typ:    []string{"$.event_type"},
	object: []string{"$.resource.id|$.resource.subscription_id"},
	at:     "$.create_time",
}

func isPayPal(r *capture.Request) bool {
	f := value(r.Body).pick("id", "event_type", "resource")
	id, _ := f[0].text()
	return strings.HasPrefix(id, "WH-") && f[1] != nil && f[2] != nil
}

// paypalHost reports whether an address is PayPal's own.
func paypalHost(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.User != nil || u.Port() != "" && u.Port() != "443" {
		return false
	}
	host := strings.ToLower(u.Hostname())
	return host == "paypal.com" || strings.HasSuffix(host, ".paypal.com")
}

func paypalVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	header, bad := signature(r, paypalSignature, secrets)
	if bad != nil {
		return *bad
	}
	var parts [3]string // id, time, address of the certificate
	for i, name := range []string{paypalID, paypalTime, paypalCert} {
		if parts[i], bad = signature(r, name, secrets); bad != nil {
			return *bad
		}
	}
	sig, err := base64.StdEncoding.Strict().DecodeString(header)
	at, timed := readISO(parts[1])
	algorithm, _ := only(r, paypalAlgorithm)
	switch {
	case err != nil || len(sig) < 128 || len(sig) > 1024:
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "base64 of an RSA signature")
	case algorithm != "" && !strings.EqualFold(algorithm, "SHA256withRSA"):
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, paypalAlgorithm+": SHA256withRSA")
	case !timed:
		return refuse(secrets, capture.Malformed, capture.WhyBadTime, brief(parts[1]))
	case !paypalHost(parts[2]):
		return refuse(secrets, capture.Malformed, capture.WhyForeignCert, brief(parts[2]))
	}
	return paypalJudge(r, secrets, parts, sig, at)
}

// paypalJudge tries every webhook id with every certificate that is at hand.
func paypalJudge(r *capture.Request, secrets []capture.Secret, parts [3]string, sig []byte, at time.Time) capture.Signature {
	s := capture.Signature{Status: capture.Invalid, Why: capture.WhyNoMatch, Detail: paypalSays, Scheme: paypalSays, At: at}
	sum := strconv.FormatUint(uint64(crc32.ChecksumIEEE(r.Body)), 10)
	certificates := 0
	var ids []capture.Secret
	for i, id := range secrets {
		if id == "" || rsaKey(id.Reveal()) != nil {
			continue
		}
		ids = append(ids, id)
		message := []byte(parts[0] + "|" + parts[1] + "|" + id.Reveal() + "|" + sum)
		for _, cert := range secrets {
			key := rsaKey(cert.Reveal())
			if key == nil {
				continue
			}
			certificates++
			if rsaFits(key, crypto.SHA256, message, sig) {
				shown := []byte(parts[0] + "|" + parts[1] + "|(webhook id)|" + sum)
				return capture.Signature{Status: capture.Valid, Scheme: paypalSays, Secret: i + 1, At: at, Content: [][]byte{shown}}
			}
		}
	}
	switch {
	case len(ids) == 0:
		s.Status, s.Why, s.Detail = capture.Unchecked, capture.WhyNoSecret, ""
	case certificates == 0:
		s.Status, s.Why, s.Detail = capture.Unchecked, capture.WhyNoCert, brief(parts[2])
	case paypalKeys.wrong(ids):
		s.Why, s.Detail = capture.WhyBadSecret, paypalKeys.want
	}
	return s
}
