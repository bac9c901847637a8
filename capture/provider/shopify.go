package provider

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"anyhook.net/desktop/capture"
)

// shopifyNames are the two families of header names: the second is that of the newer events webhooks.
var shopifyNames = [2]string{"X-Shopify-", "Shopify-"}

// Shopify signs the body with the client secret of the app. A webhook id tells
// deliveries apart and stays over retries; an event id is shared by all
// deliveries that tell of one event, so that it groups.
var shopify = capture.Provider{
	Name:     "shopify",
	Title:    "Shopify",
	Scheme:   "HMAC-SHA256 of the body, base64",
	Header:   "X-Shopify-Hmac-Sha256",
	Deadline: 5 * time.Second,
	Dedupe:   "header:X-Shopify-Webhook-Id; header:X-Shopify-Event-Id groups",
	Order:    "header:X-Shopify-Triggered-At, or $.updated_at",
	Retry:    capture.Retry{Times: 8, Within: 4 * time.Hour},
	Disabled: "A subscription that was made through the Admin API is deleted after 8 failures in a row.",
	Setup:    "Admin → Settings → Notifications → Webhooks, where the secret is below the list; for an app, its subscriptions and its client secret.",
	Note:     "One event may come by several subscriptions: X-Shopify-Event-Id is the same then, X-Shopify-Webhook-Id is not. A retry has the original body. Shopify waits one second for a connection.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"npm @shopify/shopify-api@13.1.0 lib/webhooks/validate.js",
		"https://shopify.dev/changelog/updates-to-webhook-retry-mechanism",
		"https://shopify.dev/apps/build/webhooks/ignore-duplicates",
		"https://shopify.dev/docs/api/shopify-app-remix/v4/authenticate/webhook",
	},
	Marks: []string{
		"X-Shopify-Topic", "X-Shopify-Hmac-Sha256", "X-Shopify-Webhook-Id",
		"Shopify-Topic", "Shopify-Hmac-Sha256", "Shopify-Webhook-Id",
	},
	Agent:       "Shopify-Captain-Hook",
	Verify:      shopifyVerify,
	Sign:        shopifySign,
	CheckSecret: shopifyKeys.check,
	Events:      shopifyEvents,
}

var shopifyKeys = keys{
	want:  "the client secret of the app, not an access token",
	alien: []string{"shpat_", "shpca_", "shppa_", "shpua_", "atkn_"},
}

// shopifyFamily returns the beginning of the header names that the request uses.
func shopifyFamily(r *capture.Request) string {
	const older, newer = 0, 1
	if has(r, shopifyNames[newer]+"Topic", shopifyNames[newer]+"Hmac-Sha256") && !has(r, shopifyNames[older]+"Topic") {
		return shopifyNames[newer]
	}
	return shopifyNames[older]
}

func shopifyVerify(r *capture.Request, secrets []capture.Secret, now time.Time) capture.Signature {
	name := shopifyFamily(r) + "Hmac-Sha256"
	if has(r, shopifyNames[0]+"Hmac-Sha256") && has(r, shopifyNames[1]+"Hmac-Sha256") {
		return refuse(secrets, capture.Malformed, capture.WhyTwice, name)
	}
	header, bad := signature(r, name, secrets)
	if bad != nil {
		return *bad
	}
	sig, err := base64.StdEncoding.Strict().DecodeString(header)
	if err != nil || len(sig) != sha256.Size {
		return refuse(secrets, capture.Malformed, capture.WhyBadShape, "44 characters of base64")
	}
	return claim{
		ways:  []way{{"HMAC-SHA256 of body", [][]byte{r.Body}}},
		keys:  shopifyKeys,
		match: anyMAC(sha256.New, sig),
	}.judge(secrets, now)
}

func shopifySign(r *capture.Request, secret capture.Secret, _ time.Time) error {
	if err := shopifyKeys.check(secret); err != nil {
		return err
	}
	sum := mac(sha256.New, secret.Reveal(), r.Body)
	r.SetHeader(shopifyFamily(r)+"Hmac-Sha256", base64.StdEncoding.EncodeToString(sum))
	return nil
}

func shopifyEvents(r *capture.Request) ([]capture.Event, error) {
	f := reading{name: "shopify"}
	family := shopifyFamily(r)
	e := capture.Event{
		Key:    exact(f.header(r, family+"Webhook-Id")),
		Group:  f.header(r, family+"Event-Id"),
		Type:   f.header(r, family+"Topic"),
		Object: f.header(r, family+"Resource-Id"),
	}
	if e.Type == "" {
		f.fail("no %sTopic header", family)
	}
	if action := f.header(r, family+"Action"); action != "" {
		e.Type += "/" + action
	}
	if at := r.Header.Get(family + "Triggered-At"); at != "" {
		t, ok := parseTime(at)
		if !ok {
			f.fail("%sTriggered-At is not a time", family)
		}
		e.At = t
	}
	doc := f.document(r.Body, "{")
	top := doc.pick("id", "updated_at", "inventory_item_id", "admin_graphql_api_id")
	if e.At.IsZero() {
		e.At = f.when(top[1], "$.updated_at")
	}
	e.Object = cmp.Or(
		e.Object,
		f.text(top[0], "$.id"),
		f.text(top[2], "$.inventory_item_id"),
		f.text(top[3], "$.admin_graphql_api_id"),
	)
	return []capture.Event{e}, f.err()
}
