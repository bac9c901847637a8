package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// QuickBooks signs the body. While a delivery fails, those that follow wait.
var quickbooks = capture.Provider{
	Name:     "quickbooks",
	Title:    "QuickBooks (Intuit)",
	Scheme:   quickbooksScheme.String(),
	Header:   quickbooksScheme.header,
	Deadline: 3 * time.Second,
	Dedupe:   quickbooksFields.dedupe(),
	Order:    quickbooksFields.orders(),
	Retry:    capture.Retry{Times: 8, After: []time.Duration{10 * time.Second, 20 * time.Second, 30 * time.Second, 5 * time.Minute, 20 * time.Minute, 2 * time.Hour, 4 * time.Hour, 6 * time.Hour}},
	Setup:    "Developer portal → your app → Webhooks: the endpoint URL, and the verifier token.",
	Note:     "Later events wait until the first is acknowledged. After the pauses that are listed it tries every 6 hours.",
	Trust:    capture.Trust{Signature: capture.ByHearsay, Identity: capture.ByHearsay, Retry: capture.ByDocs},
	Sources: []string{
		"https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/best-practices",
	},
	Marks:       []string{"Intuit-Signature"},
	Body:        func(r *capture.Request) bool { return value(r.Body).at("eventNotifications").kind() == '[' },
	Verify:      quickbooksScheme.verify,
	Sign:        quickbooksScheme.sign,
	CheckSecret: quickbooksScheme.keys.check,
	Events:      quickbooksEvents,
}

var quickbooksScheme = scheme{
	header: "Intuit-Signature",
	form:   alone("", base64std),
	keys:   keys{want: "the verifier token of the app's webhooks"},
}

var quickbooksFields = fields{
	each:   "$.eventNotifications>@.dataChangeEvent.entities",
	parts:  []string{"@.id", "@.name", "@.operation", "@.lastUpdated"},
	typ:    []string{"@.name", "@.operation"},
	object: []string{"@.name", "@.id"},
	at:     "@.lastUpdated",
}

// quickbooksEvents puts the company in front: ids are unique within one only.
func quickbooksEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := quickbooksFields.eventsOf("quickbooks")(r)
	i := 0
	for n := range value(r.Body).at("eventNotifications").elements() {
		realm, _ := n.at("realmId").text()
		for range n.at("dataChangeEvent", "entities").elements() {
			if i == len(events) {
				return events, err
			}
			e := &events[i]
			e.Object = realm + "/" + e.Object
			if e.Key.Value != "" {
				e.Key.Value = realm + "|" + e.Key.Value
			}
			i++
		}
	}
	return events, err
}
