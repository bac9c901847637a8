package provider

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/sample"
)

// requestsOf are all requests of a row that there are: specimens, payloads and
// samples that its events can be read from without a complaint.
func requestsOf(t testing.TB, p capture.Provider) []*capture.Request {
	t.Helper()
	var all []*capture.Request
	for _, s := range specimens() {
		if s.provider == p.Name {
			all = append(all, s.request(t))
		}
	}
	for _, load := range loadPayloads(t, "payloads") {
		if load.Provider == p.Name && !load.Expect.Handshake {
			all = append(all, load.request(t))
		}
	}
	for _, name := range sample.Names(p.Name) {
		r, err := sample.Build(p.Name, name, noon, func() string { return "seed" })
		require.NoError(t, err)
		r.URL = "https://hooks.example.com/in/" + p.Name
		all = append(all, r)
	}
	for _, body := range ownBodies[p.Name] {
		r := &capture.Request{Method: "POST", URL: "https://hooks.example.com/in", At: noon, Head: capture.NewHead("POST", "/in"), Body: []byte(body)}
		r.Header = r.Head.Header()
		all = append(all, r)
	}
	var readable []*capture.Request
	for _, r := range all {
		if _, err := p.Events(r); err == nil {
			readable = append(readable, r)
		}
	}
	return readable
}

// ownBodies are batches that the samples have not.
var ownBodies = map[string][]string{
	"hubspot": {
		`[{"subscriptionType":"contact.creation","occurredAt":1,"portalId":2,"objectId":3},{"subscriptionType":"contact.deletion","occurredAt":9,"portalId":2,"objectId":3,"attemptNumber":4}]`,
		`{"subscriptionType":"contact.creation","occurredAt":1,"portalId":2,"objectId":3}`,
		"[\r\n  {\"subscriptionType\":\"a.b\",\"occurredAt\":1,\"portalId\":2,\"objectId\":3 },\r\n  {\"subscriptionType\":\"a.c\",\"occurredAt\":2,\"portalId\":2,\"objectId\":3}\r\n]\r\n",
	},
	"line": {`{"destination":"U1","events":[{"type":"follow","webhookEventId":"01A","timestamp":1796040000000,"source":{"userId":"u"}},{"type":"message","webhookEventId":"01B","timestamp":1796040000001,"deliveryContext":{"isRedelivery":false},"message":{"id":"m"}}]}`},
	"auth0": {
		`{"log_id":"1","data":{"date":"2026-11-30T12:00:00Z","type":"s"}}` + "\n" + `{"log_id":"2","data":{"date":"2026-11-30T12:00:01Z","type":"f"}}` + "\n",
		`{"log_id":"1","data":{"date":"2026-11-30T12:00:00Z","type":"s"}}`,
		`[{"log_id":"1","data":{"date":"2026-11-30T12:00:00Z","type":"s"}},{"log_id":"2","data":{"date":"2026-11-30T12:00:01Z","type":"f"}}]`,
		`{"logs":[{"log_id":"1","data":{"date":"2026-11-30T12:00:00Z","type":"s"}},{"log_id":"2","data":{"date":"2026-11-30T12:00:01Z","type":"f"}}]}`,
	},
	"quickbooks": {
		`{"eventNotifications":[{"realmId":"9","dataChangeEvent":{"entities":[{"name":"Customer","id":"1","operation":"Create","lastUpdated":"2026-11-30T12:00:00Z"},{"name":"Vendor","id":"1","operation":"Update","lastUpdated":"2026-11-30T12:00:01Z"}]}},{"realmId":"8","dataChangeEvent":{"entities":[{"name":"Item","id":"2","operation":"Update","lastUpdated":"2026-11-30T12:00:02Z"}]}}]}`,
		`[{"id":"a","type":"qbo.invoice.created.v1","time":"2026-11-30T12:00:00Z","intuitentityid":"1","intuitaccountid":"9"},{"id":"b","type":"qbo.invoice.updated.v1","time":"2026-11-30T12:00:01Z","intuitentityid":"1","intuitaccountid":"9"}]`,
	},
	"meta": {`{"object":"page","entry":[{"id":"1","time":1796040000,"changes":[{"field":"feed","value":{"post_id":"p","verb":"add","item":"post"}},{"field":"messages","value":{"messages":[{"id":"m1","timestamp":"1796040000"},{"id":"m2","timestamp":"1796040001"}],"statuses":[{"id":"m0","timestamp":"1796040002","status":"read"}]}}]},` +
		`{"id":"2","time":1796040001,"messaging":[{"sender":{"id":"s"},"recipient":{"id":"r"},"timestamp":1796040003000,"message":{"mid":"m3"}},{"sender":{"id":"s"},"recipient":{"id":"r"},"timestamp":1796040004000,"read":{"watermark":1}}]}]}`},
	"x":               {`{"for_user_id":"1","tweet_create_events":[{"id_str":"10","timestamp_ms":"1796040000000"},{"id_str":"11","timestamp_ms":"1796040001000"}],"favorite_events":[{"id":"f","timestamp_ms":"1796040002000"}],"users":{"1":{"name":"a"}}}`},
	"microsoft-graph": {`{"value":[{"id":"1","subscriptionId":"s","changeType":"created","resource":"r/1","clientState":"c"},{"id":"2","subscriptionId":"s","changeType":"deleted","resource":"r/1","clientState":"c"}]}`},
	"xero":            {`{"events":[{"resourceId":"r","tenantId":"t","eventType":"CREATE","eventCategory":"CONTACT","eventDateUtc":"2026-11-30T12:00:00"},{"resourceId":"r","tenantId":"t","eventType":"UPDATE","eventCategory":"CONTACT","eventDateUtc":"2026-11-30T12:00:01"}],"firstEventSequence":4,"lastEventSequence":5,"entropy":"E"}`},
	"dropbox":         {`{"list_folder":{"accounts":["dbid:A","dbid:B"]},"delta":{"users":[1,2]}}`},
	"docusign":        {"{\n  \"event\": \"envelope-sent\",\n  \"generatedDateTime\": \"2026-11-30T12:00:00Z\",\n  \"data\": {\"envelopeId\": \"e\"}\n}\n", `{"event":"envelope-sent","retryCount":"2","generatedDateTime":"2026-11-30T12:00:00Z","data":{"envelopeId":"e"}}`},
	"mandrill":        {"x=1&mandrill_events=" + mandrillForm + "&y=2"},
	"gocardless":      {`{"events":[{"id":"E1","created_at":"2026-11-30T12:00:00Z","resource_type":"payments","action":"created","links":{"payment":"P"}},{"id":"E2","created_at":"2026-11-30T12:00:01Z","resource_type":"payments","action":"failed","links":{"payment":"P"}}],"meta":{"webhook_id":"W"}}`},
	"asana":           {`{"events":[{"action":"added","created_at":"2026-11-30T12:00:00Z","resource":{"gid":"1","resource_type":"task"}},{"action":"deleted","created_at":"2026-11-30T12:00:01Z","resource":{"gid":"1","resource_type":"task"}}]}`},
	"okta":            {`{"eventType":"com.okta.event_hook","eventId":"g","data":{"events":[{"uuid":"1","eventType":"user.a","published":"2026-11-30T12:00:00Z","target":[{"id":"u"}]},{"uuid":"2","eventType":"user.b","published":"2026-11-30T12:00:01Z","target":[{"id":"u"}]}]}}`},
	"sendgrid":        {`[{"sg_event_id":"1","event":"open","sg_message_id":"m","timestamp":1796040000},{"sg_event_id":"2","event":"click","sg_message_id":"m","timestamp":1796040001}]` + "\r\n"},
	"twilio":          {`[{"id":"1","type":"com.twilio.messaging.message.sent","time":"2026-11-30T12:00:00Z","data":{"messageSid":"SM1"}},{"id":"2","type":"com.twilio.messaging.message.delivered","time":"2026-11-30T12:00:01Z","data":{"messageSid":"SM1"}}]`},
	"twitch":          {`{"subscription":{"id":"s"},"events":[{"id":"1","data":{"entitlement_id":"e"}},{"id":"2","data":{"entitlement_id":"f"}}]}`},
	"pusher":          {`{"time_ms":1796040000000,"events":[{"channel":"a","name":"channel_occupied"},{"channel":"b","name":"channel_vacated"}]}`},
	"terraform-cloud": {`{"run_id":"r","notifications":[{"trigger":"run:created","run_updated_at":"2026-11-30T12:00:00Z"},{"trigger":"run:applying","run_updated_at":"2026-11-30T12:00:01Z"}]}`},
	"adyen":           {`{"live":"false","notificationItems":[{"NotificationRequestItem":{"pspReference":"1","eventCode":"AUTHORISATION","success":"true","eventDate":"2026-11-30T12:00:00+01:00"}},{"NotificationRequestItem":{"pspReference":"1","eventCode":"CAPTURE","success":"true","eventDate":"2026-11-30T12:00:01+01:00"}}]}`},
	"mux":             {`{"type":"video.asset.ready","object":{"type":"asset","id":"a"},"id":"e","created_at":"2026-11-30T12:00:00Z","attempts":[{"response_status_code":500,"id":"first"}]}`},
}

const mandrillForm = "%5B%7B%22_id%22%3A%22m%22%2C%22event%22%3A%22open%22%2C%22ts%22%3A1796040000%7D%2C%7B%22_id%22%3A%22m%22%2C%22event%22%3A%22click%22%2C%22ts%22%3A1796040001%7D%5D"

func TestEveryRowHasRequestsToTryThingsOn(t *testing.T) {
	t.Parallel()
	for _, p := range All {
		if p.Mark != nil || p.Batch != nil {
			require.NotEmpty(t, requestsOf(t, p), p.Name)
		}
		require.Equal(t, p.Attempt != "", p.Mark != nil, "%s: what it counts can be put in", p.Name)
		require.Equal(t, p.Batch != nil, p.Join != nil, p.Name)
		several := false
		for _, r := range requestsOf(t, p) {
			events, err := p.Events(r)
			require.NoError(t, err)
			several = several || len(events) > 1
		}
		require.Equal(t, several, p.Batch != nil, "%s: what comes together can be taken apart", strings.ToLower(p.Title))
	}
}
