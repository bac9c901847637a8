package replay

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHintSaysWhatIsProbablyBehindAnOutcome(t *testing.T) {
	t.Parallel()
	html := func(s string) []byte { return []byte("<html><h1>" + s + "</h1></html>") }
	for _, c := range []struct {
		name string
		out  Outcome
		want string
	}{
		{"Django", Outcome{Status: 403, Body: html("CSRF verification failed. Request aborted.")}, HintCSRF},
		{"Laravel", Outcome{Status: 419, Body: html("Page Expired")}, HintCSRF},
		{"Rails", Outcome{Status: 422, Body: html("ActionController::InvalidAuthenticityToken")}, HintCSRF},
		{"login page", Outcome{Status: 302, Head: []byte("HTTP/1.1 302 Found\r\nLocation: /login\r\n\r\n")}, HintCSRF},
		{"signature", Outcome{Status: 401, Body: []byte(`{"error":"Invalid signature"}`)}, HintSignature},
		{"too old", Outcome{Status: 400, Body: []byte("Timestamp outside the tolerance zone")}, HintStale},
		{"Rails host", Outcome{Status: 403, Body: html("Blocked host: x.ngrok.app")}, HintHost},
		{"Vite host", Outcome{Status: 403, Body: []byte(`Blocked request. This host ("x.ngrok.app") is not allowed.`)}, HintHost},
		{"slash", Outcome{Status: 301, Head: []byte("HTTP/1.1 301 M\r\nlocation: /hook/\r\n\r\n")}, HintRedirect},
		{"304", Outcome{Status: 304}, ""},
		{"404", Outcome{Status: 404}, HintNotFound},
		{"405", Outcome{Status: 405}, HintMethod},
		{"413", Outcome{Status: 413}, HintTooLarge},
		{"plain 403", Outcome{Status: 403}, ""},
		{"500", Outcome{Status: 500, Body: html("signature")}, ""},
		{"200", Outcome{Status: 200, Body: html("csrf")}, ""},
		{"200 cut", Outcome{Status: 200, Failure: Cut}, HintUnfinished},
		{"500 cut", Outcome{Status: 500, Failure: Cut}, ""},
		{"404 cut", Outcome{Status: 404, Failure: Cut}, HintNotFound},
		{"refused", Outcome{Failure: Refused}, HintRefused},
		{"other loopback", Outcome{Failure: Refused, Detail: "x, " + SaysListensElse + "[::1]:1"}, HintOtherLoopback},
		{"dns", Outcome{Failure: DNS}, HintDNS},
		{"certificate", Outcome{Failure: TLS, Detail: "certificate is for another name"}, HintCertificate},
		{"self-signed", Outcome{Failure: TLS, Detail: SaysSelfSigned}, HintSelfSigned},
		{"reset", Outcome{Failure: Reset}, HintReset},
		{"timeout", Outcome{Failure: Timeout}, HintTimeout},
		{"lost", Outcome{Failure: Lost}, HintLost},
		{"101", Outcome{Status: 101, Failure: Protocol}, HintUpgrade},
		{"ssh", Outcome{Failure: Protocol}, HintNotHTTP},
		{"canceled", Outcome{Failure: Canceled}, ""},
		{"under way", Outcome{}, ""},
	} {
		require.Equal(t, c.want, Hint(c.out), c.name)
	}
}
