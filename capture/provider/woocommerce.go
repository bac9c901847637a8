package provider

import (
	"net/http"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// WooCommerce signs the body, with the secret after its HTML escapes are undone.
// Its delivery id is a hash of the webhook and the present second, so that two
// deliveries of one second share it: it is no key. The first ping is an
// unsigned form, and wants a 200.
var woocommerce = capture.Provider{
	Name:     "woocommerce",
	Title:    "WooCommerce",
	Scheme:   woocommerceScheme.String(),
	Header:   woocommerceScheme.header,
	Deadline: time.Minute,
	Dedupe:   woocommerceFields.dedupe(),
	Order:    woocommerceFields.orders(),
	Retry:    capture.Retry{Never: true},
	Disabled: "A webhook is disabled after more than five failures in a row.",
	Setup:    "WooCommerce → Settings → Advanced → Webhooks → Add webhook; the secret is chosen there.",
	Note:     "Escapes of HTML in the secret, such as &amp;, are undone before it signs. The delivery id is not unique. Answers from 200 to 302 count as taken; redirects are not followed. Deleted objects send their id alone.",
	Trust:    capture.Trust{Signature: capture.BySource, Identity: capture.BySource, Retry: capture.BySource},
	Sources: []string{
		"https://github.com/woocommerce/woocommerce plugins/woocommerce/includes/class-wc-webhook.php @00e1bc4d",
	},
	Marks:       []string{"X-Wc-Webhook-Topic", "X-Wc-Webhook-Signature", "X-Wc-Webhook-Id"},
	Agent:       "WooCommerce/",
	Verify:      woocommerceScheme.verify,
	Sign:        woocommerceScheme.sign,
	CheckSecret: woocommerceScheme.keys.check,
	Events:      woocommerceFields.eventsOf("woocommerce"),
	Handshake:   woocommercePing,
}

var woocommerceScheme = scheme{
	header: "X-Wc-Webhook-Signature",
	form:   alone("", base64std),
	key:    func(secret string) []byte { return []byte(woocommerceEscapes.Replace(secret)) },
	keys:   keys{want: "the secret of the webhook, not a consumer key", alien: []string{"ck_", "cs_"}},
}

// woocommerceEscapes are those that WordPress undoes.
var woocommerceEscapes = strings.NewReplacer(
	"&amp;", "&", "&#038;", "&", "&#x26;", "&", "&lt;", "<", "&#060;", "<", "&gt;", ">", "&#062;", ">",
	"&quot;", `"`, "&#034;", `"`, "&#x22;", `"`, "&#039;", "'", "&#39;", "'", "&#x27;", "'",
)

var woocommerceFields = fields{
	parts:  []string{"$.id", "header:X-Wc-Webhook-Topic", "$.date_modified_gmt"},
	typ:    []string{"header:X-Wc-Webhook-Topic"},
	object: []string{"header:X-Wc-Webhook-Resource", "$.id"},
	at:     "$.date_modified_gmt",
}

// woocommercePing is sent when a webhook is saved: a form, webhook_id=6.
func woocommercePing(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	id, ok := strings.CutPrefix(string(r.Body[:min(len(r.Body), 100)]), "webhook_id=")
	if r.Method != http.MethodPost || !ok || strings.Trim(id, "0123456789") != "" || len(id) > 20 {
		return capture.Answer{}, false
	}
	return capture.Answer{Status: http.StatusOK}, true
}
