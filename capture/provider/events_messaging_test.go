package provider

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// vectorNamed returns the vector with the id.
func vectorNamed(t testing.TB, id string) vector {
	t.Helper()
	all := loadVectors(t)
	i := slices.IndexFunc(all, func(v vector) bool { return v.ID == id })
	require.GreaterOrEqual(t, i, 0, id)
	return all[i]
}

func TestEventsOfMessagingAreReadFromVectors(t *testing.T) {
	t.Parallel()
	at := func(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
	exactly := func(s string) capture.Key { return capture.Key{Value: s, Exact: true} }
	thumb := func(s string) capture.Key { return capture.Key{Value: s} }
	for id, want := range map[string][]capture.Event{
		"discord/valid-ping":         {{Key: exactly("100000000000000002"), Type: "ping", Object: "100000000000000002", At: at(1443912257910)}},
		"zoom/valid":                 {{Key: thumb("meeting.started|1234567890|uuid==|1796039999000"), Type: "meeting.started", Object: "1234567890", At: at(1796039999000)}},
		"meta/valid":                 {{Key: exactly("wamid.EXAMPLE1"), Type: "whatsapp_business_account.messages", Object: "wamid.EXAMPLE1", At: at(1796039997000)}},
		"meta/valid-escaped-unicode": {{Type: "page.feed", Object: "1", At: at(1000)}},
		"line/valid":                 {{Key: exactly("01HEXAMPLE0000000000000001"), Type: "message", Object: "14353798921116", At: at(1796039998000), Try: 1}},
		"telegram/valid":             {{Key: exactly("10000"), Type: "message", Object: "1111111/1365", At: at(1796039999000), Order: 10000}},
		"sendgrid/valid-batch-crlf": {
			{Key: exactly("c2dfZXZlbnRfMQ"), Type: "delivered", Object: "m1", At: at(1796039998000)},
			{Key: exactly("c2dfZXZlbnRfMg"), Type: "open", Object: "m2", At: at(1796039999000)},
		},
		"mailgun/valid": {{Key: exactly("G9Bn5sl1TC6nu79C8C0bwg"), Type: "delivered", Object: "bob@example.com", At: at(1796039997750)}},
		"postmark/valid": {{
			Key:  thumb("883953f4-6105-42a2-a16a-77a8eac79483|Bounce|4323372036854776000|john@example.com|2026-11-30T11:59:57Z"),
			Type: "Bounce", Object: "883953f4-6105-42a2-a16a-77a8eac79483", At: at(1796039997000),
		}},
		"twitch/valid": {{
			Key: exactly("ae2ff348-e102-16be-a3eb-6830c1bf38d2"), Type: "stream.online", Object: "1337",
			At: time.Date(2026, 11, 30, 11, 59, 58, 123456789, time.UTC), Try: 1,
		}},
		"intercom/valid": {{Key: exactly("notif_0001"), Type: "conversation.user.created", Object: "conversation/123", At: at(1796039997000), Try: 1}},
		"zendesk/valid":  {{Key: exactly("01INVOCATION"), Type: "zen:event-type:ticket.status_changed", Object: "zen:ticket:1", At: at(1796039997000)}},
		"typeform/valid": {{Key: exactly("01HEXAMPLETYPEFORM00000001"), Type: "form_response", Object: "a3a12ec67a1365927098a606107fac15", At: at(1796039997000)}},
		"mandrill/valid": {{Key: thumb("e1|send|1796039997"), Type: "send", Object: "e1", At: at(1796039997000)}},
		"pusher/valid":   {{Key: thumb("test_channel|channel_occupied|1796039999500"), Type: "channel_occupied", Object: "test_channel", At: at(1796039999500)}},
		"segment/valid":  {{Key: exactly("segment-test-message-1"), Type: "track.Order Completed", Object: "u1", At: at(1796039997000)}},
		"x/valid":        {{Key: thumb("1929999999999999991|tweet_create_events"), Type: "tweet_create_events", Object: "1929999999999999991", At: at(1796039997123)}},
	} {
		v := vectorNamed(t, id)
		events, err := row(t, v.Provider).Events(v.request(t))
		require.NoError(t, err, id)
		require.Equal(t, want, events, id)
	}
}

// bodies are what the vectors do not have.
func TestEventsOfMessagingAreReadFromOtherBodies(t *testing.T) {
	t.Parallel()
	const form = "application/x-www-form-urlencoded"
	for _, test := range []struct {
		what, provider, body string
		headers              []string
		want                 []capture.Event
	}{
		{
			"an event of type 1 is no ping", "discord",
			`{"version":1,"application_id":"1","type":1,"event":{"type":"APPLICATION_AUTHORIZED","timestamp":"2026-11-30T12:00:00","data":{"user":{"id":"7"}}}}`, nil,
			[]capture.Event{{Key: capture.Key{Value: "7|APPLICATION_AUTHORIZED|2026-11-30T12:00:00"}, Type: "APPLICATION_AUTHORIZED", Object: "7", At: noon}},
		},
		{
			"a button names its message", "discord",
			`{"id":"100000000000000002","type":3,"application_id":"1","message":{"id":"55"},"token":"t"}`, nil,
			[]capture.Event{{Key: capture.Key{Value: "100000000000000002", Exact: true}, Type: "message_component", Object: "55", At: time.UnixMilli(1443912257910).UTC()}},
		},
		{
			"a command names itself", "discord",
			`{"id":"100000000000000002","type":2,"application_id":"1","data":{"id":"9","name":"order"},"token":"t"}`, nil,
			[]capture.Event{{Key: capture.Key{Value: "100000000000000002", Exact: true}, Type: "application_command.order", Object: "100000000000000002", At: time.UnixMilli(1443912257910).UTC()}},
		},
		{
			"messages of a page", "meta",
			`{"object":"page","entry":[{"id":"p","time":1796040000000,"messaging":[{"sender":{"id":"u"},"recipient":{"id":"p"},"timestamp":1796040000000,"message":{"mid":"m_1"}},{"sender":{"id":"u"},"recipient":{"id":"p"},"timestamp":1796040000000,"read":{"watermark":1796040000000}}]}]}`, nil,
			[]capture.Event{
				{Key: capture.Key{Value: "m_1", Exact: true}, Type: "page.message", Object: "m_1", At: noon},
				{Key: capture.Key{Value: "u|read|1796040000000"}, Type: "page.read", Object: "u", At: noon},
			},
		},
		{
			"a lead", "meta",
			`{"object":"page","entry":[{"id":"p","time":1796040000,"changes":[{"field":"leadgen","value":{"leadgen_id":444,"page_id":"p"}}]}]}`, nil,
			[]capture.Event{{Key: capture.Key{Value: "444|leadgen|1796040000"}, Type: "page.leadgen", Object: "444", At: noon}},
		},
		{
			"who likes a post", "meta",
			`{"object":"page","entry":[{"id":"p","time":1796040000,"changes":[{"field":"feed","value":{"item":"reaction","verb":"add","reaction_type":"like","post_id":"p_1","from":{"id":"u"}}}]}]}`, nil,
			[]capture.Event{{Key: capture.Key{Value: "p_1|feed.reaction.add|like|u|1796040000"}, Type: "page.feed.reaction.add", Object: "p_1", At: noon}},
		},
		{
			"an edit is of the message, and later", "telegram",
			`{"update_id":11,"edited_message":{"message_id":5,"chat":{"id":-100},"date":1796030000,"edit_date":1796040000}}`, nil,
			[]capture.Event{{Key: capture.Key{Value: "11", Exact: true}, Type: "edited_message", Object: "-100/5", At: noon, Order: 11}},
		},
		{
			"a button below a message", "telegram",
			`{"update_id":12,"callback_query":{"id":"9","message":{"message_id":5,"chat":{"id":-100},"date":1796030000}}}`, nil,
			[]capture.Event{{Key: capture.Key{Value: "12", Exact: true}, Type: "callback_query", Object: "-100/5", Order: 12}},
		},
		{
			"an answer to a poll", "telegram",
			`{"update_id":13,"poll_answer":{"poll_id":"77","user":{"id":1}}}`, nil,
			[]capture.Event{{Key: capture.Key{Value: "13", Exact: true}, Type: "poll_answer", Object: "77", Order: 13}},
		},
		{
			"an e-mail that came in", "postmark",
			`{"FromFull":{"Email":"a@example.com"},"MessageID":"22c74902","Date":"Mon, 30 Nov 2026 13:00:00 +0100"}`, nil,
			[]capture.Event{{Key: capture.Key{Value: "22c74902"}, Type: "Inbound", Object: "22c74902"}},
		},
		{
			"a list of drops", "twitch",
			`{"subscription":{"id":"s"},"events":[{"id":"e1","data":{"entitlement_id":"d1"}},{"id":"e2","data":{"entitlement_id":"d2"}}]}`,
			[]string{twitchID, "m", twitchTime, "2026-11-30T12:00:00Z", "Twitch-Eventsub-Subscription-Type", "drop.entitlement.grant", "Twitch-Eventsub-Message-Retry", "1"},
			[]capture.Event{
				{Key: capture.Key{Value: "e1", Exact: true}, Type: "drop.entitlement.grant", Object: "d1", At: noon, Try: 2},
				{Key: capture.Key{Value: "e2", Exact: true}, Type: "drop.entitlement.grant", Object: "d2", At: noon, Try: 2},
			},
		},
		{
			"the end of a subscription", "twitch", `{"subscription":{"id":"s","status":"authorization_revoked"}}`,
			[]string{twitchID, "m", twitchTime, "2026-11-30T12:00:00Z", "Twitch-Eventsub-Subscription-Type", "channel.follow", twitchKind, "revocation"},
			[]capture.Event{{Key: capture.Key{Value: "m", Exact: true}, Type: "channel.follow.revocation", Object: "s", At: noon}},
		},
		{
			"delivery and opening of one message", "mandrill",
			"mandrill_events=%5B%7B%22event%22%3A%22open%22%2C%22_id%22%3A%22e1%22%2C%22ts%22%3A1796040000%7D%2C%7B%22event%22%3A%22click%22%2C%22_id%22%3A%22e1%22%2C%22ts%22%3A1796040000%2C%22url%22%3A%22u%22%7D%5D",
			[]string{"Content-Type", form},
			[]capture.Event{
				{Key: capture.Key{Value: "e1|open|1796040000"}, Type: "open", Object: "e1", At: noon},
				{Key: capture.Key{Value: "e1|click|1796040000|u"}, Type: "click", Object: "e1", At: noon},
			},
		},
		{
			"messages of clients may well be alike", "pusher",
			`{"time_ms":1796040000000,"events":[{"name":"client_event","channel":"c","event":"client-x","data":"{}","socket_id":"1.1"}]}`, nil,
			[]capture.Event{{Type: "client_event", Object: "c", At: noon}},
		},
		{
			"a follow is between two", "x",
			`{"for_user_id":"2","follow_events":[{"type":"follow","created_timestamp":"1796040000000","target":{"id":"2"},"source":{"id":"1"}}]}`, nil,
			[]capture.Event{{Key: capture.Key{Value: "1>2|follow_events.follow|1796040000000"}, Type: "follow_events.follow", Object: "1>2", At: noon}},
		},
		{
			"a post that was deleted", "x",
			`{"for_user_id":"2","tweet_delete_events":[{"status":{"id":"601","user_id":"2"},"timestamp_ms":"1796040000000"}]}`, nil,
			[]capture.Event{{Key: capture.Key{Value: "601|tweet_delete_events"}, Type: "tweet_delete_events", Object: "601", At: noon}},
		},
	} {
		events, err := row(t, test.provider).Events(posted(test.body, test.headers...))
		require.NoError(t, err, test.what)
		require.Equal(t, test.want, events, test.what)
	}
}

func TestAStateOfAMessageIsOlderByItsRank(t *testing.T) {
	t.Parallel()
	for _, p := range loadPayloads(t, "payloads") {
		if p.Provider != "meta" {
			continue
		}
		events, err := meta.Events(p.request(t))
		require.NoError(t, err)
		read, delivered := events[0], events[1]
		require.Equal(t, read.Object, delivered.Object)
		read.At = delivered.At // of the same second
		require.True(t, delivered.Older(read))
	}
}

func TestARedeliveryIsToldFromAFirstDelivery(t *testing.T) {
	t.Parallel()
	for _, p := range loadPayloads(t, "payloads") {
		if p.Provider != "line" {
			continue
		}
		events, err := line.Events(p.request(t))
		require.NoError(t, err)
		require.Equal(t, 2, events[0].Try)
		require.Equal(t, 1, events[1].Try)
		require.Equal(t, events[0].Object, events[1].Object, "what was unsent is the message")
	}
}

func TestAHeaderOfManySendersNamesNobody(t *testing.T) {
	t.Parallel()
	const whatsapp = `{"object":"whatsapp_business_account","entry":[{"id":"1"}]}`
	for _, test := range []struct {
		want, body string
		headers    []string
	}{
		{"meta", whatsapp, []string{"X-Hub-Signature-256", "sha256=0"}},
		{"meta", `{}`, []string{"X-Hub-Signature-256", "sha256=0", "User-Agent", "facebookexternalua"}},
		{"", `{}`, []string{"X-Hub-Signature-256", "sha256=0"}},
		{"github", whatsapp, []string{"X-Hub-Signature-256", "sha256=0", "X-GitHub-Event", "push"}},
		{"", whatsapp, []string{"X-Hub-Signature-256", "sha256=0", "X-Gitea-Event", "push"}},
		{"intercom", `{"type":"notification_event","topic":"ping"}`, []string{"X-Hub-Signature", "sha1=0"}},
		{"intercom", `{}`, []string{"X-Hub-Signature", "sha1=0", "X-Topic", "ping"}},
		{"", `{}`, []string{"X-Hub-Signature", "sha1=0"}},
		{"", `{}`, []string{"X-Hub-Signature", "sha256=0", "X-Topic", "ping"}},
		{"segment", `{"messageId":"m","type":"track","sentAt":"x"}`, []string{"X-Signature", "0"}},
		{"segment", `{}`, []string{"X-Signature", "0", "User-Agent", "Segment.io/1.0"}},
		{"", `{}`, []string{"X-Signature", "0"}},
	} {
		got := ""
		if p := Known.Of(posted(test.body, test.headers...)); p != nil {
			got = p.Name
		}
		require.Equal(t, test.want, got, "%s %v", test.body, test.headers)
	}
}

func TestAnIdOfDiscordHoldsItsTime(t *testing.T) {
	t.Parallel()
	require.Equal(t, int64(1462015105796), snowflake("175928847299117063").UnixMilli(), "the example of Discord's own documentation")
	for _, id := range []string{"", "x", "-1", "99999999999999999999999"} {
		require.True(t, snowflake(id).IsZero(), id)
	}
}

func TestAKeyOfSendGridMayHaveThePaperAroundIt(t *testing.T) {
	t.Parallel()
	v := vectorNamed(t, "sendgrid/valid-batch-crlf")
	key := v.secrets(t)[0].Reveal()
	pem := "-----BEGIN PUBLIC KEY-----\n" + key + "\n-----END PUBLIC KEY-----\n"
	require.Equal(t, capture.Valid, sendgrid.Verify(v.request(t), []capture.Secret{capture.Secret(pem)}, noon).Status)
	for _, bad := range []capture.Secret{"SG.key", "one", "MFkw", capture.Secret(key[:len(key)-8])} {
		got := sendgrid.Verify(v.request(t), []capture.Secret{bad}, noon)
		require.Equal(t, capture.Invalid, got.Status)
		require.Equal(t, capture.WhyBadSecret, got.Why)
	}
}

func TestAPasswordAloneIsEnough(t *testing.T) {
	t.Parallel()
	for shown, want := range map[string]capture.Status{
		"OnBhc3M=": capture.Authenticated, // :pass
		"cGFzczo=": capture.Authenticated, // pass:
		"cGFzcw==": capture.Malformed,     // pass
		"dTpwYXNz": capture.Invalid,       // u:pass
	} {
		got := postmark.Verify(posted("{}", "Authorization", "Basic "+shown), []capture.Secret{"pass"}, noon)
		require.Equal(t, want, got.Status, shown)
	}
}

func TestASignatureOfMailgunIsRenewedWithItsToken(t *testing.T) {
	t.Parallel()
	v := vectorNamed(t, "mailgun/valid")
	r := v.request(t)
	secret := v.secrets(t)[0]
	before := value(r.Body).at("signature", "token")
	require.NoError(t, mailgun.Sign(r, secret, noon.Add(time.Hour)))
	got := mailgun.Verify(r, []capture.Secret{secret}, noon.Add(time.Hour))
	require.Equal(t, capture.Authenticated, got.Status, "nothing of what happened is signed")
	require.Equal(t, noon.Add(time.Hour), got.At)
	require.NotEqual(t, before, value(r.Body).at("signature", "token"), "a handler refuses a token that it has seen")
	require.Equal(t, value(v.Body).at("event-data"), value(r.Body).at("event-data"))
	for _, body := range []string{"", "{}", `{"signature":{}}`, `{"signature":{"timestamp":1,"token":"a"}}`, `{"signature":"x"}`} {
		require.Error(t, mailgun.Sign(posted(body), secret, noon), body)
	}
	numbers := posted(`{"signature":{"timestamp":1,"token":2,"signature":""}}`)
	require.NoError(t, mailgun.Sign(numbers, secret, noon))
	require.Equal(t, capture.Authenticated, mailgun.Verify(numbers, []capture.Secret{secret}, noon).Status)
}
