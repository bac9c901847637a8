package provider

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // Amazon SNS still sends it where version 2 is not asked for
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
)

// rsaKey returns the public key of a PEM text, of a certificate or bare; nil if there is none.
func rsaKey(text string) *rsa.PublicKey {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil
	}
	if block.Type == "CERTIFICATE" {
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil
		}
		key, _ := cert.PublicKey.(*rsa.PublicKey)
		return key
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil
	}
	key, _ := parsed.(*rsa.PublicKey)
	return key
}

// rsaFits reports whether the holder of the key signed the message, by PKCS #1 v1.5.
func rsaFits(key *rsa.PublicKey, hash crypto.Hash, message, sig []byte) bool {
	if key == nil {
		return false
	}
	sum := sha256.Sum256(message)
	digest := sum[:]
	if hash == crypto.SHA1 {
		older := sha1.Sum(message) //nolint:gosec // as above
		digest = older[:]
	}
	return rsa.VerifyPKCS1v15(key, hash, digest, sig) == nil
}
