package provider

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestEventsOfToolsAreReadFromVectors(t *testing.T) {
	t.Parallel()
	at := func(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
	exactly := func(s string) capture.Key { return capture.Key{Value: s, Exact: true} }
	thumb := func(s string) capture.Key { return capture.Key{Value: s} }
	ago := at(1796039997000)
	contact := capture.Event{
		Key:  exactly("msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"),
		Type: "contact.created", Object: "1f81eb52-5198-4599-803e-771906343485", At: time.Date(2026, 11, 30, 11, 59, 58, 344522000, time.UTC),
	}
	untimed := contact
	untimed.At = time.Time{} // it has its time elsewhere than this body
	shop := untimed
	shop.Type = ""
	for id, want := range map[string]capture.Event{
		"resend/valid":      untimed,
		"clerk/valid":       contact,
		"openai/valid":      untimed,
		"anthropic/valid":   contact,
		"polar/valid":       contact,
		"bigcommerce/valid": shop,
		"brex/valid":        {Key: contact.Key, Type: "TRANSFER_PROCESSED", Object: "dptx_cjsl"},
		"gitlab/token-valid": {
			Key: exactly("5c3b0000-0000-4000-8000-000000000003"), Type: "push", Object: "15@refs/heads/main",
		},
		"cal-com/valid": {
			Key:  thumb("new-uid-0001|BOOKING_RESCHEDULED|2026-11-30T11:59:57.000Z"),
			Type: "BOOKING_RESCHEDULED", Object: "new-uid-0001", At: ago,
		},
		"acuity/valid":    {Type: "rescheduled", Object: "900001"},
		"bitbucket/valid": {Key: exactly("c3a7d2f0-0000-4000-8000-000000000001"), Type: "repo:push", Object: "{1}", Try: 1},
		"jira/valid":      {Key: exactly("1e5f-0001"), Type: "jira:issue_updated", Object: "10002", At: ago, Try: 1},
		"circleci/valid":  {Key: exactly("47ebc8d9-3420-3ff0-89d1-000000000001"), Type: "job-completed", Object: "8bd71c28", At: ago},
		"buildkite/valid": {Key: thumb("b1|build.finished|passed"), Type: "build.finished", Object: "b1", At: ago},
		"vercel/valid":    {Key: exactly("uev_Example01"), Type: "deployment.succeeded", Object: "dpl_1", At: ago},
		"heroku/valid":    {Key: exactly("3c5b1b3e-0000-4000-8000-000000000001"), Type: "release.update", Object: "r1", At: ago},
		"terraform-cloud/valid": {
			Key: thumb("run-Example|run:errored|2026-11-30T11:59:57.000Z"), Type: "run:errored", Object: "run-Example", At: ago,
		},
		"sentry/valid":     {Key: exactly("b3c1a2d4e5f60718293a4b5c6d7e8f90"), Type: "issue.created", Object: "1170820242", At: at(1796039998000)},
		"pagerduty/valid":  {Key: exactly("5ac64822-4adc-4fda-ade0-410becf0de4f"), Type: "incident.acknowledged", Object: "PGR0VU2", At: ago},
		"sanity/valid":     {Key: exactly("k1"), Type: "post", Object: "doc1"},
		"contentful/valid": {Key: thumb("entry1|9|ContentManagement.Entry.publish"), Type: "ContentManagement.Entry.publish", Object: "Entry/entry1", At: ago, Order: 9},
		"trello/valid":     {Key: exactly("51f9424bcd6e040f3c002412"), Type: "updateCard", Object: "m1", At: ago},
	} {
		v := vectorNamed(t, id)
		events, err := row(t, v.Provider).Events(v.request(t))
		require.NoError(t, err, id)
		require.Equal(t, []capture.Event{want}, events, id)
	}
}

func TestEventsOfToolsAreReadFromOtherBodies(t *testing.T) {
	t.Parallel()
	thumb := func(s string) capture.Key { return capture.Key{Value: s} }
	exactly := func(s string) capture.Key { return capture.Key{Value: s, Exact: true} }
	ago := time.Date(2026, 11, 30, 11, 59, 57, 0, time.UTC)
	for _, test := range []struct {
		what, provider, body string
		headers              []string
		want                 capture.Event
	}{
		{
			"a version without an idempotency key", "gitlab", `{"object_kind":"issue","object_attributes":{"id":7,"action":"open"}}`,
			[]string{"X-Gitlab-Event-UUID", "e1", "X-Gitlab-Webhook-UUID", "w1"},
			capture.Event{Key: thumb("e1|w1"), Type: "issue.open", Object: "7"},
		},
		{
			"the id that is signed", "gitlab", `{"object_kind":"pipeline","object_attributes":{"id":31,"created_at":"2026-11-30 11:50:00 UTC","finished_at":"2026-11-30 11:59:57 UTC"}}`,
			[]string{"webhook-id", "k1"},
			capture.Event{Key: exactly("k1"), Type: "pipeline", Object: "31", At: ago},
		},
		{
			"a job", "gitlab", `{"object_kind":"build","ref":"main","build_id":1977,"build_started_at":"2026-11-30 11:59:57 UTC","build_finished_at":null,"project_id":15}`,
			[]string{"Idempotency-Key", "k2"},
			capture.Event{Key: exactly("k2"), Type: "build", Object: "1977", At: ago},
		},
		{
			"its own shape", "bigcommerce", `{"producer":"stores/a","scope":"store/order/created","hash":"h","created_at":1796039997,"data":{"type":"order","id":250}}`,
			[]string{"webhook-id", "m1"},
			capture.Event{Key: exactly("m1"), Type: "store/order/created", Object: "250", At: ago},
		},
		{
			"its own shape", "openai", `{"id":"evt_1","object":"event","type":"batch.completed","created_at":1796039997,"data":{"id":"batch_1"}}`,
			[]string{"webhook-id", "m2"},
			capture.Event{Key: exactly("m2"), Type: "batch.completed", Object: "batch_1", At: ago},
		},
		{
			"its own shape", "resend", `{"type":"email.sent","created_at":"2026-11-30T11:59:57.000Z","data":{"email_id":"em_1"}}`,
			[]string{"svix-id", "m3"},
			capture.Event{Key: exactly("m3"), Type: "email.sent", Object: "em_1", At: ago},
		},
		{
			"its own shape, without a time", "brex", `{"event_type":"TRANSFER_FAILED","transfer_id":"t_1"}`,
			[]string{"webhook-id", "m4", "webhook-timestamp", "1796040000"},
			capture.Event{Key: exactly("m4"), Type: "TRANSFER_FAILED", Object: "t_1"},
		},
		{
			"a pull request, tried again", "bitbucket", `{"repository":{"uuid":"{1}"},"pullrequest":{"id":5,"updated_on":"2026-11-30T11:59:57.000000+00:00"}}`,
			[]string{"X-Event-Key", "pullrequest:updated", "X-Request-UUID", "u1", "X-Attempt-Number", "2"},
			capture.Event{Key: exactly("u1"), Type: "pullrequest:updated", Object: "{1}/5", At: ago, Try: 2},
		},
		{
			"sent again", "jira", `{"timestamp":1796039997000,"webhookEvent":"sprint_closed","sprint":{"id":3}}`,
			[]string{"X-Atlassian-Webhook-Identifier", "i1", "X-Atlassian-Webhook-Retry", "2"},
			capture.Event{Key: exactly("i1"), Type: "sprint_closed", Object: "3", At: ago, Try: 3},
		},
	} {
		events, err := row(t, test.provider).Events(posted(test.body, test.headers...))
		require.NoError(t, err, "%s of %s", test.what, test.provider)
		require.Equal(t, []capture.Event{test.want}, events, "%s of %s", test.what, test.provider)
	}
}

func TestAVersionOrdersEntriesOfOneMillisecond(t *testing.T) {
	t.Parallel()
	read := func(version string) capture.Event {
		events, err := contentful.Events(posted(`{"sys":{"type":"Entry","id":"e","updatedAt":"2026-11-30T12:00:00.000Z","version":`+version+`}}`, "X-Contentful-Topic", "a"))
		require.NoError(t, err)
		return events[0]
	}
	require.True(t, read("9").Older(read("10")))
	require.False(t, read("10").Older(read("9")))
}
