package provider

import (
	"encoding/json"
	"net/http"

	"anyhook.net/desktop/capture"
)

// maxHandshake is the size in bytes of the largest body of a set-up check.
const maxHandshake = 64 << 10

// plain answers with a text that came from outside: nobody may take it for a page.
func plain(text string) capture.Answer {
	return capture.Answer{
		Status: http.StatusOK,
		Fields: []capture.Field{
			{Name: "Content-Type", Value: "text/plain; charset=utf-8"},
			{Name: "X-Content-Type-Options", Value: "nosniff"},
		},
		Body: []byte(text),
	}
}

// inJSON answers with v as JSON.
func inJSON(v any) capture.Answer {
	body, err := json.Marshal(v)
	if err != nil {
		return capture.Answer{Status: http.StatusInternalServerError}
	}
	return capture.Answer{
		Status: http.StatusOK,
		Fields: []capture.Field{{Name: "Content-Type", Value: "application/json"}},
		Body:   body,
	}
}

// challenged returns the members of a body of JSON that may be a set-up check;
// nothing of any other request.
func challenged(r *capture.Request, names ...string) []value {
	if r.Method != http.MethodPost || len(r.Body) > maxHandshake || isForm(r) {
		return make([]value, len(names))
	}
	return value(r.Body).pick(names...)
}

// mayBeMACed reports whether the HMAC of a text that the sender chose may be
// told: of a token, which is letters and digits, and never of what could be a
// body or the beginning of a signed message.
func mayBeMACed(token string) bool {
	const most = 256
	for i := range len(token) {
		c := token[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && c != '-' && c != '_' && c != '=' && c != '+' && c != '/' {
			return false
		}
	}
	return token != "" && len(token) <= most
}

// answering returns the secret to answer with: the one that r was signed with,
// or the first; "" if there is none.
func answering(r *capture.Request, secrets []capture.Secret) string {
	if i := r.Signature.Secret; i > 0 && i <= len(secrets) {
		return secrets[i-1].Reveal()
	}
	for _, s := range secrets {
		if s != "" {
			return s.Reveal()
		}
	}
	return ""
}

// lone returns the text of a member of a body that has no other; "" for any other body.
func lone(r *capture.Request, name string) string {
	text, _ := challenged(r, name)[0].text()
	n := 0
	for range value(r.Body).members() {
		n++
	}
	if n != 1 {
		return ""
	}
	return text
}
