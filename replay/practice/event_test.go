package practice

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheShopUnderstandsProviders(t *testing.T) {
	t.Parallel()
	cases := []struct {
		file   string
		header string // "Name: value" of the field that names the event, where there is one
		want   string // how many events, and of the first: key, type, object, state, time of day
	}{
		{"stripe-3-invoice-paid.json", "", "1 evt_1SExample0006 invoice.paid in_Example1 paid 11:50:01"},
		{"shopify-orders-updated-paid.json", "X-Shopify-Event-Id: e-1", "1 e-1  gid://shopify/Order/5678901234567 paid 11:58:05"},
		{"github-pull_request-opened.json", "X-GitHub-Delivery: d-1", "1 d-1 opened 1500000001 open 11:55:00"},
		{"hubspot-batch-100-shuffled.json", "", "100 1005|contact.propertyChange|phone|1796039946632 contact.propertyChange 1005 phone +886910000086 11:59:06.632"},
		{"hubspot-deal-four-edits-second-retried.json", "", "1 7001|deal.propertyChange|dealstage|1796039930000 deal.propertyChange 7001 dealstage qualifiedtobuy 11:58:50"},
		{"calendly-01-invitee-created.json", "", "1 invitee.created|2026-11-30T09:56:00.000000Z|https://api.calendly.com/scheduled_events/EV1/invitees/IN1 invitee.created https://api.calendly.com/scheduled_events/EV1/invitees/IN1 active 09:56:00"},
		{"calendly-02-invitee-canceled.json", "", "1 invitee.canceled|2026-11-30T10:00:00.000000Z|https://api.calendly.com/scheduled_events/EV1/invitees/IN1 invitee.canceled https://api.calendly.com/scheduled_events/EV1/invitees/IN1 canceled 10:00:00"},
		{"slack-event_callback-message.json", "", "1 Ev0EXAMPLE001 event_callback 1796039990.000200 event_callback 11:59:50"},
		{"square-payment-updated-v7.json", "", "1 6a8f5f28-54a1-4eb0-a98a-3111513fd4fc payment.updated PAY1 COMPLETED 11:59:57"},
		{"paddle-subscription-1-active.json", "", "1 evt_01example00 subscription.updated sub_01example active 11:59:30.123456"},
		{"zoom-meeting-started.json", "", "1 meeting.started|1796039999000|uuid== meeting.started 1234567890 meeting.started 11:59:59"},
		{"linear-issue-update.json", "Linear-Delivery: l-1", "1 l-1 Issue 2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9 登入失敗 11:59:57"},
		{"line-batch-two-events-one-redelivery.json", "", "2 01HEXAMPLE0000000000000001 message 1 message 11:59:51"},
		{"sendgrid-batch-three.json", "", "3 sg-1 processed m1.0 processed 11:59:55"},
		{"gitlab-merge-request-merge.json", "X-Gitlab-Event-UUID: g-1", "1 g-1 merge_request 99 merged 11:59:57"},
		{"cal-com-booking-created.json", "", "1 BOOKING_CREATED|2026-11-30T11:59:57.000Z|bk-uid-0001 BOOKING_CREATED bk-uid-0001 ACCEPTED 11:59:57"},
		{"standardwebhooks-contact-updated.json", "webhook-id: msg_1", "1 msg_1 contact.updated 1f81eb52-5198-4599-803e-771906343485 contact.updated 11:59:58.344522"},
		{"twilio-status-2-sent.form", "", "1 SM22222222222222222222222222222222|sent sent SM22222222222222222222222222222222 sent 00:00:00"},
		{"acuity-rescheduled.form", "", "1 900001|rescheduled rescheduled 900001 rescheduled 00:00:00"},
	}
	for _, c := range cases {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			h := http.Header{}
			if strings.HasSuffix(c.file, ".form") {
				h.Set("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
			}
			if name, value, ok := strings.Cut(c.header, ": "); ok {
				h.Set(name, value)
			}
			events := read(h, []byte(file(t, c.file)))
			e := events[0]
			require.Equal(t, c.want, strings.Join([]string{
				strconv.Itoa(len(events)), e.key, e.typ, e.object, e.state, e.at.Format("15:04:05.999999999"),
			}, " "))
		})
	}
}

func TestStatesOfAMessageComeInTheirOwnOrder(t *testing.T) {
	t.Parallel()
	sent, delivered := file(t, "twilio-status-2-sent.form"), file(t, "twilio-status-3-delivered.form")
	for flaw, want := range map[string]string{None: "delivered", Order: "sent"} {
		s := open(t, flaw)
		require.Equal(t, 200, send(s, delivered))
		require.Equal(t, 200, send(s, sent))
		require.Equal(t, want, s.State().Objects["SM22222222222222222222222222222222"].State, flaw)
	}
}

func TestABatchIsChargedByItsEvents(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	send(s, file(t, "hubspot-batch-100-shuffled.json"))
	st := s.State()
	require.Equal(t, 100, st.Charged+st.Duplicates)
	require.Equal(t, 2, st.Duplicates, "the batch has an exact duplicate and a retry")
	send(s, file(t, "hubspot-batch-100-shuffled.json"))
	require.Equal(t, st.Charged, s.State().Charged)
}

func TestWhateverComesIsAnEvent(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "hello", "\xff\x00", "[]", "{}", "null", "1", `[[],"x",{}]`, `{"events":[]}`, `{"id":{}}`, "{} {}", "a=b"} {
		s := open(t, RejectsDuplicates)
		require.Equal(t, 200, send(s, body), body)
		require.Equal(t, 409, send(s, body), "%q comes again", body)
		require.NotZero(t, s.State().Charged)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"stripe-1-created.json", "hubspot-deal-four-edits-second-retried.json", "twilio-status-2-sent.form", "calendly-01-invitee-created.json"} {
		f.Add([]byte(file(f, name)), strings.HasSuffix(name, ".form"))
	}
	f.Fuzz(func(t *testing.T, body []byte, form bool) {
		h := http.Header{}
		if form {
			h.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		events := read(h, body)
		require.NotEmpty(t, events)
		for _, e := range events {
			require.NotEmpty(t, e.key)
		}
		require.Equal(t, events, read(h, body), "the same body tells of the same events")
	})
}
