package provider

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// read returns the events of a request, all of which can be read.
func read(t *testing.T, name string, r *capture.Request) []capture.Event {
	t.Helper()
	events, err := row(t, name).Events(r)
	require.NoError(t, err)
	return events
}

func TestRecurlysEventsOfOneAccountAreNotDuplicates(t *testing.T) {
	t.Parallel()
	const created = `{"id":"r3oplsj3zo7a","object_type":"account","site_id":"s","event_type":"created","event_time":"2026-11-30T12:00:00Z"}`
	updated := strings.Replace(created, "created", "updated", 1)

	one := read(t, "recurly", posted(created, "Recurly-Notification-Id", "n1"))[0]
	two := read(t, "recurly", posted(updated, "Recurly-Notification-Id", "n2"))[0]
	require.Equal(t, capture.Key{Value: "n1", Exact: true}, one.Key)
	require.Equal(t, capture.Key{Value: "n2", Exact: true}, two.Key)
	require.Equal(t, "account/r3oplsj3zo7a", one.Object)
	require.Equal(t, one.Object, two.Object)

	one, two = read(t, "recurly", posted(created))[0], read(t, "recurly", posted(updated))[0]
	require.NotEqual(t, one.Key, two.Key)
	require.False(t, one.Key.Exact, "nothing but a rule of thumb without the header")
}

func TestQuickBooksCloudEventsAreRead(t *testing.T) {
	t.Parallel()
	r := posted(`[
		{"specversion":"1.0","id":"88cd52aa","source":"intuit.x","type":"qbo.invoice.created.v1","time":"2026-11-30T12:00:00.179Z","intuitentityid":"95","intuitaccountid":"310687","data":{}},
		{"specversion":"1.0","id":"99cd52aa","source":"intuit.x","type":"qbo.customer.updated.v1","time":"2026-11-30T12:00:00Z","intuitentityid":"95","intuitaccountid":"310687","data":{}}]`)
	require.Equal(t, "quickbooks", Known.Of(r).Name)
	require.Equal(t, []capture.Event{
		{Key: capture.Key{Value: "88cd52aa", Exact: true}, Type: "qbo.invoice.created.v1", Object: "310687/invoice/95", At: noon.Add(179e6)},
		{Key: capture.Key{Value: "99cd52aa", Exact: true}, Type: "qbo.customer.updated.v1", Object: "310687/customer/95", At: noon},
	}, read(t, "quickbooks", r))
}

func TestQuickBooksCompaniesAreToldApart(t *testing.T) {
	t.Parallel()
	const entity = `{"name":"Invoice","id":"1","operation":"Update","lastUpdated":"2026-11-30T12:00:00Z"}`
	const company = `{"realmId":"R","dataChangeEvent":{"entities":[` + entity + `,` + entity + `]}}`
	events := read(t, "quickbooks", posted(`{"eventNotifications":[`+company+`,`+strings.Replace(company, `"R"`, `"Q"`, 1)+`]}`))
	require.Len(t, events, 4)
	require.Equal(t, "R/Invoice/1", events[1].Object)
	require.Equal(t, "Q/Invoice/1", events[2].Object)
	require.Equal(t, events[0].Key, events[1].Key)
	require.NotEqual(t, events[1].Key, events[2].Key)
}

func TestXerosEventsAreNumbered(t *testing.T) {
	t.Parallel()
	const event = `{"resourceId":"r","tenantId":"t","eventType":"UPDATE","eventCategory":"CONTACT","eventDateUtc":"2026-11-30T12:00:00.000"}`
	orders := func(sequence string) (out []int64) {
		for _, e := range read(t, "xero", posted(`{"events":[`+event+`,`+event+`],`+sequence+`,"entropy":"e"}`)) {
			out = append(out, e.Order)
		}
		return out
	}
	require.Equal(t, []int64{41, 42}, orders(`"firstEventSequence":41,"lastEventSequence":42`))
	for _, other := range []string{
		`"firstEventSequence":41,"lastEventSequence":43`, `"firstEventSequence":0,"lastEventSequence":1`,
		`"firstEventSequence":-2,"lastEventSequence":-1`, `"firstEventSequence":9223372036854775807,"lastEventSequence":-9223372036854775808`,
	} {
		require.Equal(t, []int64{0, 0}, orders(other), other)
	}
}

func TestAVersionPutsSquaresPaymentsInOrder(t *testing.T) {
	t.Parallel()
	seven, late := event(t, "square", "payment-updated-v7"), event(t, "square", "payment-updated-v6-late")
	require.True(t, late.Older(seven))
	require.False(t, seven.Older(late))
}

func TestTheObjectIsTheOneThatTheEventIsNamedAfter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		provider, body, object string
		order                  int64
	}{
		{"razorpay", `{"event":"refund.created","payload":{"payment":{"entity":{"id":"pay_1"}},"refund":{"entity":{"id":"rfnd_1"}}}}`, "rfnd_1", 0},
		{"razorpay", `{"event":"order.paid","payload":{"payment":{"entity":{"id":"pay_1"}},"order":{"entity":{"id":"order_1"}}}}`, "order_1", 0},
		{"razorpay", `{"event":"payment.captured","payload":{"payment":{"entity":{"id":"pay_1"}}}}`, "pay_1", 0},
		{"razorpay", `{"event":"other.done","payload":{"payment":{"entity":{"id":"pay_1"}},"refund":{"entity":{"id":"rfnd_1"}}}}`, "pay_1", 0},
		{"razorpay", `{"event":"other.done"}`, "", 0},
		{"chargebee", `{"id":"ev_1","event_type":"subscription_changed","content":{"subscription":{"id":"s","resource_version":7},"customer":{"id":"c","resource_version":8}}}`, "subscription/s", 7},
		{"chargebee", `{"id":"ev_1","event_type":"payment_succeeded","content":{"transaction":{"id":"t","resource_version":7},"invoice":{"id":"i"}}}`, "transaction/t", 7},
		{"chargebee", `{"id":"ev_1","event_type":"payment_source_added","content":{"transaction":{"id":"t"},"payment_source":{"id":"p","resource_version":7}}}`, "payment_source/p", 7},
		{"chargebee", `{"id":"ev_1","event_type":"payment_source_added","content":{"payment_source":{"id":"p","resource_version":7},"transaction":{"id":"t"}}}`, "payment_source/p", 7},
		{"chargebee", `{"id":"ev_1","event_type":"item_price_created","content":{"item":{"id":"i"},"item_price":{"id":"ip"}}}`, "item_price/ip", 0},
		{"chargebee", `{"id":"ev_1","event_type":"customer_deleted","content":{}}`, "", 0},
	} {
		e := read(t, test.provider, posted(test.body, "X-Razorpay-Event-Id", "e"))[0]
		require.Equal(t, test.object, e.Object, test.body)
		require.Equal(t, test.order, e.Order, test.body)
	}
}

func TestNothingTellsPlaidsRetriesFromNewWebhooks(t *testing.T) {
	t.Parallel()
	e := read(t, "plaid", posted(`{"webhook_type":"TRANSACTIONS","webhook_code":"SYNC_UPDATES_AVAILABLE","item_id":"i"}`))[0]
	require.Zero(t, e.Key, "the next one of the item is alike to the byte")
	require.Empty(t, plaid.Dedupe)
	require.NotEmpty(t, plaid.Note)
}

func TestWooCommerceUndoesEscapesInItsSecret(t *testing.T) {
	t.Parallel()
	plain := posted(`{"id":1}`)
	require.NoError(t, woocommerce.Sign(plain, `a&b<c>"d"'e'&copy1`, noon))
	for secret, fits := range map[capture.Secret]bool{
		`a&b<c>"d"'e'&copy1`: true,
		`a&amp;b&lt;c&gt;&quot;d&quot;&#039;e&#039;&copy1`:     true,
		`a&#038;b&#060;c&#062;&#034;d&#x22;&#x27;e&#39;&copy1`: true,
		`a&amp;amp;b<c>"d"'e'&copy1`:                           false,
	} {
		require.Equal(t, fits, woocommerce.Verify(plain, []capture.Secret{secret}, noon).Status == capture.Valid, secret.Reveal())
	}
}

func TestAnAdyenItemThatIsNotCheckedIsNotValid(t *testing.T) {
	t.Parallel()
	const secret = capture.Secret("44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056")
	const item = `{"NotificationRequestItem":{"pspReference":"1","additionalData":{"hmacSignature":""}}}`
	body := func(n int) *capture.Request {
		return posted(`{"notificationItems":[` + strings.Repeat(item+",", n-1) + item + `]}`)
	}
	r := body(adyenMost)
	require.NoError(t, adyen.Sign(r, secret, noon))
	require.Equal(t, capture.Valid, adyen.Verify(r, []capture.Secret{secret}, noon).Status)

	r.Body = []byte(strings.Replace(string(r.Body), "]}", `,{"NotificationRequestItem":{"pspReference":"2"}}]}`, 1))
	require.Equal(t, capture.Malformed, adyen.Verify(r, []capture.Secret{secret}, noon).Status)
	require.Error(t, adyen.Sign(body(adyenMost+1), secret, noon))
	require.Error(t, adyen.Sign(posted(`{"notificationItems":[]}`), secret, noon))
}

func TestAnotherKindOfSecretOfPayPalsIsNamed(t *testing.T) {
	t.Parallel()
	v := vectorNamed(t, "paypal/valid")
	certificate := v.secrets(t)[0]
	s := paypal.Verify(v.request(t), []capture.Secret{certificate, "WH-2WR32451HC0233532-67976317FL4543714"}, noon)
	require.Equal(t, capture.WhyBadSecret, s.Why, "the id of an event, not of the webhook")
	require.Equal(t, capture.Invalid, s.Status)
	s = paypal.Verify(v.request(t), []capture.Secret{"1JE4291016473214C", certificate}, v.request(t).At)
	require.Equal(t, capture.Valid, s.Status, "in any order")
	require.Equal(t, 1, s.Secret)
}

func TestSetUpChecksOfShopsAndBooksAreAnswered(t *testing.T) {
	t.Parallel()
	e := handshakes(t)["woocommerce-ping"]
	a, ok := answer(t, "woocommerce", e.request(t, ""), "secret")
	require.True(t, ok)
	e.requireAnswer(t, a)
	for _, body := range []string{"", "webhook_id=", "webhook_id=6&a=1", "webhook_id=x", `{"id":6}`} {
		_, ok = answer(t, "woocommerce", posted(body), "secret")
		require.Equal(t, body == "webhook_id=", ok, body)
	}

	_, ok = answer(t, "xero", vectorNamed(t, "xero/valid").request(t))
	require.False(t, ok, "events are no set-up check")
}

// probes is a set-up check of several requests.
type probes struct {
	ID       string
	Provider string
	Secret   capture.Secret
	Requests []struct {
		Headers  map[string]string
		Body     string
		Response struct{ Status int }
	}
}

// Xero sends signed and mis-signed requests; an endpoint that has the key refuses the latter with 401.
func TestXerosIntentToReceiveIsAnsweredAsItIsSigned(t *testing.T) {
	t.Parallel()
	var all []probes
	b, err := os.ReadFile("testdata/handshakes.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &all))
	i := slices.IndexFunc(all, func(p probes) bool { return p.ID == "xero-itr" })
	require.Len(t, all[i].Requests, 2)
	for _, probe := range all[i].Requests {
		r := vector{Method: http.MethodPost, URL: "https://h.example/", Headers: probe.Headers, Body: []byte(probe.Body), Now: noon.Unix()}.request(t)
		a, ok := answer(t, all[i].Provider, r, all[i].Secret)
		require.True(t, ok)
		require.Equal(t, probe.Response.Status == http.StatusUnauthorized, r.Signature.Status.Refused())
		if !r.Signature.Status.Refused() {
			require.Equal(t, probe.Response.Status, a.Status)
			require.Empty(t, a.Body)
			require.Empty(t, a.Fields, "no cookies")
		}
	}
}

func TestEveryAdyenItemIsSignedAnewWhereItIs(t *testing.T) {
	t.Parallel()
	const secret = capture.Secret("44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056")
	const one = `{ "NotificationRequestItem":{"pspReference":"1","additionalData":{"hmacSignature": "older","x":1},"reason":"\u00e4"}}`
	body := `{"live":"false","notificationItems":[` + one + ",\n" + strings.Replace(one, `"1"`, `"2"`, 1) + `]}`
	r := posted(body)
	require.NoError(t, adyen.Sign(r, secret, noon))
	require.Equal(t, capture.Valid, adyen.Verify(r, []capture.Secret{secret}, noon).Status)
	var signatures []string
	for _, item := range adyenRead(r) {
		text, _ := item.place.text()
		signatures = append(signatures, text, "older")
	}
	require.Len(t, signatures, 4)
	require.NotEqual(t, signatures[0], signatures[2])
	require.Equal(t, body, strings.NewReplacer(signatures...).Replace(string(r.Body)), "and nothing else is changed")
}
