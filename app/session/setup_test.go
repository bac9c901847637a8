package session

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// Set-up checks of providers that AnyHook does not know get the handler's own
// answer, where the endpoint waits for it: an acknowledgement would fail them.
func TestTheHandlerAnswersSetUpChecks(t *testing.T) {
	t.Parallel()
	const plain, encrypted = "ahPlain01", "a585bead6ea46a6e29eb56e1a7ba09046659442d233da8d77d0cf8535414f495"
	h := handle(t, func(x heard) string {
		_, target, _ := x.head.Line()
		u, err := url.Parse(target)
		if err != nil {
			return ""
		}
		answer := x.header("X-Acme-Verification-Challenge") + u.Query().Get("hub.challenge")
		if strings.Contains(string(x.body), "endpoint.url_validation") {
			b, _ := json.Marshal(map[string]string{"plainToken": plain, "encryptedToken": hmacHex("example-generic-secret", plain)})
			answer = string(b)
		}
		if u.Query().Get("hub.verify_token") == "guessed" {
			return "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
		}
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", len(answer), answer)
	})
	waiting := capture.Endpoint{Name: "meta", Path: "/in", Target: h.url, Reply: capture.Wait}
	d := begin(t, waiting, capture.Endpoint{Name: "acks", Path: "/acks", Target: h.url},
		capture.Endpoint{Name: "down", Path: "/down", Target: "http://" + nobody(t), Reply: capture.Wait})
	const subscribe = "?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token="
	for i, tt := range []struct {
		name, raw string
		status    int
		answer    string
		kind      capture.Kind
	}{
		{"Meta", "GET /in/meta" + subscribe + "ah-verify HTTP/1.1\r\nHost: h\r\n\r\n", 200, "1158201444", capture.Delivery},
		{"somebody who guesses", "GET /in/meta" + subscribe + "guessed HTTP/1.1\r\nHost: h\r\n\r\n", 403, "", capture.Delivery},
		{"Acme", "GET /in/acme HTTP/1.1\r\nHost: h\r\nX-Acme-Verification-Challenge: ah-acme-1\r\n\r\n", 200, "ah-acme-1", capture.Delivery},
		{"Zoom", posted("/in/zoom", `{"event":"endpoint.url_validation","payload":{"plainToken":"`+plain+`"}}`), 200, `{"encryptedToken":"` + encrypted + `","plainToken":"` + plain + `"}`, capture.Delivery},
		{"a browser", "GET /in/favicon.ico HTTP/1.1\r\nHost: h\r\n\r\n", 200, "", capture.Other},
		{"the handler is down", "GET /down" + subscribe + "ah-verify HTTP/1.1\r\nHost: h\r\n\r\n", http.StatusBadGateway, "", capture.Delivery},
		{"nobody waits for the handler", "GET /acks" + subscribe + "ah-verify HTTP/1.1\r\nHost: h\r\n\r\n", 200, "", capture.Other},
	} {
		status, answer := d.say(tt.raw)
		require.Equal(t, tt.status, status, tt.name)
		require.Equal(t, tt.answer, answer, tt.name)
		r := d.stored(capture.Seq(i + 1))
		require.Equal(t, tt.kind, r.Kind, tt.name)
		require.Equal(t, tt.name == "nobody waits for the handler", strings.Contains(r.Note, "let the endpoint wait for the handler"), r.Note)
	}
}
