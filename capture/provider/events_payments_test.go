package provider

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestEventsOfPaymentsAreReadFromVectors(t *testing.T) {
	t.Parallel()
	for _, w := range []struct {
		id     string
		key    string
		exact  bool
		kind   string
		object string
		at     string
		order  int64
		try    int
	}{
		{"adyen/valid", "7914073381342284|AUTHORISATION|true", false, "AUTHORISATION", "7914073381342284", "2026-11-30T10:59:57Z", 0, 0},
		{"adyen/platform-valid", "1W1UG35U8A9J5ZLG|balancePlatform.transfer.updated|2026-11-30T11:59:57+01:00", false, "balancePlatform.transfer.updated", "1W1UG35U8A9J5ZLG", "2026-11-30T10:59:57Z", 0, 0},
		{"chargebee/valid", "ev_Example01", true, "subscription_changed", "subscription/sub1", "2026-11-30T11:59:57Z", 1796039997000, 0},
		{"coinbase-commerce/valid", "24934862-d980-46cb-9402-43c81b0cdba6", true, "charge:confirmed", "c0ffee00-0000-4000-8000-000000000042", "2026-11-30T11:59:57Z", 0, 1},
		{"easypost/valid", "evt_e1", true, "tracker.updated", "trk_1", "", 0, 0},
		{"gocardless/valid", "EV0EXAMPLE01", true, "payments.confirmed", "PM0EXAMPLE", "2026-11-30T11:59:57Z", 0, 0},
		{"lemonsqueezy/valid", "1|subscriptions|subscription_updated|2026-11-30T11:59:57.000000Z", false, "subscription_updated", "subscriptions/1", "2026-11-30T11:59:57Z", 0, 0},
		{"mollie/valid", "event_Example01", true, "payment-link.paid", "pl_Example", "2026-11-30T11:59:57Z", 0, 0},
		{"mux/valid", "3f4d2b8e", true, "video.asset.ready", "a1", "2026-11-30T11:59:57Z", 0, 1},
		{"paddle/valid", "evt_01example", true, "subscription.updated", "sub_01example", "2026-11-30T11:59:57.123456Z", 0, 0},
		{"paypal/valid", "WH-2WR32451HC0233532-67976317FL4543714", true, "PAYMENT.SALE.COMPLETED", "80021663DE681814L", "2026-11-30T11:59:57Z", 0, 0},
		{"plaid/valid", "", false, "TRANSACTIONS.SYNC_UPDATES_AVAILABLE", "wz666MBjYWTp2PDzzggYhM6oWWmBb", "", 0, 0},
		{"quickbooks/valid", "1185883450|145|Invoice|Update|2026-11-30T11:59:57.000Z", false, "Invoice.Update", "1185883450/Invoice/145", "2026-11-30T11:59:57Z", 0, 0},
		{"razorpay/valid", "pay_event_0001", true, "payment.captured", "pay_Example01", "2026-11-30T11:59:57Z", 0, 0},
		{"recurly/valid", "evt1|account|updated|2026-11-30T11:59:57Z", false, "account.updated", "account/evt1", "2026-11-30T11:59:57Z", 0, 0},
		{"square/valid", "6a8f5f28-54a1-4eb0-a98a-3111513fd4fc", true, "payment.updated", "PAY1", "2026-11-30T11:59:57.123Z", 7, 0},
		{"tally/valid", "a4cb511e-d513-4fa5-baee-b815d718dfd1", true, "FORM_RESPONSE", "2wgx4n", "2026-11-30T11:59:57Z", 0, 0},
		{"wise/valid", "d1", true, "transfers#state-change", "transfer/111", "2026-11-30T11:59:57Z", 0, 0},
		{"woocommerce/valid", "727|order.updated|2026-11-30T11:59:57", false, "order.updated", "order/727", "2026-11-30T11:59:57Z", 0, 0},
		{"workos/valid", "event_01EXAMPLE", true, "dsync.user.updated", "directory_user_01", "2026-11-30T11:59:57Z", 0, 0},
		{"xero/valid", "717f2bfc-c6d4-41fd-b238-3f2f0c0cf777|t1|UPDATE|2026-11-30T11:59:57.000", false, "CONTACT.UPDATE", "t1/717f2bfc-c6d4-41fd-b238-3f2f0c0cf777", "2026-11-30T11:59:57Z", 5, 0},
	} {
		v := vectorNamed(t, w.id)
		events, err := row(t, v.Provider).Events(v.request(t))
		require.NoError(t, err, w.id)
		at := time.Time{}
		if w.at != "" {
			at, err = time.Parse(time.RFC3339Nano, w.at)
			require.NoError(t, err)
		}
		want := capture.Event{Key: capture.Key{Value: w.key, Exact: w.exact}, Type: w.kind, Object: w.object, At: at, Order: w.order, Try: w.try}
		require.Equal(t, []capture.Event{want}, events, w.id)
	}
}

func TestAClassicMollieWebhookNamesItsObjectAlone(t *testing.T) {
	t.Parallel()
	r := specimen{method: "POST", url: "https://h.example/", headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, body: "id=tr_d0b0E3EA3v"}.request(t)
	require.Equal(t, "mollie", Known.Of(r).Name)
	events, err := mollie.Events(r)
	require.NoError(t, err)
	require.Equal(t, []capture.Event{{Type: "payment", Object: "tr_d0b0E3EA3v"}}, events, "and nothing tells two of them apart")
}

func TestACertificateElsewhereIsNotPayPals(t *testing.T) {
	t.Parallel()
	for address, own := range map[string]bool{
		"https://api.paypal.com/v1/notifications/certs/CERT-1": true,
		"https://API.PayPal.com:443/x":                         true,
		"http://api.paypal.com/x":                              false,
		"https://api.paypal.com.evil.example/x":                false,
		"https://evilpaypal.com/x":                             false,
		"https://api.paypal.com@evil.example/x":                false,
		"https://u:p@api.paypal.com/x":                         false,
		"https://api.paypal.com:8443/x":                        false,
		"//api.paypal.com/x":                                   false,
		"":                                                     false,
	} {
		require.Equal(t, own, paypalHost(address), address)
		r := vectorNamed(t, "paypal/valid").request(t)
		r.Header.Set(paypalCert, address)
		got, ok := paypal.Certificate(r)
		require.Equal(t, address, got)
		require.Equal(t, own, ok)
		s := paypal.Verify(r, []capture.Secret{"1JE4291016473214C"}, r.At)
		if own {
			require.Equal(t, capture.WhyNoCert, s.Why, "the certificate is not at hand")
			require.Equal(t, capture.Unchecked, s.Status)
		} else {
			require.Equal(t, capture.WhyForeignCert, s.Why, address)
			require.Equal(t, capture.Malformed, s.Status)
		}
	}
}
