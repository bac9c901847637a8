package provider

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// SendGrid signs with a key of its own, so that nobody else can sign for it.
// The line end behind a batch is signed too, and is the first thing that a
// parser takes away.
var sendgrid = capture.Provider{
	Name:   "sendgrid",
	Title:  "SendGrid Event Webhook",
	Scheme: sendgridKey.String(),
	Header: sendgridKey.header,
	Dedupe: sendgridFields.dedupe(),
	Order:  sendgridFields.orders(),
	Retry:  capture.Retry{Within: 24 * time.Hour},
	Setup:  "Settings → Mail Settings → Event Webhooks: the address, and the verification key of Signed Event Webhook.",
	Note:   "The body ends with CRLF, which is signed. The attempt of a deferred event counts tries to deliver the e-mail, not the webhook.",
	Trust:  capture.Trust{Signature: capture.BySDK, Identity: capture.BySDK, Retry: capture.ByHearsay},
	Sources: []string{
		"npm @sendgrid/eventwebhook@8.0.0",
	},
	Marks:       []string{sendgridKey.header, sendgridKey.time},
	Agent:       "SendGrid",
	Members:     []string{"sg_event_id"},
	Body:        isSendGrid,
	Verify:      sendgridKey.verify,
	CheckSecret: sendgridKey.keys().check,
	Events:      sendgridFields.eventsOf("sendgrid"),
	Batch:       sendgridFields.batchOf().parts,
	Join:        sendgridFields.batchOf().join,
}

var sendgridKey = publicKey{
	algorithm: "ECDSA P-256 SHA-256",
	header:    "X-Twilio-Email-Event-Webhook-Signature",
	time:      "X-Twilio-Email-Event-Webhook-Timestamp",
	shape:     "base64 of an ASN.1 signature",
	decode: func(header string) []byte {
		sig, err := base64.StdEncoding.Strict().DecodeString(header)
		var numbers struct{ R, S *big.Int }
		if rest, bad := asn1.Unmarshal(sig, &numbers); err != nil || bad != nil || len(rest) > 0 {
			return nil
		}
		return sig
	},
	parse: sendgridParse,
	check: func(key, message, sig []byte) bool {
		public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), key)
		sum := sha256.Sum256(message)
		return err == nil && ecdsa.VerifyASN1(public, sum[:], sig)
	},
	want:  "the verification key, base64 that begins with MFkw, not an API key",
	alien: []string{"SG."},
}

// sendgridParse returns the point of a public key, which is base64 with or
// without the lines of PEM around it.
func sendgridParse(secret string) []byte {
	der, err := base64.StdEncoding.DecodeString(strings.TrimSpace(secret))
	if block, _ := pem.Decode([]byte(secret)); block != nil {
		der, err = block.Bytes, nil
	}
	if err != nil {
		return nil
	}
	key, err := x509.ParsePKIXPublicKey(der)
	public, ok := key.(*ecdsa.PublicKey)
	if err != nil || !ok || public.Curve != elliptic.P256() {
		return nil
	}
	point, err := public.Bytes()
	if err != nil {
		return nil
	}
	return point
}

var sendgridFields = fields{
	each:   "$",
	key:    "@.sg_event_id",
	typ:    []string{"@.event"},
	object: []string{"@.sg_message_id"},
	at:     "@.timestamp",
}

func isSendGrid(r *capture.Request) bool {
	for first := range value(r.Body).elements() {
		f := first.pick("sg_event_id", "event")
		return f[0] != nil && f[1] != nil
	}
	return false
}
