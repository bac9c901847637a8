package provider

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func posted(body string, headers ...string) *capture.Request {
	r := &capture.Request{Method: http.MethodPost, URL: "https://h.example/in", Body: []byte(body), Header: http.Header{}}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func TestHostileBodiesAreErrors(t *testing.T) {
	t.Parallel()
	const depth = 200_000
	for _, body := range []string{
		"", "null", "0", `"x"`, "{", "[", "[[", `{"`, `{"a`, `{"a"`, `{"a":`, `{"a":}`, `{"type":"\ud800"`, "\x00\xff",
		strings.Repeat("[", depth), strings.Repeat(`{"a":`, depth), strings.Repeat("[", depth) + strings.Repeat("]", depth),
		`{"type":{"a":1},"event":[],"data":0,"payload":"x","timestamp":{},"created":[],"id":{"a":"b"},"event_time":"soon"}`,
		`[{"subscriptionType":1e999,"objectId":{},"occurredAt":"never","attemptNumber":"many"}]`,
	} {
		for _, p := range All {
			events, err := p.Events(posted(body))
			require.Error(t, err, "%s: %.40q", p.Name, body)
			for _, e := range events {
				_, err := json.Marshal(e)
				require.NoError(t, err)
			}
		}
	}
}

func TestWhatCanBeReadIsReturnedWithTheError(t *testing.T) {
	t.Parallel()
	events, err := stripe.Events(posted(`{"id":"evt_1","type":"a.b","created":"tomorrow","data":{"object":[1]}}`))
	require.ErrorContains(t, err, "$.created is not a time")
	require.Equal(t, []capture.Event{{Key: capture.Key{Value: "evt_1", Exact: true}, Type: "a.b"}}, events)

	events, err = github.Events(posted(`not json`, "X-GitHub-Event", "push", "X-GitHub-Delivery", "d-1"))
	require.Error(t, err)
	require.Equal(t, []capture.Event{{Key: capture.Key{Value: "d-1", Exact: true}, Type: "push"}}, events)

	events, err = hubspot.Events(posted(`[{"subscriptionType":"a.b","objectId":1,"occurredAt":5},{"objectId":[]}]`))
	require.ErrorContains(t, err, "$[1].subscriptionType")
	require.Len(t, events, 2)
	require.Equal(t, "1|a.b|5", events[0].Key.Value)
}

func TestNumbersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	const big = "98765432109876543210987"
	events, err := shopify.Events(posted(`{"id":`+big+`}`, "X-Shopify-Topic", "orders/create", "X-Shopify-Webhook-Id", "w"))
	require.NoError(t, err)
	require.Equal(t, big, events[0].Object)

	events, err = hubspot.Events(posted(`[{"subscriptionType":"deal.creation","objectId":` + big + `,"occurredAt":1796040000123}]`))
	require.NoError(t, err)
	require.Equal(t, big+"|deal.creation|1796040000123", events[0].Key.Value)
	require.Equal(t, "deal/"+big, events[0].Object)
	require.Equal(t, int64(1796040000123), events[0].At.UnixMilli())
}

func TestNamesAreComparedExactlyAndTheLastCounts(t *testing.T) {
	t.Parallel()
	events, err := stripe.Events(posted(`{"ID":"no","id":"first","id":"la\u0073t","Type":"no","t\u0079pe":"yes"}`))
	require.NoError(t, err)
	require.Equal(t, "last", events[0].Key.Value)
	require.Equal(t, "yes", events[0].Type)
}

func TestAKeyIsNeverMadeUp(t *testing.T) {
	t.Parallel()
	for _, p := range All {
		for _, body := range []string{`{}`, `[{}]`, `{"type":"x"}`} {
			events, _ := p.Events(posted(body))
			for _, e := range events {
				require.Zero(t, e.Key, p.Name)
			}
		}
	}
}

func TestABatchHasAnEnd(t *testing.T) {
	t.Parallel()
	const event = `{"subscriptionType":"a.b","objectId":1,"occurredAt":5},`
	events, err := hubspot.Events(posted("[" + strings.Repeat(event, 5000) + "{}]"))
	require.ErrorContains(t, err, "more than 1000 events")
	require.Len(t, events, hubspotMost)
	events, err = hubspot.Events(posted("[" + strings.Repeat("{},", 5000) + "{}]"))
	require.Error(t, err)
	require.Len(t, events, hubspotMost)
	require.Less(t, len(err.Error()), 10_000)
}

func TestATextThatIsTooLongIsNoKey(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("k", maxText+1)
	events, err := stripe.Events(posted(`{"id":"` + long + `","type":"a"}`))
	require.ErrorContains(t, err, "$.id")
	require.NotContains(t, events[0].Key.Value, long)
	events, err = svix.Events(posted(`{}`, "svix-id", long))
	require.ErrorContains(t, err, "svix-id")
	require.Less(t, len(events[0].Key.Value), maxText)
}

func TestTimesBeyondTheYear9999AreNotTimes(t *testing.T) {
	t.Parallel()
	for _, s := range []string{`253402300800000`, `"253402300800000"`, `99999999999999999999999`, `-1`, `1e10`, `"0000-12-31T00:00:00Z"`, `"9999-12-31T23:59:59-12:00"`, `"x"`} {
		events, err := svix.Events(posted(`{"type":"a","timestamp":`+s+`}`, "svix-id", "m"))
		require.ErrorContains(t, err, "$.timestamp", s)
		require.True(t, events[0].At.IsZero(), s)
	}
	for s, want := range map[string]time.Time{
		`1796040000`:                       noon,
		`1796040000250`:                    noon.Add(250 * time.Millisecond),
		`"1796040000"`:                     noon,
		`"2026-11-30T20:00:00.5+08:00"`:    noon.Add(500 * time.Millisecond),
		`"2026-11-30T12:00:00.123456789Z"`: noon.Add(123456789),
	} {
		events, err := svix.Events(posted(`{"type":"a","timestamp":`+s+`}`, "svix-id", "m"))
		require.NoError(t, err, s)
		require.Equal(t, want, events[0].At, s)
	}
}

func TestSlackFormsAreRead(t *testing.T) {
	t.Parallel()
	const form = "application/x-www-form-urlencoded; charset=utf-8"
	events, err := slack.Events(posted("command=%2Fdeploy&text=a+b&trigger_id=1.2.x", "Content-Type", form))
	require.NoError(t, err)
	require.Equal(t, []capture.Event{{Key: capture.Key{Value: "1.2.x"}, Type: "/deploy"}}, events)
	events, err = slack.Events(posted(`payload={"type":"view_submission","trigger_id":"9.9.y"}`, "Content-Type", form, "X-Slack-Retry-Num", "2"))
	require.NoError(t, err)
	require.Equal(t, []capture.Event{{Key: capture.Key{Value: "9.9.y"}, Type: "view_submission", Try: 3}}, events)
	_, err = slack.Events(posted("a=b", "Content-Type", form))
	require.Error(t, err)
}

func TestGitHubsFormHoldsTheSameEvent(t *testing.T) {
	t.Parallel()
	head := []string{"X-GitHub-Event", "issues", "X-GitHub-Delivery", "d"}
	const body = `{"action":"opened","issue":{"id":9007199254740993,"updated_at":"2026-11-30T12:00:00Z"}}`
	want := []capture.Event{{Key: capture.Key{Value: "d", Exact: true}, Type: "issues.opened", Object: "9007199254740993", At: noon}}
	events, err := github.Events(posted(body, head...))
	require.NoError(t, err)
	require.Equal(t, want, events)
	events, err = github.Events(posted("payload="+strings.NewReplacer("{", "%7B", `"`, "%22").Replace(body), append(head, "Content-Type", "application/x-www-form-urlencoded")...))
	require.NoError(t, err)
	require.Equal(t, want, events)
}

func TestShopifysNewerHeadersAreRead(t *testing.T) {
	t.Parallel()
	events, err := shopify.Events(posted(`{"updated_at":"2020-01-01T00:00:00Z"}`,
		"shopify-topic", "products", "shopify-action", "update", "shopify-webhook-id", "w", "shopify-event-id", "e",
		"shopify-resource-id", "gid://shopify/Product/1", "shopify-triggered-at", "2026-11-30T12:00:00Z"))
	require.NoError(t, err)
	require.Equal(t, []capture.Event{{
		Key: capture.Key{Value: "w", Exact: true}, Group: "e", Type: "products/update", Object: "gid://shopify/Product/1", At: noon,
	}}, events)
}

func TestEventStreamsOfTwilioAreRead(t *testing.T) {
	t.Parallel()
	events, err := twilio.Events(posted(`[{"id":"EZ1","type":"com.twilio.messaging.message.sent","time":"2026-11-30T12:00:00.000Z","data":{"messageSid":"SM1"}}]`))
	require.NoError(t, err)
	require.Equal(t, []capture.Event{{Key: capture.Key{Value: "EZ1", Exact: true}, Type: "com.twilio.messaging.message.sent", Object: "SM1", At: noon}}, events)
}

func TestSigningKeepsOddBytesOfTheHead(t *testing.T) {
	t.Parallel()
	const odd = "POST  /x?a=%7e HTTP/1.0\r\nhOST:h\r\nX-Odd:\t a  \r\n  folded \r\nX-Odd: b\nstripe-SIGNATURE:old\r\n\tfolded\r\nLast:  1\r\nStripe-Signature: older\r\n\r\n"
	r := &capture.Request{Method: http.MethodPost, Head: capture.Head(odd), Header: capture.Head(odd).Header(), Body: []byte("{}")}
	require.NoError(t, stripe.Sign(r, "whsec_1", noon))
	value := r.Header.Get("Stripe-Signature")
	require.Equal(t, "POST  /x?a=%7e HTTP/1.0\r\nhOST:h\r\nX-Odd:\t a  \r\n  folded \r\nX-Odd: b\nstripe-SIGNATURE: "+value+"\r\nLast:  1\r\n\r\n", string(r.Head))
	require.Equal(t, capture.Valid, stripe.Verify(r, []capture.Secret{"whsec_1"}, noon).Status)

	for head, want := range map[string]string{
		"":                         "\r\nX: 1\r\n\r\n",
		"GET / HTTP/1.1":           "GET / HTTP/1.1\r\nX: 1\r\n\r\n",
		"GET / HTTP/1.1\r\nY: 2":   "GET / HTTP/1.1\r\nY: 2\r\nX: 1\r\n\r\n",
		"GET / HTTP/1.1\r\n":       "GET / HTTP/1.1\r\nX: 1\r\n\r\n",
		"GET / HTTP/1.1\n\n":       "GET / HTTP/1.1\nX: 1\r\n\n",
		"GET / HTTP/1.1\r\nx:\r\n": "GET / HTTP/1.1\r\nx: 1\r\n\r\n",
	} {
		require.Equal(t, want, string(capture.Head(head).With("X", "1")), "%q", head)
	}
}
