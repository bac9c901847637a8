package doctor

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"strings"
)

// prefixes are the beginnings of secrets that one scheme keeps and another drops.
var prefixes = []string{"whsec_", "whpk_", "v1,whsec_", "pdl_ntfset_", "sha256="}

// secrets are the ways in which a secret is copied wrongly.
func (e *examination) secrets() []change {
	one := func(c Cause, f func(string) string) change { return change{cause: c, secret: f} }
	out := []change{
		one(SecretSpace, strings.TrimSpace),
		one(SecretSpace, func(s string) string { return s + "\n" }),
		one(SecretQuotes, func(s string) string { return strings.Trim(strings.TrimSpace(s), "\"'`") }),
		one(SecretEscapes, html.EscapeString),
		one(SecretEscapes, html.UnescapeString),
		// where the provider undoes escapes, as WooCommerce does, and this sender did not
		one(SecretEscapes, func(s string) string { return html.EscapeString(html.EscapeString(s)) }),
	}
	for _, p := range prefixes {
		out = append(out,
			one(SecretPrefix, func(s string) string { return strings.TrimPrefix(s, p) }),
			one(SecretPrefix, func(s string) string { return p + s }))
	}
	bare := func(s string) string {
		for _, p := range prefixes {
			s = strings.TrimPrefix(s, p)
		}
		return s
	}
	return append(out,
		one(SecretEncoding, func(s string) string { return decoded(base64.StdEncoding, bare(s)) }),
		one(SecretEncoding, func(s string) string { return decoded(base64.RawURLEncoding, strings.TrimRight(bare(s), "=")) }),
		one(SecretEncoding, func(s string) string {
			b, err := hex.DecodeString(bare(s))
			if err != nil {
				return ""
			}
			return string(b)
		}),
		one(SecretEncoding, func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }),
		one(SecretEncoding, func(s string) string { return base64.StdEncoding.EncodeToString([]byte(bare(s))) }),
		one(SecretEncoding, func(s string) string { return hex.EncodeToString([]byte(bare(s))) }),
	)
}

func decoded(e *base64.Encoding, s string) string {
	b, err := e.DecodeString(s)
	if err != nil {
		return ""
	}
	return string(b)
}
