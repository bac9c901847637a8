package provider

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestEventsOfPlatformsAreReadFromVectors(t *testing.T) {
	t.Parallel()
	at := func(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
	exactly := func(s string) capture.Key { return capture.Key{Value: s, Exact: true} }
	thumb := func(s string) capture.Key { return capture.Key{Value: s} }
	const hash = "92d1c36ec61387663dd64e0309abff5a289c39777f92403d51974644a31a7865"
	for id, want := range map[string][]capture.Event{
		"docusign/valid": {{
			Key:  thumb("e0000001|envelope-completed|2026-11-30T11:59:57.000Z"),
			Type: "envelope-completed", Object: "e0000001", At: at(1796039997000), Try: 1,
		}},
		"dropbox/valid":      {{Type: "list_folder", Object: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc"}},
		"dropbox-sign/valid": {{Key: thumb(hash + "|sr1"), Type: "signature_request_signed", Object: "sr1", At: at(1796039998000)}},
		"box/valid-primary":  {{Key: exactly("eb0c4e06-751f-442c-86f8-fd5bb404dbec"), Type: "FILE.UPLOADED", Object: "73835521473", At: at(1796039997000)}},
		"notion/valid":       {{Key: exactly("367cba44-b6f3-4c92-81e7-6a2e9659efd4"), Type: "page.created", Object: "page1", At: at(1796039997000), Try: 1}},
		"airtable/valid":     {{Type: "ping", Object: "appExample/achExample", At: at(1796039997000)}},
		"asana/valid": {{
			Key:  thumb("77|changed|2026-11-30T11:59:57.000Z|due_at"),
			Type: "task.changed", Object: "77", At: at(1796039997000),
		}},
		"asana/valid-heartbeat": {{Type: "heartbeat"}},
		"monday/valid":          {{Key: exactly("b5ed2e17c530f43668de130142445cba"), Type: "update_column_value", Object: "1772099344", At: at(1796039997000)}},
		"microsoft-graph/valid": {{Key: exactly("lsgTZMr9KwAAA"), Type: "created", Object: "m"}},
		"okta/valid": {
			{Key: exactly("ev1"), Group: "b5a188b9-5ece-4636-b041-482ffda96311", Type: "user.session.start", At: at(1796039996000)},
			{Key: exactly("ev2"), Group: "b5a188b9-5ece-4636-b041-482ffda96311", Type: "user.session.end", At: at(1796039995000)},
		},
		"auth0/valid": {
			{Key: exactly("90020261130"), Type: "s", At: at(1796039997000)},
			{Key: exactly("90020261131"), Type: "f", At: at(1796039998000)},
		},
		"aws-sns/v2-valid": {{
			Key:  exactly("22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324"),
			Type: "Notification", Object: "arn:aws:sns:us-east-1:123456789012:MyTopic", At: at(1796039997000),
		}},
	} {
		v := vectorNamed(t, id)
		events, err := row(t, v.Provider).Events(v.request(t))
		require.NoError(t, err, id)
		require.Equal(t, want, events, id)
	}
}

func TestEventsOfPlatformsAreReadFromOtherBodies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		what, provider, body string
		want                 []capture.Event
	}{
		{
			"a recipient of an envelope, the second time", "docusign",
			`{"event":"recipient-signed","retryCount":1,"generatedDateTime":"2026-11-30T12:00:00.0000000Z","data":{"envelopeId":"e","recipientId":"2"}}`,
			[]capture.Event{{
				Key:  capture.Key{Value: "e|2|recipient-signed|2026-11-30T12:00:00.0000000Z"},
				Type: "recipient-signed", Object: "e", At: noon, Try: 2,
			}},
		},
		{
			"two files of two accounts", "dropbox", `{"list_folder":{"accounts":["a","b"]}}`,
			[]capture.Event{{Type: "list_folder", Object: "a"}, {Type: "list_folder", Object: "b"}},
		},
		{
			"a notice without an id, but with a version", "microsoft-graph",
			`{"value":[{"subscriptionId":"s","changeType":"updated","resource":"drives/1/root","resourceData":{"@odata.etag":"W/1"}}]}`,
			[]capture.Event{{Key: capture.Key{Value: "s|drives/1/root|updated|W/1"}, Type: "updated", Object: "drives/1/root"}},
		},
		{
			"a notice that nothing tells apart", "microsoft-graph",
			`{"value":[{"subscriptionId":"s","changeType":"updated","resource":"drives/1/root"},{"subscriptionId":"s","lifecycleEvent":"missed"}]}`,
			[]capture.Event{{Type: "updated", Object: "drives/1/root"}, {Type: "missed", Object: "s"}},
		},
		{
			"who is changed, not who changes", "okta",
			`{"eventId":"h","data":{"events":[{"uuid":"e","eventType":"user.lifecycle.suspend","published":"2026-11-30T12:00:00Z","actor":{"id":"admin"},"target":[{"id":"user"}]}]}}`,
			[]capture.Event{{Key: capture.Key{Value: "e", Exact: true}, Group: "h", Type: "user.lifecycle.suspend", Object: "user", At: noon}},
		},
		{
			"a list", "auth0", `[{"log_id":"1","data":{"type":"s","date":"2026-11-30T12:00:00Z","user_id":"auth0|1"}}]`,
			[]capture.Event{{Key: capture.Key{Value: "1", Exact: true}, Type: "s", Object: "auth0|1", At: noon}},
		},
		{
			"one object", "auth0", `{"log_id":"1","data":{"type":"s","date":"2026-11-30T12:00:00Z","user_id":"auth0|1"}}`,
			[]capture.Event{{Key: capture.Key{Value: "1", Exact: true}, Type: "s", Object: "auth0|1", At: noon}},
		},
		{
			"a list in an object", "auth0", `{"logs":[{"log_id":"1","data":{"type":"s","date":"2026-11-30T12:00:00Z"}}]}`,
			[]capture.Event{{Key: capture.Key{Value: "1", Exact: true}, Type: "s", At: noon}},
		},
		{
			"lines with an empty one", "auth0", "{\"log_id\":\"1\"}\r\n\r\n{\"log_id\":\"2\"}",
			[]capture.Event{{Key: capture.Key{Value: "1", Exact: true}}, {Key: capture.Key{Value: "2", Exact: true}}},
		},
	} {
		events, err := row(t, test.provider).Events(posted(test.body))
		require.NoError(t, err, test.what)
		require.Equal(t, test.want, events, test.what)
	}
}

// The hash of Dropbox Sign is of a second and a type.
func TestTwoSignaturesOfOneSecondAreTwoEvents(t *testing.T) {
	t.Parallel()
	keys := map[string]bool{}
	for _, request := range []string{"sr1", "sr2"} {
		r := posted("--X\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n--X\r\nContent-Disposition: form-data; name=\"json\"\r\n\r\n" +
			`{"event":{"event_time":"1796040000","event_type":"signature_request_signed","event_hash":""},"signature_request":{"signature_request_id":"` + request + `"}}` + "\r\n--X--\r\n")
		require.NoError(t, dropboxSign.Sign(r, "key", noon.Add(time.Hour)))
		require.Equal(t, capture.Authenticated, dropboxSign.Verify(r, []capture.Secret{"key"}, noon).Status)
		events, err := dropboxSign.Events(r)
		require.NoError(t, err)
		require.Equal(t, noon, events[0].At, "the time is the event's, and stays")
		keys[events[0].Key.Value] = true
	}
	require.Len(t, keys, 2)
	for _, body := range []string{"", "--", "--X", "--X\r\n", "--X\r\n\r\n{}\r\n--X--", "--X\r\nContent-Disposition: form-data; name=\"json\"\r\n\r\n\r\n--X--\r\n", `{"event":{}}`} {
		require.Error(t, dropboxSign.Sign(posted(body), "key", noon), body)
		require.Equal(t, capture.Missing, dropboxSign.Verify(posted(body), []capture.Secret{"key"}, noon).Status, body)
	}
}

func TestPlatformsAreRecognisedWithoutTheirHeaders(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"challenge":"c"}`:                                                         "monday",
		`{"challenge":"c","type":"x"}`:                                              "",
		`{"verification_token":"t"}`:                                                "notion",
		`{"verification_token":"t","id":"1"}`:                                       "",
		`{"value":[{"subscriptionId":"s","lifecycleEvent":"missed"}]}`:              "microsoft-graph",
		`{"value":[{"id":"s"}]}`:                                                    "",
		`{"eventType":"com.okta.event_hook"}`:                                       "okta",
		"{\"log_id\":\"1\",\"data\":{\"date\":\"d\"}}\n{}":                          "auth0",
		`{"list_folder":{"accounts":[]}}`:                                           "dropbox",
		`{"Type":"Notification","TopicArn":"arn:aws:sns:us-east-1:1:t"}`:            "aws-sns",
		`{"Type":"Notification","TopicArn":"t"}`:                                    "",
		`{"events":[{"action":"a","resource":{"gid":"1","resource_type":"task"}}]}`: "asana",
		`{"events":[]}`: "",
	} {
		got := ""
		if p := Known.Of(posted(body)); p != nil {
			got = p.Name
		}
		require.Equal(t, want, got, body)
	}
}
